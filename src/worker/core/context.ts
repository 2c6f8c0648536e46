/** Context of this product's deciders. */
import type { CoreModel, CoreSideFact } from '../../events/app.ts'
import type { commandDefinitions } from '../../events/command.ts'
import type { EffectData } from '../../events/effect.ts'
import type { inputDefinitions } from '../../events/input.ts'
import type { TimerFamily } from '../../events/values/reference.ts'
import type { DataOf } from '../../runtime/schema/registry.ts'
import type { CoreContext, DeciderOf } from '../../runtime/core/coreTypes.ts'
import type { Transient } from './transient.ts'

type Inputs = typeof commandDefinitions & typeof inputDefinitions
export type InputType = keyof Inputs
export type InputData<T extends InputType> = DataOf<Inputs[T]['fields']>
export type BootData = InputData<'core.boot'>

export type ProductTypes = {
  model: CoreModel
  transient: Transient
  boot: BootData
  inputs: { [T in InputType]: InputData<T> }
  facts: { [T in CoreSideFact['type']]: Extract<CoreSideFact, { type: T }>['data'] }
  effects: EffectData
  timers: TimerFamily
}

export type Ctx = CoreContext<ProductTypes>
export type Decider = DeciderOf<ProductTypes>
