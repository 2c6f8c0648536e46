import type { EffectType } from '../../events/effect.ts'
import type { Effect } from '../../runtime/log/record.ts'
import { runtime } from '../runtime.ts'
import type { DispatchPorts } from '../../runtime/host/dispatcher.ts'

type Ports = Omit<DispatchPorts<EffectType>, 'needsDisk'> & {
  /** Whether an effect that waits for the disk may move money. */
  movesMoney(effect: Effect<EffectType>): boolean
}

/** @returns the function that sets a step's effects in motion */
export function createDispatcher({ movesMoney, ...ports }: Ports): (effects: readonly Effect<EffectType>[]) => void {
  return runtime.dispatcher({ ...ports, needsDisk: movesMoney })
}
