/** The core of this product. */
import type { CoreModel } from '../../events/app.ts'
import { foldCoreFact } from '../../events/coreFolds.ts'
import { codec } from '../../events/log/codec.ts'
import type { EffectType } from '../../events/effect.ts'
import { createMachine, type CoreStart, type MachineOf } from '../../runtime/core/coreMachine.ts'
import type { CoreRules } from '../../runtime/core/coreTypes.ts'
import type { Decider, ProductTypes } from './context.ts'
import { quarantine } from './quarantine.ts'
import { freshTransient } from './transient.ts'

export type CoreMachine = MachineOf<ProductTypes>

export const coreRules = {
  codec,
  fold: foldCoreFact,
  freshTransient,
  unanswered: new Set<EffectType>([
    'timer.set',
    'timer.clear',
    'relay.subscribe',
    'relay.fetch',
    'relay.unsubscribe',
    'relay.publish',
    'relay.propose',
    'relay.close',
    'relay.acknowledge',
    'vault.forget',
    'bytes.forget',
    'wallet.disconnect',
    'wallet.watch',
    'core.relocate',
    'node.listen',
    'rpc.settle',
    'http.settle',
  ]),
  quarantine,
} satisfies CoreRules<ProductTypes>

/**
 * Makes a core over a model.
 *
 * @param deciders in the order in which they hear an input
 * @param model the model to go on from; it is written into
 */
export function createCore(
  deciders: readonly Decider[],
  model: CoreModel,
  from?: CoreStart<ProductTypes>,
): CoreMachine {
  return createMachine(coreRules, deciders, model, from)
}
