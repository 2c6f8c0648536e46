/** A checkpoint's row on disk. */
import { hashOfLines } from '../log/createSnapshots.ts'
import type { Groups } from './groups.ts'
import type { StoredCheckpoint } from './journal.ts'
import type { LogMeans } from './known.ts'
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
export async function readStoredCheckpoint(kept: StoredCheckpoint): Promise<string[] | undefined> {
  return (await checksumOf(kept)) === kept.sum ? new TextDecoder().decode(kept.bytes).split('\n') : undefined
}

/**
 * Verifies the checkpoint with which lines begin: its hash is that of its rows, and the model that a checkpoint of this build
 * folds to has these very rows. Another build may write more or less of the same model.
 */
export function isVerified<M>(
  { checkpoint, rows, lines }: Groups,
  { build, snapshots: { snapshot, modelOf, lineOf } }: Pick<LogMeans<M>, 'build' | 'snapshots'>,
): boolean {
  if (!checkpoint) return true
  const written = lines.slice(1, 1 + checkpoint.rows)
  if (written.length !== rows.length || hashOfLines(written) !== checkpoint.state) return false
  if (checkpoint.build !== build) return true
  const again = snapshot(modelOf(rows))
  return again.length === rows.length && again.every((row, index) => lineOf(row) === written[index])
}
