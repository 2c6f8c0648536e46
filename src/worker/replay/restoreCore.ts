import { codec } from '../../events/log/codec.ts'
import { snapshots } from '../../events/checkpoint/snapshot.ts'
import type { Decider, ProductTypes } from '../core/context.ts'
import { type CoreMachine, coreRules } from '../core/core.ts'
import { transientDefinition } from '../core/transientShape.ts'
import { type Block, type ReplayMeans, restoreMachine } from './restoreMachine.ts'

export const replayMeans: ReplayMeans<ProductTypes> = {
  rules: coreRules,
  codec,
  snapshots,
  transient: transientDefinition,
}

/**
 * Restores a core of this product.
 *
 * @throws Fault `bad_input` when the checkpoint was edited, or its transient memory is invalid
 */
export function restoreCore(block: Block, deciders: readonly Decider[]): CoreMachine {
  return restoreMachine(replayMeans, block, deciders)
}
