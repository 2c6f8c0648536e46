import { type Transcript, vectors } from './vectors.ts'

/** A CACAO as JSON, free to be changed. */
export type RawCacao = { h: { t: string }; p: Record<string, unknown>; s: { t: string; s: string } }

/** The official wallet's answer in the recording of one-click auth. */
export type RecordedAnswer = {
  id: number
  result: { cacaos: RawCacao[]; responder: { publicKey: string; metadata: Record<string, unknown> } }
}

/** @returns the payload, as text, that the wallet or dapp of a recording published under this tag */
export function recordedPlain(transcript: Transcript, tag: number): string {
  const found = transcript.frames.find(({ frame, plain }) => plain && frame?.includes(`"tag":${tag}`))
  const text = found?.plain?.message
  if (text === undefined) throw new Error(`the recording holds no payload with tag ${tag}`)
  return text
}

/** @returns a fresh copy of the recorded answer's CACAOs */
export function recordedCacaos(): RawCacao[] {
  return (JSON.parse(recordedPlain(vectors.transcripts.oneClickAuth, 1117)) as RecordedAnswer).result.cacaos
}
