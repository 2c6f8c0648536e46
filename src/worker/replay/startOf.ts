/** Runs of this product with some inputs dropped, changed or added. */
import { emptyCoreModel } from '../../events/emptyModel.ts'
import { encode } from '../../events/log/codec.ts'
import type { Recorded } from '../../runtime/recording/recording.ts'
import { type Start, startAt } from '../../runtime/replay/rerun.ts'
import type { Decider, ProductTypes } from '../core/context.ts'
import { createCore } from '../core/core.ts'
import { restoreCore } from './restoreCore.ts'

/** @returns the start of the records: their checkpoint, or an empty core */
export function startOf(records: readonly Recorded[], deciders: readonly Decider[]): Start<ProductTypes> {
  return startAt(records, {
    fresh: () => createCore(deciders, emptyCoreModel()),
    restore: block => restoreCore(block, deciders),
    encode,
    // Message ids derive from the time; keys are random
    outsideIds: /^(?:\d{13,20}|[0-9a-f]{16})$/,
  })
}
