import type { Decider } from '../core/context.ts'
import type { CoreMachine } from '../core/core.ts'
import { replays } from './replays.ts'
import type { Block } from '../../runtime/replay/restoreMachine.ts'

/**
 * Restores a core of this product.
 *
 * @throws Fault `bad_input` when the checkpoint was edited, or its transient memory is invalid
 */
export function restoreCore(block: Block, deciders: readonly Decider[]): CoreMachine {
  return replays.restoreCore(block, deciders)
}
