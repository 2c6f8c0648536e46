/**
 * Our client without the log, which is on disk: memory of its core, its drivers and its open keys.
 *
 *   node oursAlone.mjs CONFIG
 */
import { WebSocket } from 'ws'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { createCore } from '../../../src/worker/core/core.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { createDispatcher } from '../../../src/worker/host/dispatcher.ts'
import { memoryKeys } from '../../../src/worker/drivers/walletconnect/keys.ts'
import { memoryBytes } from '../../../src/worker/drivers/bytes.ts'
import { deviceClock } from '../../../src/runtime/host/timer.ts'
import { createDrivers } from '../../../src/worker/host/driverTable.ts'
import type { Draft } from '../../../src/runtime/core/draft.ts'
import { createInbox } from '../../../src/worker/host/inbox.ts'
import { memoryJournal } from '../../../src/runtime/journal/memoryJournal.ts'
import { bootData } from '../../worker/world.ts'
import { liveAs } from './life.ts'

Object.assign(globalThis, { WebSocket })
if (!('navigator' in globalThis)) Object.assign(globalThis, { navigator: { onLine: true } })

const [, , given = ''] = process.argv
const config = JSON.parse(given) as CoreConfig
const heard = new Set<() => void>()

const core = createCore(deciders, emptyCoreModel())
const kept = memoryJournal()
const journal = {
  ...kept,
  append: (_lines: readonly string[], head: ReturnType<typeof kept.head>) => kept.append([], head),
}
const sealed = memoryKeys()
const keys = {
  ...sealed,
  // A topic's sealed key is on disk; the vault opens it while the topic is used
  put: (name: string, value: unknown) => (name.startsWith('topic:') ? undefined : sealed.put(name, value)),
}
const take = (draft: Draft) => inbox.take(draft)
const drivers = createDrivers({
  life: 1,
  offered: [],
  config,
  keys,
  bytes: memoryBytes(),
  clock: deviceClock(),
  emit: take,
  relocate: async () => undefined,
  askedByPage: () => undefined,
  isSubscribed: () => true,
})
const dispatch = createDispatcher({
  drivers: drivers.table,
  page: async () => undefined,
  journal,
  movesMoney: () => false,
  answer: take,
})
const inbox = createInbox({
  core,
  journal,
  life: 1,
  now: Date.now,
  stepped({ effects }) {
    dispatch(effects.filter(({ type }) => !type.startsWith('chain.')))
    for (const hear of heard) hear()
  },
  broke: cause => {
    throw cause
  },
})
const relays = config.relayUrls
take({ type: 'core.boot', data: bootData(1, { relays, relayUrl: relays[0] ?? '', projectId: config.projectId }) })
take({ type: 'page.attached', data: { visible: true, asking: [], answered: [] }, tab: 't' })

function until<T>(find: () => T | undefined | null): Promise<T> {
  return new Promise(resolve => {
    const check = () => {
      const found = find()
      if (!found) return
      heard.delete(check)
      resolve(found)
    }
    heard.add(check)
    check()
  })
}

let presses = 0
liveAs({
  async pair() {
    const before = new Set(Object.keys(core.model.session))
    const wallet = { walletId: 'walletConnect', name: 'WalletConnect' }
    take({ type: 'connection.connectWalletConnect', data: { wallet }, tab: 't', ref: `t.c${++presses}` })
    const topic = await until(() => core.model.pairing.shown)
    const uri = (await drivers.walletConnect.pairingUri(topic)) ?? ''
    const settled = until(() => Object.keys(core.model.session).find(sessionTopic => !before.has(sessionTopic)))
    return { uri, settled }
  },
  sessions: () => Object.keys(core.model.session).length,
})
