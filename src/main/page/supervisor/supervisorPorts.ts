import type { Core, CoreConfig, PagePort } from '../../../events/wire.ts'
import type { Store } from '../../../ui/store.ts'
import type { EarlyFact } from './lane.ts'
import type { createRemote } from './remote.ts'

/** The part of a worker that a supervisor needs. */
export type CoreWorker = Parameters<typeof createRemote>[0] & Pick<Worker, 'onerror' | 'onmessageerror'>

export type SupervisorPorts = {
  store: Store
  early?: readonly EarlyFact[]
  config: CoreConfig
  makeWorker(): CoreWorker
  /**
   * Compares the worker's files with those that were published, before each start; absent: nothing to compare with.
   * It fails with a Fault: `bad_response` when others came, `reload_needed` when they are gone, else it is worth another try.
   */
  checkScript?(): Promise<unknown>
  now(): number
  /** Carries out page effects, and what it holds of them. */
  wallets: {
    perform: PagePort['perform'] extends (effect: infer E) => unknown ? (effect: E) => void : never
    asking(): string[]
    answered(): string[]
    redeliver(): void
    setDeliver(deliver: (effectId: string, answer: Parameters<Core['answer']>[1]) => Promise<void>): void
  }
}
