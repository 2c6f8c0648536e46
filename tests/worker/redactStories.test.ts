/** Redacting and running are the same in either order, for whatever happened: `redact(run(x))` is `run(redact(x))`. */
import { failureOf, orderKeyOf } from '../../src/events/subjects/order/order.ts'
import { findAuth } from '../events/anyAuth.ts'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode } from '../../src/events/log/codec.ts'
import { inputDefinitions } from '../../src/events/input.ts'
import { lineOf } from '../../src/events/log/lineOf.ts'
import type { CheckpointRecord, InputRecord, LogRecord } from '../../src/runtime/log/record.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { createRedactor } from '../../src/events/recording/redact.ts'
import { checkpointLines } from '../../src/events/checkpoint/snapshot.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { curveOf } from '../../src/events/sale/price.ts'
import { redactRecording } from '../../src/worker/replay/redactRecording.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { transientDefinition } from '../../src/worker/core/transientShape.ts'
import { everyCase } from '../everyCase.ts'
import { secretsIn } from '../events/personals.ts'
import { recordingOf } from '../events/recordedLog.ts'
import { simulate } from '../simulation/simulate.ts'
import { visit, type Way } from '../simulation/visit.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { answer, asked, asking, makeKeys, recordedAnswer, responseTopic } from './authStory.ts'
import {
  account,
  caip2,
  connected,
  intent,
  notices,
  other,
  balances,
  placed,
  preparedOf,
  ready,
  saleReading,
  sent,
  signedOf,
  terms,
  termsHash,
  theOrder,
  throughGate,
  watched,
} from './story.ts'
import { servicesCalled } from './serviceStory.ts'
import { answered, message, namespaces, sealAll, settled, settlement, shown } from './wcStory.ts'
import {
  newMint,
  preparedSend,
  pressed as pressedSend,
  readyToSend,
  request,
  sentOff,
  shown as shownSendOf,
  signedSend,
  throughSendGate,
  mint as soldFor,
} from './deciders/order/sendStory.ts'
import { createWorld, noon, type World } from './world.ts'

const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const build = 'core-build'

/** A log's groups: an input with its facts and effects, and the page facts after it. */
function logOf(inputs: readonly InputRecord[]): string[] {
  const core = createCore(deciders, emptyCoreModel())
  return inputs.flatMap(input => {
    const { facts, effects } = core.step(input)
    const ordered = effectRecord(input, effects)
    return [encode(input), ...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
  })
}

/** The log from the `count`th input on: a checkpoint there, and the rest. */
function cutAfter(lines: readonly string[], count: number): string[] {
  const core = createCore(deciders, emptyCoreModel())
  let last: InputRecord | undefined
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith('{"k":"i"')) continue
    if (last && last.n >= count) return [...checkpointOf(last), ...lines.slice(index)]
    last = JSON.parse(line) as InputRecord
    core.step(last)
  }
  return [...lines]

  function checkpointOf({ n, at }: InputRecord): string[] {
    const { life } = core.model.core
    return checkpointLines({ n, seq: core.seq, life, at, build, transient: core.memory() }, core.model)
  }
}

/** The same log with a checkpoint in its middle. */
function checkedAfter(lines: readonly string[], count: number): string[] {
  const tail = cutAfter(lines, count)
  const inputs = tail.findIndex(line => line.startsWith('{"k":"i"'))
  return [...lines.slice(0, lines.length - (tail.length - inputs)), ...tail]
}

const told =
  (tell: () => World): (() => string[]) =>
  () =>
    logOf(tell().inputs)
const ways: Way[] = ['installed sign', 'installed signAndSend', 'WalletConnect sign', 'WalletConnect signAndSend']
const stories: (() => string[])[] = [
  told(ready),
  told(connected),
  told(() => {
    const world = connected()
    placed(world)
    world.kill()
    world.pass(30_000)
    return world
  }),
  told(() => {
    const world = sent()
    watched(world, { status: 'confirmed', slot: 1004 })
    world.pass(120_000)
    return world
  }),
  told(() => {
    // Codes and an order share a key, until the payment of one is final
    const world = connected()
    const { units, quoted } = intent(world)
    const paid = {
      paidAt: noon,
      asset: 'SOL',
      units,
      quoted,
      status: 'confirmed',
      orderId: '00112233445566ff',
    } as const
    const payment = { signature: 'sig-9', slot: 1100, ...paid, terms: termsHash.slice(0, 16) }
    const open = (orderKey: string) => {
      world.command('invoice.open', intent(world, { orderKey }))
      world.fire(`invoice:${world.model.invoice?.shown}`)
      return world.model.invoice?.shown ?? ''
    }
    const tell = (own: object, earlier: { invoiceId: string; buyer: string; payment: typeof payment }[] = []) =>
      world.answer('chain.watchInvoice', 'chain.invoice', { reference: other, ...own, earlier })
    const first = open(paid.orderId)
    tell({ buyer: other, payment: { ...payment, signature: 'sig-8', slot: 1099, units: '1' } })
    open('ffffffffffffffff')
    tell({}, [{ invoiceId: first, buyer: other, payment }])
    placed(world)
    world.kill('lost')
    world.attach()
    world.fire(`invoice:${world.model.invoice?.shown}`)
    tell({ buyer: account, payment: { ...payment, status: 'final', signature: 'sig-10', slot: 1101 } })
    world.input('chain.notices', notices)
    open('eeeeeeeeeeeeeeee')
    const keys = world.model.invoice?.all.map(one => one.orderKey)
    expect(keys).toEqual(['eeeeeeeeeeeeeeee', paid.orderId, paid.orderId])
    expect(orderKeyOf(theOrder(world))).toBe(paid.orderId)
    return world
  }),
  told(() => {
    // A height that came a second too early adds nothing, and does not with other distances either
    const world = sent()
    const confirmed = { status: 'confirmed', slot: 1004 } as const
    world.wait(1000)
    watched(world, { ...confirmed, height: 1, nodeSlot: 1006 })
    world.wait(16_000)
    watched(world, { ...confirmed, height: 90, nodeSlot: 1008 })
    expect(theOrder(world)).toMatchObject({ progress: { height: 1, nodeSlot: 1008 } })
    return world
  }),
  told(() => {
    const world = shown()
    world.kill('lost')
    world.pass(60_000)
    return world
  }),
  told(() => {
    const world = settled()
    world.kill()
    message(world, 'session-1', settlement(world))
    world.pass(60_000)
    return world
  }),
  told(() => {
    const world = shown()
    const sessionTopic = 'ab'.repeat(32)
    answered(world, 'pairing-1', sessionTopic)
    message(
      world,
      sessionTopic,
      settlement(world, { namespaces: namespaces(['solana_signTransaction', 'solana_signMessage']) }),
    )
    const params = `{"pubkey":"${account}","message":"2NEpo7TZRRrLZSi2U"}`
    const ask = { sessionTopic, chainId: caip2, method: 'solana_signMessage', params }
    const newest = () => Object.values(world.model.request).at(-1)?.requestId ?? ''
    world.command('request.send', { ...ask, sessionTopic: 'cd'.repeat(32) })
    world.command('request.send', { ...ask, method: 'personal_sign', expirySeconds: 1 })
    world.command('request.send', ask)
    world.fail('vault.seal', 'expired')
    world.command('request.send', ask)
    world.command('request.send', { ...ask, expirySeconds: 400 })
    sealAll(world)
    message(world, sessionTopic, { kind: 'result', id: newest(), answer: `{"signature":"${other}"}` })
    message(world, sessionTopic, { kind: 'result', id: newest(), answerRef: 'ef'.repeat(32) })
    world.command('request.send', ask)
    const error = { code: 4001, message: '' }
    message(world, sessionTopic, { kind: 'error', id: newest(), error, answer: '{"code":4001,"message":"not today"}' })
    world.kill('lost')
    world.pass(60_000)
    message(world, sessionTopic, { kind: 'delete', id: '7' })
    world.command('request.send', ask)
    return world
  }),
  told(() => {
    const world = asked()
    answer(world, recordedAnswer(world))
    const sessionTopic = 'ab'.repeat(32)
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic })
    world.kill('lost')
    world.command('auth.request', asking({ nonce: 'other-nonce' }))
    world.command('auth.request', asking({ statement: 'two\nlines' }))
    world.command('auth.request', asking({ domain: '', resources: ['https://dapp.example/tos\r'] }))
    return world
  }),
  told(() => {
    const world = asked()
    answer(
      world,
      recordedAnswer(world, cacao => (cacao.p.nonce = 'somebody-elses')),
    )
    return world
  }),
  told(() => {
    const theirs = 'https://wallet.example/app'
    const world = createWorld({ links: { universal: 'https://dapp.example/app', apps: [theirs] } })
    world.boot()
    world.attach()
    world.command('auth.request', asking({ walletLink: 'https://another-wallet.example/app' }))
    world.command('auth.request', asking({ walletLink: theirs }))
    makeKeys(world)
    sealAll(world)
    world.pass(50)
    world.answer('link.send', 'link.opened', {})
    const auth = findAuth(world.model.auth, ({ sent: made }) => made !== undefined)
    const linked = (topic: string, payload: InputData<'relay.message'>['payload']) => {
      const hash = `link-${world.inputs.length}`
      const data = { pushId: '', topic, hash, publishedAt: world.at, tag: 0, payload, link: true } as const
      world.input('relay.message', data)
    }
    const said = recordedAnswer(world, undefined, auth)
    linked(responseTopic, { ...said, redirect: { universal: theirs, linkMode: true } })
    const sessionTopic = 'ab'.repeat(32)
    world.answer('vault.deriveSession', 'vault.sessionDerived', { pairingTopic: responseTopic, sessionTopic })
    world.command('request.send', { sessionTopic, chainId: 'eip155:1', method: 'personal_sign', params: '["0x00"]' })
    sealAll(world)
    world.pass(50)
    linked(sessionTopic, { kind: 'ping', id: '1799000000000009' })
    world.kill('start')
    return world
  }),
  // A code that is paid: its payment names the terms by the start of their hash, and a final one uses up the key
  told(() => {
    const world = ready()
    const code = intent(world)
    world.command('invoice.open', code)
    const { orderKey: orderId, asset, units, quoted } = code
    const made = { signature: 'sig-9', slot: 1100, paidAt: world.at, terms: termsHash.slice(0, 16) }
    for (const status of ['confirmed', 'final'] as const) {
      world.fire(`invoice:${world.model.invoice?.shown ?? ''}`)
      world.answer('chain.watchInvoice', 'chain.invoice', {
        reference: 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT',
        buyer: account,
        payment: { ...made, status, orderId, asset, units, quoted },
      })
    }
    world.command('invoice.open', { ...code, orderKey: 'ffeeddccbbaa9988' })
    return world
  }),
  // Transfers: refused for what was typed, of SOL, of a token of the sale, and of another one to a new account
  told(() => {
    const world = readyToSend()
    for (const amount of ['1e9', '', '0', '0.0', '1.0000000001', '9'.repeat(19)])
      world.command('send.request', request({ amount }))
    world.command('send.request', request({ asset: other }))
    world.command('send.request', request({ recipient: account }))
    world.command('send.request', request({ recipient: 'maria.sol' }))
    world.answer('chain.prepareSend', 'effect.failed', {
      failure: { code: 'bad_input', message: 'a transfer expected', facts: { rule: 'RECIPIENT' } },
    })
    for (const [asset, amount] of [
      ['SOL', '1.5'],
      [soldFor, '12.000001'],
      [newMint, '0.5'],
    ] as const) {
      sentOff(world, { asset, amount })
      watched(world, { status: 'finalized', slot: 2004 })
    }
    pressedSend(world, { asset: newMint, amount: '0.25' }, true)
    world.wait(31_000)
    world.fire(`silence:${Object.keys(world.model.order).at(-1) ?? ''}`)
    world.kill('lost')
    world.pass(60_000)
    return world
  }),
  told(() => {
    const world = readyToSend()
    shownSendOf(world, { asset: newMint, amount: '0.25' }, true)
    world.wait(31_000)
    world.command('order.continue', { orderId: Object.keys(world.model.order).at(-1) ?? '' })
    const asked = world.last('chain.prepareSend').data
    world.answer('chain.prepareSend', 'chain.sendPrepared', preparedSend(asked, { blockhash: 'hash-2', isNew: true }))
    world.answer('wallet.signTransaction', 'wallet.signed', signedSend(world))
    throughSendGate(world)
    world.pass(30_000)
    return world
  }),
  // A device that slept, a node with a huge slot, and a node slightly behind
  told(() => {
    const world = connected()
    const read = (slot: number) => {
      world.command('balance.refresh', {})
      world.answer('chain.readBalances', 'chain.balances', { account, slot, amounts: { SOL: '20000000000' } })
      if (world.timers().has('sale:poll')) world.fire('sale:poll')
      world.answer('chain.readSale', 'chain.sale', saleReading(slot, world.at))
    }
    world.pass(3000)
    read(1010)
    world.jump(3_600_000)
    read(10_010)
    world.pass(600_000)
    for (const slot of [14_900, 14_905, 50_000_000, 14_990, 14_700, 14_995]) read(slot)
    return world
  }),
  // Partly known notices, by this device's clock and by a signed list; a pause lies between two payments
  told(() => {
    const world = connected()
    const changes = [1002, 1003, 1004].map((slot, index) => ({ slot, verb: index === 1 ? 'resume' : 'pause' }) as const)
    const lists = [
      { ...notices, seq: 2 },
      { ...notices, seq: 2, partial: true, asOf: noon - 5000 },
      { ...notices, seq: 3, partial: true, asOf: noon + 400_000, changes },
      { ...notices, seq: 3, partial: true, asOf: noon + 401_000, changes },
      { ...notices, seq: 1, partial: true },
    ]
    const paid = (orderId: string, slot: number) => ({
      signature: `signature of ${orderId}`,
      orderId,
      slot,
      paidAt: noon,
      asset: 'SOL',
      units: '2500000000',
      quoted: '1',
      status: 'final' as const,
    })
    const purchases = [paid('0'.repeat(16), 1001), paid('1'.repeat(16), 1005)]
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases })
    for (const list of lists) {
      while (world.ordered('chain.readNotices').every(({ answered: isDone }) => isDone)) {
        world.fire('sale:poll')
        world.answer('chain.readSale', 'chain.sale', saleReading(1010, world.at))
      }
      world.answer('chain.readNotices', 'chain.notices', list)
    }
    return world
  }),
  // A host with analytics: a search, a wallet opened by its link that fails, and a batch that waits
  told(() => {
    const world = shown(ready({ analytics: { consent: 'given', tracks: true, reports: true }, excluded: ['w9'] }))
    world.command('listing.open', {})
    world.command('analytics.track', { event: 'SEARCH_WALLET', badge: '', search: account })
    world.command('link.choose', { pairingTopic: 'pairing-1', link: `lantern://${account}` })
    world.command('connection.disconnect', { connectionId: 'none' })
    world.fire('analytics:send')
    world.answer('pulse.readSwitch', 'pulse.switched', { isOn: true })
    const attempt = world.model.connection.attempt
    if (attempt.phase === 'asking') world.pass(attempt.since + 300_000 - world.at)
    world.command('connection.connectInstalled', { walletKey: 'k1', wallet: { walletId: 'quill', name: 'Quill' } })
    world.answer('wallet.connect', 'wallet.connected', { accounts: [account], features: [] })
    world.pass(1000)
    return world
  }),
  // An account whose remaining limit is too small for the next order
  told(() => {
    const world = connected()
    const paid = (slot: number) => ({
      signature: `signature of ${slot}`,
      orderId: `000000000000${slot}`,
      slot,
      paidAt: noon,
      asset: 'SOL',
      units: '5000000000',
      quoted: '1',
      status: 'final' as const,
    })
    const purchases = Array.from({ length: 20 }, (_, at) => paid(1001 + at))
    world.answer('chain.readPurchases', 'chain.purchases', { account, purchases })
    world.command('order.place', intent(world, { units: '60000000000' }))
    world.command('order.place', intent(world))
    return world
  }),
  // A price that moves during the wallet's request, one that moved before the press, and a sale that sells out during
  // the request
  told(() => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    const more = { ...balances, USDC: '300000000000' }
    throughGate(world, { sale: { ...saleReading(1001, world.at), balances: more } })
    world.command('order.place', intent(world))
    world.command('order.place', intent(world, { min: '1' }))
    world.answer('chain.prepareOrder', 'chain.orderPrepared', preparedOf(world.last('chain.prepareOrder').data))
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    const { hardCap } = curveOf(terms)
    const checkpoint = { slot: 1001, time: noon, balances: more, raised: `${hardCap}`, pos: `${hardCap}` }
    throughGate(world, {
      sale: { ...saleReading(1002, world.at), balances: more },
      said: { ...notices, seq: 2, checkpoint },
    })
    const codes = Object.values(world.model.order).map(order => failureOf(order)?.code)
    expect(codes).toEqual(['stale_quote', 'stale_quote', 'sold_out'])
    return world
  }),
  // A sale checkpoint one stage further comes during the wallet's request
  told(() => {
    const world = connected()
    placed(world)
    world.answer('wallet.signTransaction', 'wallet.signed', signedOf(world))
    const further = `${200_000n * 10n ** 12n}`
    const checkpoint = { slot: 1001, time: noon, balances, raised: further, pos: further }
    throughGate(world, { said: { ...notices, seq: 2, checkpoint } })
    world.command('order.place', intent(world, { min: '1' }))
    const phases = Object.values(world.model.order).map(order => failureOf(order)?.code ?? order.phase)
    expect(phases).toEqual(['stale_quote', 'accepted'])
    return world
  }),
  // Every call of the services, with answers, failures and defaults
  told(servicesCalled),
  ...ways.map(way => () => logOf(visit(way).inputs)),
  () => logOf(visit('WalletConnect sign', { step: 20, how: 'stored', cause: 'lost' }).inputs),
]

/** Redacts the executed lines, and executes the redacted ones; both as lines. */
async function bothWays(lines: readonly string[], key: string) {
  const recording = await readRecording(await recordingOf(lines), sha256)
  const records = recording.records.map(({ record }) => record)
  const { text, isExact } = await redactRecording(recording, { policy: 'tokens', key, build, deciders }, sha256)
  const redacted = await readRecording(text, sha256)
  const verdict = reexecute(redacted.records, deciders, { build })
  const memory = ({ transient: { boot: _, ...rest } }: CheckpointRecord) => rest
  const beside = records.flatMap(record =>
    record.k === 'c' ? [{ definition: transientDefinition, data: memory(record) }] : [],
  )
  const redactor = createRedactor(records, { key, policy: 'tokens', beside, isExact })
  const remembered = (record: CheckpointRecord): CheckpointRecord => {
    const { boot } = record.transient
    const transient = redactor.data(transientDefinition, memory(record))
    if (boot !== undefined)
      transient.boot = redactor.data(inputDefinitions['core.boot'], boot as Record<string, unknown>)
    return { ...redactor.record(record), transient }
  }
  return {
    text,
    verdict,
    expected: records.map(record => compared(record.k === 'c' ? remembered(record) : redactor.record(record))),
    actual: redacted.records.map(({ record }) => compared(record)),
  }
}

/**
 * Effects are logged as types and a hash, checkpoints as a hash of the rows after them: these hashes cover tokens.
 * Numbers that the core computes for a failure's sentence follow from other stand-ins.
 */
function compared(record: LogRecord): string {
  if (record.k === 'e') return `${record.n} ${String(record.types)}`
  if (record.k === 'c') return lineOf({ ...record, state: '' })
  return lineOf(record).replace(/"failure":\{"code":"\w+","message":"(?:[^"\\]|\\.)*"(?:,"facts":\{[^}]*\})?/g, said =>
    said.replace(/[0-9]+|…/g, '#'),
  )
}

const share = fc.double({ min: 0, max: 1, noNaN: true })
const key = fc.string({ minLength: 1, maxLength: 40 })
const kind = fc.constantFrom('whole' as const, 'begun at a checkpoint' as const, 'checked on its way' as const)

async function holds(
  lines: readonly string[],
  how: 'whole' | 'begun at a checkpoint' | 'checked on its way',
  part: number,
  word: string,
) {
  const inputs = lines.filter(line => line.startsWith('{"k":"i"')).length
  const count = 1 + Math.floor(part * (inputs - 2))
  const log =
    how === 'whole' ? lines : how === 'checked on its way' ? checkedAfter(lines, count) : cutAfter(lines, count)
  const { text, verdict, expected, actual } = await bothWays(log, word)
  expect(actual).toEqual(expected)
  expect(verdict).toMatchObject({ ok: true })
  // The transient may hold values that the log after the checkpoint no longer names
  expect(secretsOf(lines).filter(value => tells(text, value))).toEqual([])
}

/** Each log is searched once. */
const secrets = new WeakMap<readonly string[], readonly string[]>()
function secretsOf(lines: readonly string[]): readonly string[] {
  const found = secrets.get(lines) ?? secretsIn(lines.map(line => JSON.parse(line) as LogRecord))
  secrets.set(lines, found)
  return found
}

/** An amount in a memo may be a prefix of a round limit of the terms: numbers are compared whole. */
function tells(text: string, value: string): boolean {
  if (!text.includes(value)) return false
  return !/^[0-9]+$/.test(value) || new RegExp(`(?<![0-9])${value}(?![0-9])`).test(text)
}

/** Throws are planted in the world's own deciders: the product's would not throw again. A world has no more inputs. */
const throws: ReadonlySet<string> = new Set(Array.from({ length: 30_000 }, (_, at) => `decider.throws#${at}`))

describe('redaction and execution commute', () => {
  test('for stories of the tests', { timeout: 120_000 }, async () => {
    const logs = stories.map(tell => tell())
    for (const log of logs) await holds(log, 'whole', 0, 'a key')
    await fc.assert(fc.asyncProperty(fc.constantFrom(...logs), kind, share, key, holds), {
      numRuns: everyCase ? 40 : 10,
    })
  })

  test('for simulated worlds with every fault', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100_000 }), kind, share, key, async (seed, how, part, word) => {
        const { lines, wrong, drawn } = await simulate(seed, throws)
        expect(drawn.filter(draw => draw.startsWith('decider.throws#'))).toEqual([])
        fc.pre(wrong === undefined)
        await holds(lines, how, part, word)
      }),
      { numRuns: everyCase ? 15 : 4, endOnFailure: true },
    )
  })
})
