/** The page's worker as a core. Every call has its deadline of the table, and fails when the worker is given up. */
import { type Endpoint, expose, proxy, type TransferHandler, transferHandlers } from 'comlink'
import { callsOver } from '../calls/callsOver.ts'
import { onlyNamed, passNamedCalls } from '../calls/namedCalls.ts'
import { Fault } from '../failure.ts'
import type { AnyCore, AnyPort, CallTable } from '../wire.ts'

/** Proxies of the page: the worker gets a port that lets through nothing but calls of the page's own functions. */
const plain = transferHandlers.get('proxy') as TransferHandler<AnyPort, MessagePort>
transferHandlers.set('proxy', {
  ...plain,
  serialize(page: AnyPort) {
    const { port1, port2 } = new MessageChannel()
    const names = Object.keys(page) as (keyof AnyPort)[]
    passNamedCalls(port1, names, { mayRelease: true })
    expose(onlyNamed(page, names), port1)
    return [port2, [port2]]
  },
} satisfies TransferHandler<AnyPort, MessagePort>)

export type RemoteCore = {
  core: AnyCore
  /** Whether the worker has sent a message; from then on it must answer pings. */
  heard(): boolean
  /** Number of the input whose step the worker announced last and has not ended; 0 for none. */
  inStep(): number
  /** Terminates the worker and rejects pending calls with `core_lost`. */
  lose(reason: string): void
}

/** Wraps a worker that answers the calls of a table. */
export function createRemote(table: CallTable, worker: Endpoint & Pick<Worker, 'terminate'>): RemoteCore {
  const names = Object.keys(table) as (keyof AnyCore)[]
  const { calls, lose } = callsOver<AnyCore>(worker, names, name => table[name]?.ms)
  let heard = false
  let step = 0
  // The inbox posts bare numbers: the input's at the start of its step, 0 at the end
  worker.addEventListener('message', event => {
    heard = true
    const { data } = event as MessageEvent<unknown>
    if (typeof data === 'number') step = data
  })

  return {
    core: { ...calls, attach: (hello, page) => calls.attach(hello, proxy(page)) },
    heard: () => heard,
    inStep: () => step,
    lose(reason) {
      lose(new Fault('core_lost', `the worker is gone: ${reason}`))
      worker.terminate()
    },
  }
}
