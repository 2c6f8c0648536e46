/** Records a world without faults except those of the test itself. */
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import type { Death, Watch } from './watch.ts'

/** Kills the worker after its `step`th input. */
export type Kill = Death & { step: number }

/** @returns settings of a world, and its inputs with the model after the last one; throws on a broken invariant */
export function calmly(kills: readonly Kill[]) {
  const kept = { inputs: [] as InputRecord[], model: emptyCoreModel() }
  const watch: Watch = {
    begins: () => undefined,
    stepped(step) {
      kept.inputs.push(step.input)
      kept.model = step.model
    },
    carried: () => undefined,
    prompted: () => undefined,
    acknowledged: () => undefined,
    wrong(what) {
      throw new Error(what)
    },
  }
  const death = (steps: number) => kills.find(kill => kill.step === steps)
  return { kept, setting: { seed: 0, immediate: true, death, watch } }
}
