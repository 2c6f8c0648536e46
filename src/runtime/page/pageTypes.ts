/** A page's parts, as far as the supervisor knows them. */
import type { Endpoint } from 'comlink'
import type { FactRecord } from '../log/record.ts'
import type { AttachedTo, Standing } from '../wire.ts'

export type AnyPageFact = { type: string; data: Record<string, any> }

/** Why this page has no core, in English words for developers. */
export type BlockedWords = {
  /** the automatic starts have ended */
  gaveUp: string
  /** the browser runs no such worker */
  forbidden: string
  /** a file of the worker was altered */
  altered: string
}

/** Page facts that every product has: this page and its core. */
export type OwnPageFact =
  /** `why` the page shares no core */
  | { type: 'tab.elsewhere'; data: { why: Exclude<Standing, 'joined'> } }
  /** A tab with another build was opened beside this one, or closed. */
  | { type: 'tab.otherBuild'; data: { open: boolean } }
  | { type: 'tab.attached'; data: { life: number } }
  /** The core died or froze; another one is being started. */
  | { type: 'tab.coreLost'; data: { reason: string } }
  /** This page has no core; `why` by name, `message` in English words; `reload` when a reload may help. */
  | { type: 'tab.blocked'; data: { message: string; reload?: boolean; why: keyof BlockedWords } }
  /** Part of this page is gone from the server; only a reload helps. */
  | { type: 'tab.outdated'; data: Record<never, never> }

/** The page's model: a fold of core facts and page facts. */
export type PageStore<Fact> = {
  /** Queues core facts, in order. @param atOnce fold now: a program waits for them, not only the next paint */
  take(facts: FactRecord[], atOnce?: boolean): void
  /** Folds a page fact before returning. */
  dispatch(fact: Fact & { at: number }): void
  /** Replaces the core's model by the current one. */
  attach(attached: AttachedTo<any>): void
  /** The last core `seq` folded here. */
  folded(): number
  /** Folds the queue now. */
  flush(): void
}

/** The part of a worker that a supervisor needs. */
export type CoreWorker = Endpoint & Pick<Worker, 'terminate' | 'onerror' | 'onmessageerror'>

/** How workers are made. */
export type WorkerSource = {
  makeWorker(): CoreWorker
  /**
   * Compares the worker's files with their published hashes, before each start; absent without hashes.
   * @throws Fault `bad_response` for altered files, `reload_needed` for missing ones; after any other the start is retried
   */
  checkScript?(): Promise<unknown>
}
