/** The worker's drivers in a simulated world: each effect goes to its part of the outside, whose answer arrives later. */
import type { EffectData, EffectType } from '../../src/events/effect.ts'
import type { ListedWallet } from '../../src/events/subjects/service/listingFacts.ts'
import type { Drive } from '../../src/runtime/host/driver.ts'
import type { Answered, Chain } from './chain.ts'
import { servicesAnswer } from './services.ts'
import type { Dice } from './dice.ts'
import { createBooks } from './books.ts'
import { createNodes, type Ended } from './nodes.ts'
import { createNodeSocket } from './nodeSocket.ts'
import type { Queue } from './runtime/queue.ts'
import type { Relay } from './relay.ts'
import { networkOfGenesis } from '../../src/events/values/networks.ts'

type Ports = {
  queue: Queue
  dice: Dice
  chain: Chain
  relay: Relay
  now(): number
  online(): boolean
  relocate(genesisHash: string): void
  switchNetwork(data: EffectData['core.switchNetwork'], answer: (input: Answered) => void): void
  /** The chain of a network that the person chose; undefined at home. */
  chosen(): string | undefined
  /** Takes an input that no effect ordered. */
  take(input: Answered): void
  wrong(what: string): void
  life: number
  /** whether readings pass through the core's transport */
  passesTransport: boolean
  /** how many endpoints may be listened to */
  nodeSockets: number
  /** Called when an effect begins. */
  began(effect: { id: string; type: EffectType; data: never }): void
}

/** A promise without use: the world's drivers always answer through the queue. */
const begun = { catch: () => undefined } as unknown as Promise<void>
const directorySize = 95

/** Effects that only the WalletConnect client carries out. */
const ofClient = /^(?:relay\.(?!close)|vault\.(?!forget))/
/** How long a try to load the client takes that finds nothing, ms. */
const missMs = 100

const offline: Answered = { type: 'effect.failed', data: { failure: { code: 'offline', message: 'no network' } } }

export function createDrivers({
  queue,
  dice,
  chain,
  relay,
  now,
  online,
  relocate,
  switchNetwork,
  chosen,
  began,
  take,
  wrong,
  life,
  passesTransport,
  nodeSockets,
}: Ports) {
  /** time of each, and its cancel function */
  const timers = new Map<string, { at: number; callOff: () => void }>()

  const nodes = createNodes({ queue, dice, now, online, take, wrong, first: life * 1000 })
  const nodeSocket = createNodeSocket({ queue, dice, chain, online, take, wrong, endpoints: nodeSockets })

  const books = createBooks({ queue, dice, chain, now, online, take })

  let isFetched = false
  /** when the try that finds the client's file missing ends: effects meanwhile wait for the same try */
  let missedUntil = 0

  function hasClient(): boolean {
    if (isFetched || queue.now() < missedUntil) return isFetched
    isFetched = online() && !dice.strikes('client.isGone')
    if (!isFetched) missedUntil = queue.now() + missMs
    return isFetched
  }

  /** Answers an effect after a while; now and then the answer comes twice. */
  function reply(inMs: number, answer: (input: Answered) => void, make: () => Answered | undefined): void {
    queue.after(inMs, 'worker', () => {
      const input = make()
      if (!input) return
      answer(input)
      if (dice.strikes('answer.doubled'))
        queue.after(dice.between('second answer', 0, 5000), 'worker', () => answer(input))
    })
  }

  function carry(type: EffectType, id: string, data: never, answer: (input: Answered) => void): void {
    if (type === 'timer.set' || type === 'timer.clear') {
      const { timerId, at } = data as EffectData['timer.set']
      timers.get(timerId)?.callOff()
      timers.delete(timerId)
      if (type === 'timer.clear') return
      const fire = () => {
        timers.delete(timerId)
        answer({ type: 'timer.fired', data: { timerId } })
      }
      const waitMs = Math.max(0, at - now())
      timers.set(timerId, { at: queue.now() + waitMs, callOff: queue.after(waitMs, 'worker', fire) })
      return
    }
    if (ofClient.test(type) && !hasClient()) {
      const failure = { code: 'reload_needed', message: 'the client expected to be there, it is gone' }
      return reply(missedUntil - queue.now(), answer, () => ({ type: 'effect.failed', data: { failure } }))
    }
    if (type === 'core.switchNetwork') return switchNetwork(data, answer)
    const away = chosen()
    if (away !== undefined && (type === 'chain.identify' || type === 'chain.readTerms')) {
      const identified = { genesisHash: away, caip2: networkOfGenesis(away).caip2 }
      const failure = { code: 'unsupported', message: 'the page expected a sale, it has none here' } as const
      const said: Answered =
        type === 'chain.identify'
          ? { type: 'chain.identified', data: identified }
          : { type: 'effect.failed', data: { failure } }
      return reply(80, answer, () => (online() ? said : offline))
    }
    if (type === 'core.relocate') return relocate((data as EffectData['core.relocate']).genesisHash)
    if (type === 'bytes.forget') {
      for (const ref of (data as EffectData['bytes.forget']).refs) chain.forget(ref)
      return
    }
    if (type === 'ledger.compute')
      return void queue.after(60, 'worker', () => books.compute(data as EffectData['ledger.compute'], answer))
    if (type === 'ledger.steer') return books.steer(data)
    if (type === 'node.listen') return nodeSocket.listen(data)
    if (type === 'pulse.send') return reply(80, answer, () => pulse(data as EffectData['pulse.send']))
    if (type === 'pulse.readSwitch') {
      const isOn = dice.chance('the project counts', 0.8)
      return reply(80, answer, () => (online() ? { type: 'pulse.switched', data: { isOn } } : offline))
    }
    const served = servicesAnswer(dice, type, data)
    if (served) return reply(80, answer, () => (online() ? served : offline))
    if (type === 'directory.read') return reply(80, answer, () => directory(data))
    if (type.startsWith('vault.')) {
      if (dice.strikes('vault.fails')) {
        const failure = { code: 'storage_down', message: 'the vault could not be read' }
        const failed = type === 'vault.forget' ? 'vault.failed' : 'effect.failed'
        return reply(3, answer, () => ({ type: failed, data: { failure } }))
      }
      const said = relay.carry(id, type, data)
      const usual = type === 'vault.seal' ? 3 : 10
      if (said) reply(dice.strikes('vault.slow') ? dice.between('slow vault', 100, 4000) : usual, answer, () => said)
      return
    }
    if (type.startsWith('relay.')) return void relay.carry(id, type, data)
    if (type === 'auth.askContract') {
      const { authId, place } = data as EffectData['auth.askContract']
      const isSigned = dice.chance('the contract takes it', 0.8)
      return reply(60, answer, () => ({ type: 'auth.contractAsked', data: { authId, place, isSigned } }))
    }
    if (nodes.carry(type, data, answer)) return
    if (passesTransport && nodes.carries(type)) return ask(type, data, answer)
    const latency = dice.strikes('rpc.slow') ? dice.between('slow', 500, 20_000) : 60
    // Inserting a signature needs no node
    const isHere = type === 'chain.insertSignature'
    if (!online() && !isHere) return reply(latency, answer, () => offline)
    const said = () => (isHere ? undefined : chain.refused()) ?? chain.answer(type, data)
    if (type === 'chain.submit' || isHere) {
      // Bytes that have left the device land whatever happens to the worker
      const now = said()
      return reply(latency, answer, () => now)
    }
    reply(latency, answer, () => (online() ? said() : offline))
  }

  /** A reading that the core sends, repeats and ends. */
  function ask(type: EffectType, data: never, answer: (input: Answered) => void): void {
    let sent: Answered | undefined
    const submit = type === 'chain.submit' ? () => void (sent = chain.answer(type, data)) : undefined
    const done = (ended: Ended) => {
      if (ended.served) return reply(0, answer, () => sent ?? chain.answer(type, data))
      const { failure } = ended
      return reply(0, answer, () => ({ type: 'effect.failed', data: { failure } }))
    }
    nodes.ask(type, done, submit)
  }

  function directory({ page, entries, search, include, certified }: EffectData['directory.read']): Answered {
    const asked = { page, search, ...(certified && { certified }) }
    if (dice.strikes('directory.fails') || !online()) {
      const failure = { code: 'unreachable', message: 'the directory could not be reached' }
      return { type: 'directory.failed', data: { ...asked, failure } }
    }
    const walletOf = (walletId: string): ListedWallet => ({ walletId, name: `Wallet ${walletId}`, certified: true })
    const all =
      include.length > 0
        ? [...include]
        : Array.from({ length: search === '' ? directorySize : 3 }, (_, at) => `w${search}${at}`)
    // Pages shift between reads: one repeats the end of the one before
    const from = Math.max(0, (page - 1) * entries - 2)
    const wallets = all.slice(from, page * entries).map(walletOf)
    return { type: 'directory.read', data: { ...asked, count: all.length, wallets } }
  }

  function pulse({ events }: EffectData['pulse.send']): Answered {
    if (!online()) return offline
    if (!dice.strikes('pulse.fails')) return { type: 'pulse.sent', data: { count: events.length } }
    const [code, status] = dice.oneOf('pulse failure', [
      ['unauthorized', 403],
      ['bad_response', 400],
      ['unreachable', 503],
    ] as const)
    const facts = { status, sent: dice.between('sent before', 0, events.length - 1) }
    return { type: 'effect.failed', data: { failure: { code, message: 'the analytics service failed', facts } } }
  }

  const drive =
    (type: EffectType): Drive =>
    ({ id, data }, answer) => {
      began({ id, type, data: data as never })
      carry(type, id, data as never, answer)
      return begun
    }

  return {
    timers,
    nodes,
    nodeSocket,
    drivers: Object.fromEntries(workerEffects.map(type => [type, drive(type)])),
  }
}

const workerEffects: EffectType[] = [
  'timer.set',
  'timer.clear',
  'relay.open',
  'relay.close',
  'relay.subscribe',
  'relay.fetch',
  'relay.unsubscribe',
  'relay.publish',
  'relay.propose',
  'relay.acknowledge',
  'vault.makePairing',
  'vault.makeAuth',
  'auth.askContract',
  'vault.deriveSession',
  'vault.seal',
  'vault.forget',
  'directory.read',
  'pulse.send',
  'pulse.readSwitch',
  'service.call',
  'project.read',
  'project.readOrigins',
  'chain.identify',
  'chain.readTerms',
  'chain.readNotices',
  'chain.readMint',
  'chain.readSale',
  'chain.readFeed',
  'chain.readBalances',
  'chain.prepareOrder',
  'chain.prepareSend',
  'chain.insertSignature',
  'chain.submit',
  'chain.watch',
  'node.listen',
  'chain.readPurchases',
  'chain.watchInvoice',
  'sale.readLegal',
  'sale.readAccess',
  'sale.readContent',
  'ledger.compute',
  'ledger.steer',
  'core.relocate',
  'core.switchNetwork',
  'bytes.forget',
  'http.post',
  'http.send',
  'http.settle',
  'rpc.settle',
]
