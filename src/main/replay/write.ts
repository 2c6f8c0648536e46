/** Writes recordings. */
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Recording, writeRecording } from '../../runtime/recording/recording.ts'
import type { RecordingHeader } from '../../runtime/recording/recordingHeader.ts'
import { readRecording } from '../../events/recording/readRecording.ts'
import { registryHash } from '../../events/schema/registryHash.ts'
import { sha256Hex } from '../../worker/drivers/digest.ts'
import { refused } from './verb.ts'

/** @returns a recording's header with this build's registry hash */
export function writtenHere(header: RecordingHeader): RecordingHeader {
  return { ...header, registryHash: registryHash() }
}

/** @returns the text of a recording with these lines, and the recording as read from that text */
export async function recordingOf(
  header: RecordingHeader,
  lines: readonly string[],
): Promise<{ text: string; recording: Recording }> {
  const text = await writeRecording({ header, lines }, sha256Hex)
  return { text, recording: await readRecording(text, sha256Hex) }
}

/** @throws Fault `bad_input` when the file is the one that was read, or cannot be written */
export async function save(path: string, text: string, from: string): Promise<void> {
  if (resolve(path) === resolve(from)) throw refused(`${path} expected another file than the one that was read`)
  try {
    await writeFile(path, text)
  } catch (cause) {
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const told = { ENOENT: 'there is no such folder', EISDIR: 'it is a folder', EACCES: 'it may not be written' }[why]
    throw refused(`${path} could not be written: ${told ?? why}`)
  }
}

/** @returns a path beside a recording: `buy.replay.jsonl.gz` and `min` give `buy.min.replay.jsonl` */
export function beside(path: string, word: string): string {
  return `${path
    .replace(/\.gz$/, '')
    .replace(/\.jsonl$/, '')
    .replace(/\.replay$/, '')}.${word}.replay.jsonl`
}
