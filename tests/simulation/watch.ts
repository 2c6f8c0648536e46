/** Observation of a simulated world: the deaths of its workers, each step of its core, its effects on their way. */
import type { CoreModel } from '../../src/events/app.ts'
import type { EffectType } from '../../src/events/effect.ts'
import type { Effect, FactRecord, InputRecord } from '../../src/runtime/log/record.ts'
import type { OnDisk } from './runtime/disk.ts'

/**
 * Death of the worker at an input. `done`: every effect was released; `stored`: on disk, but effects that wait for the disk
 * were not released; `unstored`: not on disk; `inStep`: not on disk, and its page assumes it ended in the step; `deadly`: the
 * same for every worker that steps this input. Cause `start`: the page dies with it.
 */
export type Death = { how: 'done' | 'stored' | 'unstored' | 'inStep' | 'deadly'; cause: 'lost' | 'start' }

export type Stepped = {
  input: InputRecord
  facts: FactRecord[]
  effects: Effect<EffectType>[]
  model: CoreModel
  /** the core's transient memory */
  memory(): Record<string, unknown>
}

/** Pending waits of a life. */
export type Waits = {
  isTimed(timerId: string): boolean
  /** types of unanswered effects */
  underWay: ReadonlySet<string>
  /** messages waiting for an attestation, and those done with it, by call id */
  attested: Readonly<Record<string, 'asked' | 'done'>>
  /** whether a page is visible */
  isSeen: boolean
  at: number
}

/** Observes everything and reports violations; the world continues until its owner stops it. */
export type Watch = {
  /** @param n the last input on disk */
  begins(facts: readonly FactRecord[], life: number, n: number): void
  stepped(step: Stepped): void
  /** Called when the immediate effects of a step have been dispatched. */
  rested?(model: CoreModel, waits: Waits): void
  carried(effect: { id: string; type: EffectType; data: never }, onDisk: OnDisk): void
  prompted(order: string): void
  acknowledged(n: number): void
  wrong(what: string): void
}
