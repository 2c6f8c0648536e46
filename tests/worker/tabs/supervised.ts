/** A page with the product's supervisor and shells; tests can kill its workers at any moment. */
import { expose } from 'comlink'
import { vi } from 'vitest'
import type { Model } from '../../../src/events/app.ts'
import type { Command } from '../../../src/events/command.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { createSupervisor, type Supervisor } from '../../../src/main/page/supervisor/supervisor.ts'
import type { CoreWorker } from '../../../src/runtime/page/pageTypes.ts'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'
import { deviceClock } from '../../../src/runtime/host/timer.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { createShell } from '../../../src/worker/tabs/shell.ts'
import { soon } from '../../soon.ts'
import { live } from './world.ts'

export type SupervisedPage = {
  supervisor: Supervisor
  model(): Model
  /** Number of workers so far. */
  workers(): number
  command(command: Command): Promise<void>
  until<T>(what: string, find: (model: Model) => T | undefined | false | null): Promise<T>
  /** Calls reach the worker no more. */
  deafen(): void
  /** Acknowledgements reach the page no more. */
  loseAcknowledgements(): void
  /** Ends the worker at once; the page notices. */
  crash(): void
  close(): Promise<void>
}

type Sent = { id?: unknown; path?: unknown[] }

export async function openSupervised({ config, locks }: { config: CoreConfig; locks: Locks }): Promise<SupervisedPage> {
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
  vi.stubGlobal('window', { addEventListener: () => undefined })
  vi.stubGlobal('navigator', { language: 'en', onLine: true })
  const store = createStore({ request: task => void setTimeout(task), hidden: () => false }, foldBatch)
  let made = 0
  let isClosed = false
  let isDeaf = false
  let isMuted = false
  let worker: CoreWorker | undefined

  function makeWorker(): CoreWorker {
    if (isClosed) throw new Error('the page is closed')
    made += 1
    isDeaf = false
    isMuted = false
    const { port1, port2 } = new MessageChannel()
    let alive = true
    const commands = new Set<unknown>()
    const life = live(async () => {
      expose(createShell({ locks, clock: deviceClock(), die: () => undefined }), port2)
    }, 'shared')
    const isHeard = ({ data }: MessageEvent<Sent>) => alive && !(isMuted && commands.has(data.id))
    worker = {
      onerror: null,
      onmessageerror: null,
      addEventListener: (type: 'message', listener: (event: MessageEvent) => void) =>
        port1.addEventListener(type, event => isHeard(event) && listener(event)),
      removeEventListener: () => undefined,
      postMessage(message: Sent, transfer: Transferable[]) {
        if (message.path?.[0] === 'command') commands.add(message.id)
        if (alive && !isDeaf) port1.postMessage(message, transfer)
      },
      start: () => port1.start(),
      terminate() {
        alive = false
        port2.close()
        void life.then(({ kill }) => kill())
      },
    } as unknown as CoreWorker
    return worker
  }

  const supervisor = createSupervisor({
    store,
    config,
    makeWorker,
    now: () => Date.now(),
    wallets: {
      perform: () => undefined,
      asking: () => [],
      answered: () => [],
      redeliver: () => undefined,
      setDeliver: () => undefined,
    },
  })

  function crash(): void {
    const { onerror } = worker as unknown as { onerror(event: object): void }
    onerror({ message: 'killed', preventDefault: () => undefined })
  }

  // The page's own timers end with it
  const { kill } = await live(async () => supervisor.start(), 'shared')
  return {
    supervisor,
    model: store.model,
    workers: () => made,
    command: command => supervisor.give(command).taken,
    until: (what, find) =>
      soon(() => {
        const found = find(store.model())
        if (!found) throw new Error(`${what} did not come`)
        return found
      }),
    deafen() {
      isDeaf = true
    },
    loseAcknowledgements() {
      isMuted = true
    },
    crash,
    async close() {
      isClosed = true
      worker?.terminate()
      await kill()
    },
  }
}
