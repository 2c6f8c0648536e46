/** Calls on a worker without a core: when every core dies at its start, the log can still be read and erased. */
import type { AnyCore, CallTable, WireTypes } from '../wire.ts'
import type { WorkerSource } from './pageTypes.ts'
import { createRemote } from './remote.ts'

type Beginning<W extends WireTypes> = WorkerSource & { calls: CallTable; config: W['config']; hello: W['hello'] }

/** Runs one call in a worker of its own, then terminates it. @throws Fault `core_lost` when the worker ended first */
export async function withoutCore<W extends WireTypes, T>(
  { calls, makeWorker, checkScript, config, hello }: Beginning<W>,
  run: (core: AnyCore) => Promise<T>,
): Promise<T> {
  await checkScript?.()
  const worker = makeWorker()
  const { core, lose } = createRemote(calls, worker)
  worker.onerror = event => {
    event.preventDefault()
    lose('it ended in an error')
  }
  try {
    await core.begin(config, hello, 'none')
    return await run(core)
  } finally {
    lose('its one call is done')
  }
}
