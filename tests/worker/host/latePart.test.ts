/** A core whose WalletConnect part comes when it is first needed says the same, fact for fact, as one that has it from the start. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { emptyCoreModel } from '../../../src/events/app.ts'
import { allInputDefinitions } from '../../../src/events/schema/definitions.ts'
import type { InputRecord } from '../../../src/events/log/record.ts'
import type { Recorded } from '../../../src/events/recording/recording.ts'
import { readRecordingFile } from '../../../src/main/page/redaction/recordingFile.ts'
import { createCore, type CoreMachine } from '../../../src/worker/core/core.ts'
import { decidersInOrder } from '../../../src/worker/deciders/inOrder.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { walletConnect } from '../../../src/worker/deciders/pairing/walletConnect.ts'
import { isForWalletConnect, needsWalletConnect } from '../../../src/worker/deciders/pairing/walletConnectPart.ts'
import { createInbox, type Draft } from '../../../src/worker/host/inbox.ts'
import { memoryJournal } from '../../../src/worker/journal/inMemory.ts'
import { createLatePart, type LoadPart } from '../../../src/worker/host/latePart.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { blockAt, standAt } from '../../../src/worker/replay/restoreCore.ts'
import { boot, parsed } from '../../events/recordedLog.ts'
import { checkpointLines } from '../../../src/events/checkpoint/restate.ts'
import { simulate } from '../../simulation/simulate.ts'
import { account, caip2, lantern } from '../story.ts'
import { noon } from '../world.ts'

const recordings = join(import.meta.dirname, '../../replay/recordings')

/** Facts of a wallet that is connected over the relay. */
const withSession = (): [type: string, data: Record<string, unknown>][] => [
  [
    'session.settled',
    {
      sessionTopic: 'session-1',
      pairingTopic: 'pairing-1',
      controllerKey: 'ab'.repeat(32),
      peer: { name: 'Lantern', url: 'https://lantern.example', description: '', icons: [] },
      namespaces: { solana: { accounts: [`${caip2}:${account}`], methods: ['solana_signTransaction'], events: [] } },
      expiresAt: noon + 604_800_000,
      transport: 'relay',
    },
  ],
  [
    'connection.made',
    {
      connectionId: 'c1',
      attemptId: 'a1',
      connector: 'walletConnect',
      wallet: lantern,
      accounts: [account],
      features: ['signTransaction'],
      sessionTopic: 'session-1',
    },
  ],
  ['relay.connecting', { attempt: 1, url: 'wss://relay.example' }],
  ['relay.connected', {}],
]

/** What both cores made of an input, as text. */
const madeOf = (core: CoreMachine, input: InputRecord) =>
  JSON.stringify({ ...core.step(structuredClone(input)), memory: core.memory() })

/**
 * Runs the inputs through a core that has everything and one that has the part only when the rule says so, each life anew.
 *
 * @returns in how many steps the part was not there
 */
function compared(records: readonly Recorded[]): number {
  const block = blockAt(records, 0)
  const begin = (made: typeof deciders) => (block ? standAt(block, made) : createCore(made, emptyCoreModel()))
  const whole = begin(deciders)
  const late = begin(decidersInOrder())
  let isHere = false
  let without = 0
  const bring = (isNeeded: boolean) => {
    if (isNeeded && !isHere) late.remake(decidersInOrder(walletConnect))
    isHere ||= isNeeded
  }
  bring(block !== undefined && needsWalletConnect(late.model))
  for (const { record } of records) {
    if (record.k !== 'i') continue
    if (record.type === 'core.boot') {
      isHere = false
      late.remake(decidersInOrder())
      bring(needsWalletConnect(late.model) && record.data.missing === undefined)
    }
    bring(record.type === 'core.partCame' || isForWalletConnect(record.type, record.data))
    if (!isHere) without += 1
    const [expected, got] = [madeOf(whole, record), madeOf(late, record)]
    if (expected !== got) expect(`${record.n} ${record.type} ${got}`).toBe(`${record.n} ${record.type} ${expected}`)
  }
  expect(late.model).toEqual(whole.model)
  return without
}

describe("the core with WalletConnect's part only when it is needed", () => {
  test.each(readdirSync(recordings).filter(name => name.endsWith('.jsonl')))('makes the same of %s', async name => {
    const { records } = await readRecordingFile(new Blob([readFileSync(join(recordings, name))]))
    compared(records)
  })

  test('makes the same of twelve simulated worlds with all their faults, much of it without the part', () => {
    let without = 0
    for (let seed = 0; seed < 12; seed++) without += compared(parsed(simulate(seed).lines))
    expect(without).toBeGreaterThan(300)
  })

  test('is not asked about what it hears beside others', () => {
    const heard = new Set(Object.values(walletConnect).flatMap(part => part.flatMap(Object.keys)))
    const beside = [...heard].filter(type => type in allInputDefinitions && !isForWalletConnect(type, { input: type }))
    // Each of these must mean nothing to it while nothing of WalletConnect's is there: the tests above are the proof
    expect(beside.sort()).toEqual([
      'clock.jumped',
      'core.setAside',
      'effect.failed',
      'page.left',
      'page.online',
      'page.resumed',
      'page.visible',
      'wallet.failed',
    ])
  })

  test('is needed from the start by a wallet that is still to hear of its end or an answer, and by nothing that is over', () => {
    const model = emptyCoreModel()
    expect(needsWalletConnect(model)).toBe(false)
    expect(needsWalletConnect({ ...model, parting: { 'session-1': 1 } })).toBe(true)
    const owed = { a: { topic: 'session-1', payloadId: '7', tag: 1105, ttl: 86_400, owedAt: 1 } }
    expect(needsWalletConnect({ ...model, mail: { ...model.mail, owed } })).toBe(true)
  })

  test('knows an input that was set aside by what it was', () => {
    expect(isForWalletConnect('core.setAside', { input: 'relay.message' })).toBe(true)
    expect(isForWalletConnect('core.setAside', { input: 'page.visible' })).toBe(false)
  })
})

describe('a core that begins without the part although it has sessions', () => {
  const failure = { code: 'reload_needed', message: 'a part is not there any more' }
  const settled = (at: number) => ({ n: at, at: noon, v: 1, k: 'i' as const })

  /** A life with a wallet over the relay, then the boot of one that lacks the part. */
  function begin(cause: 'start' | 'lost') {
    const core = createCore(deciders, emptyCoreModel())
    let n = 0
    const step = (type: string, data: Record<string, unknown>) => {
      n += 1
      return core.step({ ...settled(n), type, data })
    }
    step('core.boot', boot(1).data)
    for (const [type, data] of withSession()) core.recall({ k: 'f', seq: core.seq + 1, n, at: noon, type, v: 1, data })
    const begun = step('core.boot', { ...boot(2).data, life: 2, cause, missing: failure })
    return { core, step, begun }
  }

  test('says that its wallets are missing, closes the relay, and asks for the part again after a while', () => {
    const { core, begun } = begin('start')
    expect(begun.facts).toContainEqual(
      expect.objectContaining({ type: 'connection.missing', data: { connectionId: 'c1', failure } }),
    )
    expect(begun.effects.map(({ type }) => type)).not.toContain('relay.open')
    expect(begun.effects).toContainEqual(
      expect.objectContaining({ type: 'timer.set', data: { timerId: 'part:again', at: expect.any(Number) } }),
    )
    expect(core.isPartAway).toBe(true)
    expect(core.model.relay.phase).toBe('closed')
  })

  test('asks for it once at a time: when the timer fires, the device is online again, or somebody looks', () => {
    const { core, step } = begin('start')
    const orders = (type: string, data: Record<string, unknown>) =>
      step(type, data).effects.filter(effect => effect.type === 'core.bringPart')
    const [order] = orders('timer.fired', { timerId: 'part:again' })
    expect(order).toBeDefined()
    expect(orders('page.online', { online: true })).toEqual([])
    const input = { ...settled(9), type: 'effect.failed', data: { failure }, to: order?.id ?? '' }
    expect(core.step(input).effects).toMatchObject([{ type: 'timer.set', data: { timerId: 'part:again' } }])
    expect(orders('page.visible', { visible: true })).toHaveLength(1)
  })

  test('goes on where everything stood once it came, whatever the checkpoint between', () => {
    const { core, step } = begin('lost')
    const lines = checkpointLines(
      { n: 2, seq: core.seq, life: 2, at: noon, build: '', transient: core.memory() },
      core.model,
    )
    const block = blockAt(parsed(lines), 0)
    const copy = block && standAt(block, deciders)
    const came = step('core.partCame', {})
    expect(came.facts).toContainEqual(expect.objectContaining({ type: 'connection.restored' }))
    expect(came.effects.map(({ type }) => type)).toContain('relay.open')
    expect(core.model.connection.made.c1?.phase).toBe('live')
    expect(copy?.step({ ...settled(3), type: 'core.partCame', data: {} })).toEqual(came)
    // A second one is nothing
    expect(step('core.partCame', {}).facts).toEqual([])
  })

  test('does not give back a session that ran out meanwhile', () => {
    const { core } = begin('start')
    const [session] = Object.values(core.model.session)
    const came = core.step({ n: 9, at: (session?.expiresAt ?? 0) + 1, v: 1, k: 'i', type: 'core.partCame', data: {} })
    const types = came.facts.map(({ type }) => type)
    expect(types).toContain('connection.ended')
    expect(types).not.toContain('connection.restored')
    expect(core.model.connection.made).toEqual({})
  })

  test('of which the last life knew no more either has its wallets back with the part there from the start', () => {
    const { core, step } = begin('start')
    step('core.boot', { ...boot(3).data, life: 3 })
    expect(core.model.connection.made.c1?.phase).toBe('live')
  })

  test('is handed the part before an input that needs it', async () => {
    const { core } = begin('start')
    const journal = memoryJournal({ head: { life: 2, n: 2, seq: core.seq }, lines: [] })
    const part = createLatePart(core, async () => walletConnect)
    const inbox = createInbox({
      core,
      journal,
      life: 2,
      part,
      now: () => noon,
      stepped: () => undefined,
      broke: () => undefined,
    })
    inbox.take({ type: 'connection.disconnect', data: { connectionId: 'c1' } })
    await inbox.settled()
    const types = parsed(await journal.lines()).flatMap(({ record }) => (record.k === 'i' ? [record.type] : []))
    expect(types).toEqual(['core.partCame', 'connection.disconnect'])
    expect(core.model.parting).toHaveProperty('session-1')
  })
})

describe('a core without the part', () => {
  const choose: Draft = { type: 'connection.connectWalletConnect', data: { wallet: lantern }, tab: 't1', ref: 'c1' }

  /** A core with an inbox, as a worker has them. */
  function begin(load: LoadPart) {
    const core = createCore(decidersInOrder(), emptyCoreModel())
    const journal = memoryJournal()
    const part = createLatePart(core, load)
    const effects: string[] = []
    const inbox = createInbox({
      core,
      journal,
      life: 1,
      part,
      now: () => noon,
      stepped: step => void effects.push(...step.effects.map(({ type }) => type)),
      broke: cause => {
        throw cause
      },
    })
    const { type, data } = boot(1)
    inbox.take({ type, data })
    return { core, inbox, journal, effects }
  }

  /** @returns the log's inputs */
  const inputsOf = async (journal: ReturnType<typeof memoryJournal>) =>
    parsed(await journal.lines()).flatMap(({ record }) => (record.k === 'i' ? [record] : []))

  test('fetches it for the first code, and everything else waits its turn behind', async () => {
    let come: (part: typeof walletConnect) => void = () => undefined
    const { core, inbox, journal, effects } = begin(() => new Promise(resolve => (come = resolve)))
    inbox.take(choose)
    inbox.take({ type: 'page.online', data: { online: false } })
    expect(core.model.connection.attempt.phase).toBe('none')
    expect(core.model.network.online).toBe(true)
    come(walletConnect)
    await inbox.settled()
    expect(effects).toContain('vault.makePairing')
    expect((await inputsOf(journal)).map(({ type }) => type)).toEqual([
      'core.boot',
      'connection.connectWalletConnect',
      'page.online',
    ])
    expect(reexecute(parsed(await journal.lines()), deciders)).toMatchObject({ ok: true })
  })

  test('tells who chose a wallet to reload when it cannot be had, and goes on with all that follows', async () => {
    const { core, inbox, journal } = begin(() => Promise.reject(new TypeError('404')))
    inbox.take(choose)
    inbox.take({ type: 'page.online', data: { online: false } })
    await inbox.settled()
    expect(core.model.connection.attempt).toMatchObject({
      phase: 'failed',
      failure: { code: 'reload_needed' },
      wallet: lantern,
    })
    expect(core.model.network.online).toBe(false)
    const [, missing] = await inputsOf(journal)
    expect(missing).toMatchObject({ type: 'core.partMissing', ref: 'c1', tab: 't1' })
    expect(reexecute(parsed(await journal.lines()), deciders)).toMatchObject({ ok: true })
  })

  test('tries again with the next press', async () => {
    let tries = 0
    const { core, inbox } = begin(() => (++tries === 1 ? Promise.reject(new Error()) : Promise.resolve(walletConnect)))
    inbox.take(choose)
    inbox.take({ ...choose, ref: 'c2' })
    await inbox.settled()
    expect(tries).toBe(2)
    expect(core.model.connection.attempt.phase).toBe('asking')
  })

  test('says of any other input that it was not handled', async () => {
    const { core, inbox } = begin(() => Promise.reject(new Error()))
    inbox.take({ type: 'relay.garbage', data: { message: 'x' } })
    await inbox.settled()
    expect(core.model.core.dropped).toMatchObject({ count: 1, input: 'relay.garbage' })
  })

  test('gives a press up when the part does not come before the page gives it up', async () => {
    vi.useFakeTimers()
    try {
      const { core, inbox } = begin(() => new Promise(() => undefined))
      inbox.take(choose)
      await vi.advanceTimersByTimeAsync(7000)
      await inbox.settled()
      expect(core.model.connection.attempt).toMatchObject({ phase: 'failed', failure: { code: 'timeout' } })
    } finally {
      vi.useRealTimers()
    }
  })

  test('steps nothing more once it was stopped', async () => {
    let come: (part: typeof walletConnect) => void = () => undefined
    const { inbox, journal } = begin(() => new Promise(resolve => (come = resolve)))
    inbox.take(choose)
    inbox.stop()
    come(walletConnect)
    await Promise.resolve()
    expect(await inputsOf(journal)).toHaveLength(1)
  })

  test('says so at once where a decider reaches for the part', () => {
    const core = createCore(decidersInOrder(), emptyCoreModel())
    const input = { k: 'i', n: 1, at: noon, v: 1 } as const
    core.step({ ...input, ...boot(1) })
    const { facts } = core.step({ ...input, n: 2, type: choose.type, data: choose.data })
    expect(facts).toMatchObject([{ type: 'core.faulted', data: { input: choose.type } }])
  })
})
