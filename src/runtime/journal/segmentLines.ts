/** Segments read back. */
import { shortHash } from '../log/shortHash.ts'
import type { Segment } from './segments.ts'

/** 8 hex digits and a blank before each line. */
const checkLength = 9

/** @returns the lines of a segment whose link is right */
export function linesOf({ bytes }: Pick<Segment, 'bytes'>): string[] {
  const lines = new TextDecoder().decode(bytes).split('\n')
  lines.length -= 1
  return lines.map(line => line.slice(checkLength))
}

/** @returns the lines up to the first whose check is wrong, and whether there is none */
export function soundLines({ bytes }: Pick<Segment, 'bytes'>): { lines: string[]; whole: boolean } {
  const written = new TextDecoder().decode(bytes).split('\n')
  const end = written.pop()
  const wrong = written.findIndex(line => line !== `${shortHash(line.slice(checkLength))} ${line.slice(checkLength)}`)
  const sound = wrong < 0 ? written : written.slice(0, wrong)
  return { lines: sound.map(line => line.slice(checkLength)), whole: wrong < 0 && end === '' }
}
