/**
 * The page's workers, each from files of this build that were verified before. The package for bundlers has this module in its
 * own form, `src/main/package/workers.ts`.
 */
import workerUrl from '../../worker/worker.ts?worker&url'
import { checkedWorker } from './integrity/checkedWorker.ts'
import { trustedScriptURL } from './integrity/trusted.ts'
import redactorUrl from './redaction/redactor.ts?worker&url'

/** How a page comes by its workers. */
export type Workers = {
  /** Verifies the core's files; called before {@link Workers.core}. */
  checkCore(): Promise<unknown>
  core(): Worker
  /** @throws Fault when its file is missing or altered */
  redactor(): Promise<Worker>
}

export const workers: Workers = {
  checkCore: () => checkedWorker(workerUrl),
  core: () => new Worker(trustedScriptURL(workerUrl), { type: 'module', name: `mai-core${wishes()}` }),
  redactor: async () => new Worker(await checkedWorker(redactorUrl), { type: 'module', name: 'mai-redactor' }),
}

/** Switches of a journey for the worker's clock and storage; only the journeys' build reads them. */
function wishes(): string {
  return import.meta.env.VITE_DOOR === 'open' ? `?${sessionStorage.getItem('door') ?? ''}` : ''
}
