/** What can be asked of a worker in which no core is begun: where each one ends at its beginning, the log is still there. */
import type { Core, CoreConfig, PageHello } from '../../../events/wire.ts'
import { createRemote } from './remote.ts'
import type { CoreWorker } from './supervisorPorts.ts'

type Beginning = { makeWorker(): CoreWorker; checkScript?(): Promise<unknown>; config: CoreConfig; hello: PageHello }

/** Runs a call in a worker of its own, which ends with it. @throws Fault `core_lost` when it ended before */
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
    lose('it was asked all it was for')
  }
}
