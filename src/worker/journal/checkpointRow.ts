/** A checkpoint's row on disk. */
import type { StoredCheckpoint } from './journal.ts'
import { linkOf } from './segments.ts'

/** @returns its `sum`: sha256 over its seam and its lines */
export async function checksumOf({
  life,
  n,
  seq,
  segment,
  link,
  bytes,
}: Omit<StoredCheckpoint, 'sum'>): Promise<string> {
  return linkOf({ before: `${life} ${n} ${seq} ${segment} ${link}\n`, bytes })
}

/** @returns its lines; undefined when they are damaged */
export async function readCheckpoint(kept: StoredCheckpoint): Promise<string[] | undefined> {
  return (await checksumOf(kept)) === kept.sum ? new TextDecoder().decode(kept.bytes).split('\n') : undefined
}
