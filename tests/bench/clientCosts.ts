/**
 * Measures costs of our WalletConnect client and of the official one without a wallet; prints one figure as JSON. Each figure
 * has its own process, so that none warms, fills or slows another. Bundled and run by `walletConnect.ts`.
 *
 *   node clientCosts.mjs WHAT RELAY
 */
import 'fake-indexeddb/auto'
import { randomBytes } from 'node:crypto'
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { decrypt, encrypt } from '@walletconnect/utils'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode, versionOf } from '../../src/events/log/codec.ts'
import { foldBatch } from '../../src/ui/foldBatch.ts'
import { createStore } from '../../src/ui/store.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { createTimerDriver } from '../../src/runtime/host/timer.ts'
import { openRecord } from '../../src/worker/journal/openLog.ts'
import { fromHex } from '../../src/worker/walletconnect/crypto/encoding.ts'
import { openEnvelope, sealEnvelope } from '../../src/worker/walletconnect/crypto/envelope.ts'
import { memoryStorage } from '../stack/wallet/memoryStorage.ts'
import { bootData } from '../worker/world.ts'
import { officialSession, settledSessions } from './manySessions.ts'
import { median } from './verdict.ts'

const kilobyte = JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'm', params: 'x'.repeat(960) })
const symKey = randomBytes(32).toString('hex')
const samples = 15
const cryptoWarmMs = 1500
const begunAt = Date.now()
const features = ['signTransaction', 'signAndSendTransaction', 'signMessage']

/**
 * Measures CPU time, so that other load on the machine matters little.
 *
 * @returns µs of one run: the median of samples of this many runs, once warm
 */
function timed(run: () => unknown, runs: number, warmMs = 0): number {
  const sample = () => {
    const before = process.cpuUsage()
    for (let count = 0; count < runs; count++) run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / runs
  }
  // Compiler threads run until everything is compiled; their time counts too
  const begun = performance.now()
  for (let warming = 0; warming < 5 || performance.now() - begun < warmMs; warming++) sample()
  return median(Array.from({ length: samples }, sample))
}

/** Answers of drivers by effect: the input's type and data. */
const driverAnswers: { [type: string]: (effect: { callId: string }) => [string, Record<string, unknown>] } = {
  'relay.open': () => ['relay.opened', {}],
  'relay.subscribe': ({ callId }) => ['relay.taken', { callId }],
  'vault.seal': ({ callId }) => ['vault.sealed', { callId, messageRef: `ref ${callId}` }],
  'relay.publish': ({ callId }) => ['relay.taken', { callId }],
}

async function officialClient(relayUrl: string) {
  const storage = memoryStorage()
  const core = new Core({ projectId: '0'.repeat(32), relayUrl, storage, logger: 'silent', telemetryEnabled: false })
  const metadata = { name: 'MAI', description: '', url: 'http://127.0.0.1', icons: [] }
  return SignClient.init({ core: core as never, metadata, logger: 'silent' })
}

const figures: { [what: string]: (relayUrl: string) => Promise<number> } = {
  sealOurs: async () =>
    timed(
      () => sealEnvelope({ text: kilobyte, symKey: fromHex(symKey), iv: crypto.getRandomValues(new Uint8Array(12)) }),
      500,
      cryptoWarmMs,
    ),
  sealOfficial: async () => timed(() => encrypt({ message: kilobyte, symKey }), 500, cryptoWarmMs),
  openOurs: async () => {
    const envelope = sealEnvelope({ text: kilobyte, symKey: fromHex(symKey), iv: randomBytes(12) })
    return timed(() => openEnvelope(envelope, { symKey: fromHex(symKey) }), 500, cryptoWarmMs)
  },
  openOfficial: async () => {
    const encoded = encrypt({ message: kilobyte, symKey })
    return timed(() => decrypt({ encoded, symKey }), 500, cryptoWarmMs)
  },

  // The official client checks every record at each heartbeat; ours is woken when one is due
  sweepOurs: async () => {
    let wake: () => void = () => undefined
    let now = 1_800_000_000_000
    const timers = createTimerDriver({
      now: () => now,
      passed: () => now,
      after: (_ms, run) => {
        wake = run
        return () => undefined
      },
    })
    const set = timers.drivers['timer.set']
    if (!set) throw new Error('the timers expected a driver')
    for (let index = 0; index < 1000; index++)
      await set({ id: 'e', data: { timerId: `session:${index}`, at: now + 604_800_000 } }, () => undefined)
    let fired = 0
    const cost = timed(() => {
      void set({ id: 'e', data: { timerId: 'sale:poll', at: now + 1000 } }, () => void (fired += 1))
      now += 1000
      wake()
    }, 100)
    if (fired === 0) throw new Error('the one timer that was due expected to fire, it did not')
    return cost
  },
  sweepOfficial: async relayUrl => {
    const { core } = await officialClient(relayUrl)
    // It checks them only while connected
    await core.relayer.subscribe('ab'.repeat(32))
    if (!core.relayer.connected) throw new Error('the official client expected to be connected, it is not')
    const expirer = core.expirer as unknown as {
      expirations: Map<string, { target: string; expiry: number }>
      checkExpirations(): void
    }
    const expiry = Math.floor(Date.now() / 1000) + 604_800
    for (let index = 0; index < 1000; index++) {
      const target = `topic:${index.toString(16).padStart(64, '0')}`
      expirer.expirations.set(target, { target, expiry })
    }
    return timed(() => expirer.checkExpirations(), 5)
  },

  // Like a wallet's updates: each is stepped, answered, logged and displayed; the last write is awaited
  changeOurs: async () => {
    const model = emptyCoreModel()
    const core = createCore(deciders, model)
    let seq = 0
    const say = (type: string, data: Record<string, unknown>) =>
      core.recall({ k: 'f', seq: ++seq, n: 1, at: begunAt, type, v: versionOf('f', type), data })
    const topics: string[] = []
    for (const { accounts, ...settled } of settledSessions(1000)) {
      const { sessionTopic } = settled
      topics.push(sessionTopic)
      say('session.settled', settled)
      const wallet = { walletId: 'walletConnect', name: 'WalletConnect' }
      const [connectionId, attemptId] = [`connection-1.${seq}`, `attempt-1.${seq}`]
      const made = { connectionId, attemptId, connector: 'walletConnect', wallet, accounts, features, sessionTopic }
      say('connection.made', made)
    }
    const store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
    let n = 1
    const step = (type: string, data: Record<string, unknown>, to?: string) => {
      n += 1
      return core.step({ k: 'i', n, at: begunAt + n, ...(to && { to }), type, v: versionOf('i', type), data })
    }
    /** Answers as drivers would: what is sealed is published, and the relay takes it. @returns the facts of all steps */
    const carriedOut = ({ facts, effects }: ReturnType<typeof step>): typeof facts =>
      effects.reduce((all, { type, id, data }) => {
        const answer = driverAnswers[type]?.(data as { callId: string })
        return answer ? [...all, ...carriedOut(step(...answer, id))] : all
      }, facts)
    carriedOut(step('core.boot', bootData(1)))
    store.attach({ life: 1, seq: core.seq, model: structuredClone(model) })
    const fail = () => {
      throw new Error('the log expected to be written, it was not')
    }
    const { journal } = await openRecord('bench', { failed: fail, taken: fail, shrunk: fail })
    const change = () => {
      const payload = { kind: 'extend', id: String(begunAt * 1000 + n) }
      const data = {
        pushId: `p${n}`,
        topic: topics[n % topics.length],
        hash: `h${n}`,
        publishedAt: 0,
        tag: 1108,
        payload,
      }
      const facts = carriedOut(step('relay.message', data))
      journal.append(facts.map(encode), { life: 1, n, seq: core.seq })
      store.take(facts)
    }
    for (let warming = 0; warming < 1000; warming++) change()
    await journal.flush('relaxed')
    const before = performance.now()
    for (let count = 0; count < 2000; count++) change()
    await journal.flush('relaxed')
    return ((performance.now() - before) * 1000) / 2000
  },
  changeOfficial: async relayUrl => {
    const client = await officialClient(relayUrl)
    const topics: string[] = []
    const all = [...settledSessions(1000)].map(settled => {
      topics.push(settled.sessionTopic)
      return [settled.sessionTopic, officialSession(settled)] as const
    })
    // Put in as it does itself, but for writing them all down a thousand times
    const { map } = client.session as unknown as { map: Map<string, unknown> }
    for (const [topic, session] of all) map.set(topic, session)
    const costs: number[] = []
    for (let count = 0; count < 10; count++) {
      const before = performance.now()
      await client.session.update(topics[count * 7] ?? '', { expiry: Math.floor(Date.now() / 1000) + 604_800 })
      costs.push((performance.now() - before) * 1000)
    }
    return median(costs)
  },
}

async function main(): Promise<void> {
  const [, , what = '', relayUrl = ''] = process.argv
  const figure = figures[what]
  if (!figure) throw new Error(`a figure expected one of ${Object.keys(figures).join(', ')}, got ${what}`)
  console.log(JSON.stringify(await figure(relayUrl)))
  process.exit(0)
}

if (process.argv[1]?.endsWith('clientCosts.mjs')) void main()
