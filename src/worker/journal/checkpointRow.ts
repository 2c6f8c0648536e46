/** A checkpoint as it lies on disk. */
import type { Kept } from './journal.ts'
import { linkOf } from './segments.ts'

/** @returns what its `sum` must be: sha256 over its seam and its lines */
export async function sumOf({ life, n, seq, segment, link, bytes }: Omit<Kept, 'sum'>): Promise<string> {
  return linkOf({ before: `${life} ${n} ${seq} ${segment} ${link}\n`, bytes })
}

/** @returns its lines; undefined when it is damaged */
export async function readKept(kept: Kept): Promise<string[] | undefined> {
  return (await sumOf(kept)) === kept.sum ? new TextDecoder().decode(kept.bytes).split('\n') : undefined
}
