/** What a decider works with: the model before this input, the core's own scratch memory, and ways to speak. */
import type { CoreModel, CoreSideFact } from '../../events/app.ts'
import type { commandDefinitions } from '../../events/command.ts'
import type { EffectData, EffectType } from '../../events/effect.ts'
import type { Failure } from '../../events/failure.ts'
import type { inputDefinitions } from '../../events/input.ts'
import type { InputRecord } from '../../events/log/record.ts'
import type { TimerFamily } from '../../events/values/reference.ts'
import type { DataOf } from '../../events/schema/registry.ts'
import type { EffectCause, Transient } from './transient.ts'

type Inputs = typeof commandDefinitions & typeof inputDefinitions
export type InputType = keyof Inputs
export type InputData<T extends InputType> = DataOf<Inputs[T]['fields']>
export type BootData = InputData<'core.boot'>
type FactData<T extends CoreSideFact['type']> = Extract<CoreSideFact, { type: T }>['data']

export type Ctx = {
  /** As it was before this input: the facts of this step are folded when the step is over. */
  readonly model: CoreModel
  readonly transient: Transient
  /** ms since the Unix epoch, as the inbox stamped it */
  readonly at: number
  readonly input: InputRecord
  readonly boot: BootData
  /** The effect this input answers, when this life asked for it. */
  readonly cause: EffectCause | undefined
  fact<T extends CoreSideFact['type']>(type: T, data: FactData<T>): void
  /**
   * Orders a driver. `after` holds it back until this step is `written`, or `stored` on the disk itself for what money or an
   * acknowledgement hangs on; `about` comes back with the answer, of an effect without one only when it fails.
   * @returns the effect's id
   */
  effect<T extends EffectType>(
    type: T,
    data: EffectData[T],
    options?: { after?: 'stored' | 'written'; tab?: string; about?: string },
  ): string
  /** @returns a whole number from 0 to below − 1, from the seeded generator */
  random(below: number): number
  /** @returns a new id of this kind, unique in this log */
  id(kind: string): string
}

/**
 * One subject's decisions: a handler for each input that concerns it, one for the failure of each effect that it orders
 * (`about` as it was ordered), timers by family, and what to pick up again when a core begins.
 */
export type Decider = { [T in Exclude<InputType, 'effect.failed'>]?: (ctx: Ctx, data: InputData<T>) => void } & {
  failed?: { [T in EffectType]?: (ctx: Ctx, failure: Failure, about: string) => void }
  timers?: { [F in TimerFamily]?: (ctx: Ctx, id: string) => void }
  resume?: (ctx: Ctx) => void
}
