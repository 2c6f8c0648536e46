/** Calls on a worker without a core: when every core dies at its start, the log can still be read and erased. */
import type { Core, CoreConfig, PageHello } from '../../../events/wire.ts'
import { createRemote } from './remote.ts'
import type { CoreWorker } from './supervisorPorts.ts'

type Beginning = { makeWorker(): CoreWorker; checkScript?(): Promise<unknown>; config: CoreConfig; hello: PageHello }

/** Runs one call in a worker of its own, then terminates it. @throws Fault `core_lost` when the worker ended first */
export async function withoutCore<T>(
  { makeWorker, checkScript, config, hello }: Beginning,
  run: (core: Core) => Promise<T>,
): Promise<T> {
  await checkScript?.()
  const worker = makeWorker()
  const { core, lose } = createRemote(worker)
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
