import type { Snapshots } from '../log/createSnapshots.ts'
import type { Codec } from '../log/createCodec.ts'
import type { FactRecord } from '../log/record.ts'
import { emptyHead, type Head } from './head.ts'

/** The state at the end of the last life. */
export type KnownLog<M> = {
  head: Head
  /** model at the newest checkpoint, and the build that made it; an empty model without one */
  model: M
  build?: string
  /** the numbers of the checkpoint */
  from: { n: number; seq: number }
  /** every fact since, in order */
  facts: FactRecord[]
  /** the checkpoint's lines and all since */
  lines: readonly string[]
  /** count of damaged records that are cut off */
  lost?: { records: number }
}

/** Means to read a log. */
export type LogMeans<M> = {
  codec: Pick<Codec, 'definitionOf' | 'decodeOwn'>
  snapshots: Snapshots<M>
  /** number of the log's format: a log with a higher one belongs to a newer build and stays as it is */
  format: number
  /** of this core: its own checkpoints are verified down to the model */
  build?: string | undefined
}

/** @returns the state where there is no log, or none that can be read */
export function nothingKnown<M>(model: M): KnownLog<M> {
  return { head: emptyHead, model, from: emptyHead, facts: [], lines: [] }
}
