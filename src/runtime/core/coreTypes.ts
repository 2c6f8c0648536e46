/** Types of a core's parts, and the context of a decider. */
import type { Failure } from '../failure.ts'
import type { Codec } from '../log/createCodec.ts'
import type { FactRecord, InputRecord } from '../log/record.ts'
import type { QuarantineRules } from './createQuarantine.ts'

/** The part of the core's scratch memory that the core itself keeps. */
export type CoreScratch = {
  /** state of the generator */
  random: [number, number, number, number]
  /** effects of this life that are still to be answered, by id */
  asked: Record<string, AskedEffect>
}
/** An effect this life is waiting for, what it was about, and the page it was meant for. */
type AskedEffect = { type: any; about: string; tab?: string }

/** The part of the boot that the core itself reads. `storage` and `obstacle` say where the log is kept, and why not on disk. */
type CoreBoot = {
  life: number
  build: string
  seed: string
  cause: string
  storage: string
  obstacle?: string
}

/** The types of a product: its model, the core's scratch memory, and the data of boot, inputs, facts and effects by type. */
export type CoreTypes = {
  model: any
  transient: CoreScratch
  boot: CoreBoot
  inputs: object
  facts: object
  effects: object
  /** families of timers */
  timers: string
}

export type CoreContext<P extends CoreTypes> = {
  /** As it was before this input: the facts of this step are folded when the step is over. */
  readonly model: P['model']
  readonly transient: P['transient']
  /** ms since the Unix epoch, as the inbox stamped it */
  readonly at: number
  readonly input: InputRecord
  readonly boot: P['boot']
  /** The effect this input answers, when this life asked for it. */
  readonly cause: P['transient']['asked'][string] | undefined
  fact<T extends keyof P['facts'] & string>(type: T, data: P['facts'][T]): void
  /**
   * Orders a driver. `after` holds it back until this step is `written`, or `stored` on the disk itself for what cannot be
   * undone; `about` comes back with the answer, of an effect without one only when it fails.
   * @returns the effect's id
   */
  effect<T extends keyof P['effects'] & string>(
    type: T,
    data: P['effects'][T],
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
export type DeciderOf<P extends CoreTypes> = {
  [T in Exclude<keyof P['inputs'], 'effect.failed'>]?: (ctx: CoreContext<P>, data: P['inputs'][T]) => void
} & {
  failed?: { [T in keyof P['effects']]?: (ctx: CoreContext<P>, failure: Failure, about: string) => void }
  timers?: { [F in P['timers']]?: (ctx: CoreContext<P>, id: string) => void }
  resume?: (ctx: CoreContext<P>) => void
  /** At the end of each step: the facts of it so far, which are not folded yet. */
  stepped?: (ctx: CoreContext<P>, facts: readonly FactRecord[]) => void
}

/** A product's rules for its core. */
export type CoreRules<P extends CoreTypes> = {
  codec: Pick<Codec, 'definitionOf'>
  /** Folds a fact into the model, in mutating style. */
  fold(model: P['model'], fact: FactRecord): void
  /** @returns the scratch memory of a core that begins with this seed */
  freshTransient(seed: string, at: number): P['transient']
  /** Types of effects without an answer: they are not waited for. */
  unanswered: ReadonlySet<string>
  quarantine: Pick<QuarantineRules, 'quarantineDraft' | 'insteadOf'>
}
