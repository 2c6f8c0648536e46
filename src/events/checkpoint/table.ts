/** A table of this product's snapshots. */
import type { CoreModel } from '../app.ts'
import { type Fields, type Lift, lifted } from '../../runtime/schema/registry.ts'
import type { ModelPart, SnapshotTable } from '../../runtime/log/createSnapshots.ts'

export type Table<F extends Fields = any> = SnapshotTable<CoreModel, F>

/** @param lifts of earlier versions, the oldest first */
/*#__NO_SIDE_EFFECTS__*/
export function table<const F extends Fields>(
  fields: F,
  part: ModelPart<CoreModel, F>,
  ...lifts: readonly Lift[]
): Table<F> {
  return { ...lifted(fields, ...lifts), ...part }
}

/** Fields were added that may be absent, or values allowed. */
export const asBefore: Lift = data => data
