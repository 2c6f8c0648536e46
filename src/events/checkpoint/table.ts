/** A table of a snapshot. */
import type { CoreModel } from '../app.ts'
import { type DataOf, type Definition, type Fields, type Lift, lifted } from '../schema/registry.ts'

/** The part of a model that a table holds. `put` makes a row's data part of the model, with no decision and no eviction. */
type Part<F extends Fields> = {
  rows(model: CoreModel): Iterable<DataOf<F>>
  put(model: CoreModel, data: DataOf<F>): void
}
export type Table<F extends Fields = any> = Definition<F> & Part<F>

/** @param lifts of earlier versions, the oldest first */
/*#__NO_SIDE_EFFECTS__*/
export function table<const F extends Fields>(fields: F, part: Part<F>, ...lifts: readonly Lift[]): Table<F> {
  return { ...lifted(fields, ...lifts), ...part }
}

/** Fields were added that may be absent, or values allowed. */
export const asBefore: Lift = data => data
