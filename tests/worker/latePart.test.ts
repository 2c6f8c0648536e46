/** A core whose WalletConnect part comes when it is first needed says the same, fact for fact, as one that has it from the start. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { emptyCoreModel } from '../../src/events/app.ts'
import { allInputDefinitions } from '../../src/events/definitions.ts'
import type { InputRecord } from '../../src/events/record.ts'
import type { Recorded } from '../../src/events/recording.ts'
import { readRecordingFile } from '../../src/main/recordingFile.ts'
import { createCore, type CoreMachine } from '../../src/worker/core.ts'
import { decidersInOrder } from '../../src/worker/deciders/inOrder.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { walletConnect } from '../../src/worker/deciders/walletConnect.ts'
import { isForWalletConnect, needsWalletConnect } from '../../src/worker/deciders/walletConnectPart.ts'
import { createInbox, type Draft } from '../../src/worker/inbox.ts'
import { memoryJournal } from '../../src/worker/inMemory.ts'
import { createLatePart, type LoadPart } from '../../src/worker/latePart.ts'
import { reexecute } from '../../src/worker/reexecute.ts'
import { blockAt, standAt } from '../../src/worker/standAt.ts'
import { boot, parsed } from '../events/recordedLog.ts'
import { simulate } from '../simulation/simulate.ts'
import { lantern } from './story.ts'
import { noon } from './world.ts'

const recordings = join(import.meta.dirname, '../replay/recordings')

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
      bring(needsWalletConnect(late.model))
    }
    bring(isForWalletConnect(record.type, record.data))
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

  test('makes the same of forty simulated worlds with all their faults, much of it without the part', () => {
    let without = 0
    for (let seed = 0; seed < 40; seed++) without += compared(parsed(simulate(seed).lines))
    expect(without).toBeGreaterThan(1000)
  }, 60_000)

  test('is not asked about what it hears beside others', () => {
    const heard = new Set(Object.values(walletConnect).flatMap(part => part.flatMap(Object.keys)))
    const beside = [...heard].filter(type => type in allInputDefinitions && !isForWalletConnect(type, { input: type }))
    // Each of these must mean nothing to it while nothing of WalletConnect's is there: the tests above are the proof
    expect(beside.sort()).toEqual([
      'clock.jumped',
      'core.setAside',
      'effect.failed',
      'page.online',
      'page.resumed',
      'page.visible',
    ])
  })

  test('knows an input that was set aside by what it was', () => {
    expect(isForWalletConnect('core.setAside', { input: 'relay.message' })).toBe(true)
    expect(isForWalletConnect('core.setAside', { input: 'page.visible' })).toBe(false)
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
