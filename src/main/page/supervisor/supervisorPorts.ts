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
   * Compares the worker's files with their published hashes, before each start; absent without hashes.
   * @throws Fault `bad_response` for altered files, `reload_needed` for missing ones; after any other the start is retried
   */
  checkScript?(): Promise<unknown>
  now(): number
  /** The driver of page effects, with the answers it holds. */
  wallets: {
    perform: PagePort['perform'] extends (effect: infer E) => unknown ? (effect: E) => void : never
    asking(): string[]
    answered(): string[]
    redeliver(): void
    setDeliver(deliver: (effectId: string, answer: Parameters<Core['answer']>[1]) => Promise<void>): void
  }
}
