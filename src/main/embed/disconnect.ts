import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { Fault } from '../../runtime/failure.ts'
import type { Store } from '../../ui/store.ts'
import type { Runtime } from '../page/supervisor/runtime.ts'

const disconnectMs = 10_000

/**
 * Ends the active connection. Resolves when that is on disk too: the host may close the page at once.
 *
 * @throws Fault `timeout` when it is not over after 10 s, `core_lost` when it is unknown whether it will end
 */
export async function disconnect({
  store,
  started,
}: {
  store: Pick<Store, 'model' | 'subscribe'>
  started: Promise<Pick<Runtime, 'give'>>
}): Promise<void> {
  const connectionId = activeConnection(store.model())?.connection.connectionId
  if (connectionId === undefined) return
  const { give } = await started
  const over = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      stop()
      reject(
        new Fault('timeout', `disconnect expected the connection to end within ${disconnectMs / 1000} s, it did not`),
      )
    }, disconnectMs)
    const stop = store.subscribe(() => {
      if (store.model().connection.made[connectionId]) return
      clearTimeout(timer)
      stop()
      resolve()
    })
  })
  await Promise.all([give({ type: 'connection.disconnect', data: { connectionId } }).taken, over])
}
