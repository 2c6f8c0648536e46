import { beforeEach, describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { openOrder } from '../../../src/events/subjects/order/order.ts'
import type { CoreConfig, PageHello } from '../../../src/events/wire.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { eraseKept } from '../../../src/worker/journal/eraseLog.ts'
import { storedParts } from '../../../src/worker/journal/ledgerParts.ts'
import { holdLock } from '../../../src/runtime/tabs/locks.ts'
import { leadLock } from '../../../src/events/wire.ts'
import { createShell } from '../../../src/worker/tabs/shell.ts'
import { visit } from '../../simulation/visit.ts'
import { groupsOf, open, write } from '../logs.ts'
import { createLocks } from '../tabs/locks.ts'

const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: [],
  solanaRpcUrl: 'http://127.0.0.1:9',
  apiUrl: '',
  configUrl: '',
  termsUrl: '',
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}
const hello: PageHello = {
  tab: 't-1',
  language: 'en',
  timeZone: 'UTC',
  visible: true,
  online: true,
  asking: [],
  answered: [],
}
const { inputs } = visit('installed sign')
/** Number of inputs until an order is under way. */
const untilAsked = inputs.findIndex(({ type }) => type === 'chain.orderPrepared') + 1

/** Stores the first `count` inputs of a purchase on this device. */
async function keep(count: number, checkpoints: number[] = []): Promise<void> {
  const record = await open('')
  await write(record, groupsOf(inputs.slice(0, count)), { checkpoints })
  record.journal.close()
}

/** A worker that has begun no core. */
async function withoutCore(locks = createLocks()) {
  const core = createShell({ locks, die: cause => expect(cause).toBeUndefined() })
  await core.begin(config, hello, 'none')
  return core
}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
})

describe('a worker without a core', () => {
  test('begins none and leads no tab, and gives the log as a recording all the same', async () => {
    await keep(untilAsked)
    const locks = createLocks()
    const core = await withoutCore(locks)
    const { records, complete } = await readRecording(await core.recording([]), sha256Hex)
    expect(complete).toBe(true)
    expect(records.flatMap(({ record }) => (record.k === 'i' ? [record.type] : []))).toEqual(
      inputs.slice(0, untilAsked).map(({ type }) => type),
    )
    expect((await locks.query()).held).toEqual([])
    await expect(core.attach(hello, {} as never)).rejects.toMatchObject({ code: 'core_lost' })
  })

  test('erases a log without an open order', async () => {
    await keep(inputs.length)
    const core = await withoutCore()
    expect(await core.erase('t-1')).toBe(true)
    expect((await open('')).known.lines).toEqual([])
  })

  test.each([
    ['in its facts', []],
    ['in its checkpoint', [untilAsked - 1]],
  ])('keeps a log with an open order %s, until it is sure', async (_, checkpoints) => {
    await keep(untilAsked, checkpoints)
    const core = await withoutCore()
    expect(await core.erase('t-1')).toBe(false)
    const { journal, known } = await open('')
    expect(known.lines.length).toBeGreaterThan(0)
    for (const fact of known.facts) foldCoreFact(known.model, fact)
    expect(openOrder(known.model)).toBeDefined()
    journal.close()
    expect(await core.erase('t-1', true)).toBe(true)
    expect((await open('')).known.lines).toEqual([])
  })

  test("keeps a log with a host's open payment request, until the request has expired", async () => {
    const { inputs: paid, model } = visit('WalletConnect sign')
    const [session] = Object.values(model.session)
    const last = paid.at(-1)
    if (!session || !last) throw new Error('a visit by WalletConnect expected a session')
    const { sessionTopic, namespaces } = session
    const chainId = namespaces.solana?.accounts[0]?.split(':').slice(0, 2).join(':')
    const asked = { sessionTopic, chainId, method: 'solana_signTransaction', params: '{}' }
    const { n, at } = last
    const record = await open('')
    const request = { k: 'i', n: n + 1, at, type: 'request.send', v: 1, data: asked, ref: 't-1.c9' } as const
    await write(record, groupsOf([...paid, request]))
    record.journal.close()
    expect(await eraseKept(config, undefined, { sure: false, at })).toBe(false)
    expect(await eraseKept(config, undefined, { sure: false, at: at + 900_000 })).toBe(true)
    expect((await open('')).known.lines).toEqual([])
  })

  test('keeps a log with a code that may still be paid, until it is sure or an hour has passed', async () => {
    const [last, placed] = [inputs.at(-1), inputs.find(({ type }) => type === 'order.place')]
    if (!last || !placed) throw new Error('a visit expected a purchase')
    const { shownFee: _, ...data } = placed.data as Record<string, unknown>
    const opened = { ...last, n: last.n + 1, type: 'invoice.open', ref: 't-1.c9', data } as typeof last
    const record = await open('')
    await write(record, groupsOf([...inputs, opened]))
    record.journal.close()
    const { at } = last
    expect(await eraseKept(config, undefined, { sure: false, at })).toBe(false)
    expect(await eraseKept(config, undefined, { sure: false, at: at + 3_600_001 })).toBe(true)
    expect((await open('')).known.lines).toEqual([])
  })

  test('erases nothing while it cannot read whether an order is open, until it is sure', async () => {
    await keep(untilAsked)
    const { open: opened } = indexedDB
    indexedDB.open = () => {
      throw new DOMException('no', 'UnknownError')
    }
    const core = await withoutCore()
    await expect(core.erase('t-1')).rejects.toThrow()
    indexedDB.open = opened
    expect((await open('')).known.lines.length).toBeGreaterThan(0)
  })

  test('erases nothing while a tab has the core', async () => {
    await keep(inputs.length)
    const locks = createLocks()
    const lead = holdLock(locks, leadLock)
    await lead.held
    const core = await withoutCore(locks)
    await expect(core.erase('t-1', true)).rejects.toMatchObject({ code: 'elsewhere' })
    lead.release()
    await locks.request(leadLock, async () => undefined)
    expect(await core.erase('t-1', true)).toBe(true)
  })
})

test('an erased log takes along the parts of ledgers, which name an account', async () => {
  await storedParts.put('a sale', { account: 'an account' })
  expect(await storedParts.get('a sale')).toEqual({ account: 'an account' })
  expect(await eraseKept(config, undefined, { sure: true, at: 0 })).toBe(true)
  expect(await storedParts.get('a sale')).toBeUndefined()
})
