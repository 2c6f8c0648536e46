import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDB } from 'idb'
import type { FactRecord, PageRecord } from '../../../src/runtime/log/record.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import type { CoreConfig, PageAnswer, PageHello } from '../../../src/events/wire.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import { createLocks } from './locks.ts'
import { openPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'
import { soon } from '../../soon.ts'

install()

/** No server listens at these addresses: the tests look at the device. */
const nowhere = 'http://127.0.0.1:9'
const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: ['ws://127.0.0.1:9'],
  solanaRpcUrl: nowhere,
  apiUrl: nowhere,
  configUrl: nowhere,
  termsUrl: nowhere,
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}
const log = 'mai-unidentified'
const kills: (() => Promise<void>)[] = []

async function start(cause: 'start' | 'lost' = 'start', tab = 't-test') {
  const { value, kill } = await live(() => openPage({ config, locks: createLocks(), cause, tab }))
  kills.push(kill)
  return { page: value, kill }
}

const saved = async (page: Awaited<ReturnType<typeof start>>['page'], tail: PageRecord[] = []) =>
  readRecording(await page.core.recording(tail), sha256Hex)

const pageFact = (p: number, over: Partial<PageRecord> = {}): PageRecord => ({
  k: 'p',
  p,
  life: 1,
  after: 0,
  tab: 't-test',
  at: 1,
  type: 'tab.themed',
  v: 1,
  data: { theme: 'dark' },
  ...over,
})

beforeEach(() => {
  vi.restoreAllMocks()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  emptyDisk()
})
afterAll(async () => {
  for (const kill of kills) await kill()
})

describe('a device', () => {
  test('has one life after another in one log without a gap, and all of them re-execute identically', async () => {
    for (let life = 1; life <= 3; life++) {
      const { page, kill } = await start(life === 1 ? 'start' : 'lost', `t-${life}`)
      expect(page.model().core.life).toBe(life)
      await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
      await page.core.pageFacts([pageFact(1, { tab: `t-${life}`, life })])
      await kill()
    }
    const { page } = await start('lost', 't-4')
    const { records, complete } = await saved(page)
    expect(complete).toBe(true)
    const boots = records.flatMap(({ record }) => (record.k === 'i' && record.type === 'core.boot' ? [record] : []))
    expect(boots.map(({ data }) => data.life)).toEqual([1, 2, 3, 4])
    expect(records.filter(({ record }) => record.k === 'p')).toHaveLength(3)
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  })

  test('keeps an acknowledged command, whenever the worker is killed after it', async () => {
    const { page, kill } = await start()
    await page.command({
      type: 'connection.connectWalletConnect',
      data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
    })
    await kill()
    const { page: next } = await start('lost')
    expect(next.model().connection.attempt).toMatchObject({ phase: 'asking', connector: 'walletConnect' })
  })

  test('that denies storage runs in memory, says so, and takes no order', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const { page } = await start()
    await page.until('the boot', model => model.core.storage === 'memory')
    await page.command({
      type: 'order.place',
      data: {
        orderKey: '00112233445566ff',
        asset: 'SOL',
        units: '1',
        quoted: '1',
        min: '1',
        termsHash: 'x',
        acknowledged: [],
      },
    })
    const order = await page.until('a refusal', model => Object.values(model.order)[0])
    expect(order).toMatchObject({ phase: 'gateRefused', failure: { code: 'storage_down' } })
  })

  test('that refuses channels, locks and storage, as Firefox does with site data blocked, runs in memory', async () => {
    const refused = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    vi.spyOn(indexedDB, 'open').mockImplementation(refused)
    vi.spyOn(globalThis, 'BroadcastChannel').mockImplementation(refused)
    const locks = { request: () => Promise.reject(new DOMException('no', 'SecurityError')) } as never
    const { value: page, kill } = await live(() => openPage({ config, locks }))
    kills.push(kill)
    await page.until('the boot', model => model.core.storage === 'memory')
    await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
    expect(page.died()).toBeUndefined()
  })

  test('without room from the start shows its model, in memory', async () => {
    const { page, kill } = await start()
    await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
    await kill()
    const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const { page: next } = await start('lost')
    await next.until('the boot', model => model.core.storage === 'memory')
    expect(next.model().core.life).toBe(2)
    put.mockRestore()
    const { records } = await saved(next)
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  })

  test('that runs out of room says so once, continues, and the recording still has everything', async () => {
    const { page } = await start()
    await page.until('the boot', model => model.core.storage === 'durable')
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('no room', 'QuotaExceededError')
    })
    await page.command({ type: 'listing.read', data: { page: 1, search: 'a' } })
    await page.until('the loss', model => model.core.storage === 'memory')
    await page.command({ type: 'listing.read', data: { page: 1, search: 'b' } })
    await page.core.pageFacts([pageFact(1)])
    const { records } = await saved(page)
    expect(records.filter(({ record }) => record.k === 'p')).toHaveLength(1)
    expect(page.facts.filter(({ type }) => type === 'core.storageLost')).toHaveLength(1)
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  })

  test('whose browser closes the database under the page continues in the same log', async () => {
    const { page, kill } = await start()
    await page.until('the boot', model => model.core.storage === 'durable')
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('the connection is closing', 'InvalidStateError')
    })
    await page.command({ type: 'listing.read', data: { page: 1, search: 'after' } })
    const { records } = await saved(page)
    expect(records.some(({ line }) => line.includes('"search":"after"'))).toBe(true)
    expect(page.facts.map(({ type }) => type)).not.toContain('core.storageLost')
    await kill()
    const { page: next } = await start('lost')
    const kept = await saved(next)
    expect(kept.records.some(({ line }) => line.includes('"search":"after"'))).toBe(true)
    expect(reexecute(kept.records, deciders)).toMatchObject({ ok: true })
  })

  test('with a newer build’s database upgrade loses its log, says so once and leaves the database alone', async () => {
    const { page } = await start()
    await page.until('the boot', model => model.core.storage === 'durable')
    const newer = await openDB(log, 3)
    await page.command({ type: 'listing.read', data: { page: 1, search: 'late' } })
    await page.until('the loss', model => model.core.storage === 'memory')
    const written = (await newer.getAll('seg')).map(({ bytes }: Segment) => new TextDecoder().decode(bytes)).join('')
    expect(written).not.toContain('late')
    expect(page.facts.filter(({ type }) => type === 'core.storageLost')).toHaveLength(1)
    newer.close()
  })

  test('with a flipped byte in its log keeps the lines before it, reports the loss and continues in the same log', async () => {
    const { page, kill } = await start()
    await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
    await page.core.pageFacts([pageFact(1)])
    await kill()
    const db = await openDB(log)
    const last = (await db.getAllKeys('seg')).at(-1) ?? 0
    const segment = (await db.get('seg', last)) as Segment
    segment.bytes[30] = (segment.bytes[30] ?? 0) ^ 1
    await db.put('seg', segment, last)
    db.close()

    const { page: next, kill: killNext } = await start('lost')
    const cut = await next.until('the cut', model => model.core.cut)
    expect(cut.records).toBeGreaterThan(0)
    expect(next.model().core).toMatchObject({ life: 2, storage: 'durable' })
    const { records } = await saved(next)
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
    await killNext()
    const { page: third } = await start('lost')
    expect(third.model().core).toMatchObject({ life: 3, storage: 'durable' })
    expect(third.model().core.cut).toBeUndefined()
  })

  test('with another build of the core begins from a checkpoint between the two', async () => {
    const { page, kill } = await start()
    await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
    await kill()
    const other = { ...config, coreBuild: 'newer' }
    const { value: next, kill: killNext } = await live(() =>
      openPage({ config: other, locks: createLocks(), cause: 'lost', tab: 't-2' }),
    )
    const kept = async () => (await saved(next)).records.flatMap(({ record }) => (record.k === 'c' ? [record] : []))
    const [checkpoint] = await soon(async () => {
      expect(await kept()).toHaveLength(1)
      return kept()
    })
    const { records } = await saved(next)
    const place = records.findIndex(({ record }) => record.k === 'c')
    const after = records.slice(place).find(({ record }) => record.k === 'i')
    expect(checkpoint).toMatchObject({ build: 'newer', life: 1 })
    expect(after?.record).toMatchObject({ type: 'core.boot', data: { build: 'newer', life: 2 } })
    expect(reexecute(records, deciders, { build: 'newer' })).toMatchObject({ ok: true })
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
    await killNext()
    const { value: third, kill: killThird } = await live(() =>
      openPage({ config: other, locks: createLocks(), cause: 'lost', tab: 't-3' }),
    )
    expect(third.model().core.life).toBe(3)
    await killThird()
  })

  test('forgets everything when its log is erased, and begins again from the first life', async () => {
    const { page, kill } = await start()
    await page.command({ type: 'listing.read', data: { page: 1, search: '' } })
    expect(await page.core.erase('t-test')).toBe(true)
    // Straight to the ended core: the page itself would wait for the next one
    const late = page.core.command({ type: 'balance.refresh', data: {} }, 't-test.late', 't-test')
    await expect(late).rejects.toMatchObject({ code: 'core_lost' })
    await kill()
    const { page: next } = await start()
    await next.until('the boot', model => model.core.life === 1)
    const { records } = await saved(next)
    expect(records.filter(({ record }) => record.k === 'i' && record.type === 'core.boot')).toHaveLength(1)
  })
})

describe('a page', () => {
  const hello: PageHello = {
    tab: 't-2',
    language: 'en',
    timeZone: 'UTC',
    visible: true,
    online: false,
    asking: [],
    answered: [],
  }
  const port = {
    facts: async () => undefined,
    perform: async () => undefined,
    detached: async () => undefined,
    restart: async () => undefined,
    otherBuild: async () => undefined,
  }

  test('that went offline before the core began tells so when it joins', async () => {
    const { page } = await start()
    await page.core.attach(hello, port)
    await page.until('offline', model => !model.network.online)
  })

  test('cannot send the core any input but a command', async () => {
    const { page } = await start()
    const forged = { type: 'wallet.sent', data: { signature: 'x' } } as never
    await expect(page.command(forged)).rejects.toThrow('a command expected a known type, got wallet.sent')
  })

  test('with a malformed wallet answer gets one error, and the answer counts as taken', async () => {
    const { page } = await start()
    await page.command({
      type: 'connection.connectInstalled',
      data: { walletKey: 'k', wallet: { walletId: 'w', name: 'Odd' } },
    })
    const effect = await soon(() => {
      const [first] = page.effects
      if (!first) throw new Error('no effect yet')
      return first
    })
    const nonsense = { type: 'wallet.connected', accounts: [7], features: [] } as unknown as PageAnswer
    await page.core.answer(effect.id, nonsense, 't-test')
    await page.until('the refusal', model => model.connection.attempt.phase === 'failed')
  })

  test('with a malformed fact keeps its number in the log, and the recording can be read', async () => {
    const { page } = await start()
    await page.core.pageFacts([pageFact(1), pageFact(2, { data: { theme: 'plaid' } }), pageFact(3)])
    const { records } = await saved(page, [pageFact(4, { data: {} })])
    const lane = records.flatMap(({ record }) => (record.k === 'p' ? [[record.p, record.type]] : []))
    expect(lane).toEqual([
      [1, 'tab.themed'],
      [2, 'page.unreadable'],
      [3, 'tab.themed'],
      [4, 'page.unreadable'],
    ])
  })

  test('repeats its facts after a doubt, and a recording has each once', async () => {
    const { page } = await start()
    await page.core.pageFacts([pageFact(1), pageFact(2)])
    await page.core.pageFacts([pageFact(1), pageFact(2), pageFact(3)])
    const { records } = await saved(page, [pageFact(3), pageFact(4)])
    expect(records.flatMap(({ record }) => (record.k === 'p' ? [record.p] : []))).toEqual([1, 2, 3, 4])
  })

  test('gets every fact after its snapshot once, none before it', async () => {
    const { page } = await start()
    const heard: FactRecord[] = []
    const listening = { ...port, facts: async (batch: FactRecord[]) => void heard.push(...batch) }
    const attached = await page.core.attach({ ...hello, online: true }, listening)
    for (const search of ['a', 'b', 'c']) await page.command({ type: 'listing.read', data: { page: 1, search } })
    await soon(() => expect(heard.length).toBeGreaterThan(2))
    expect(heard.map(({ seq }) => seq)).toEqual(heard.map((_, index) => attached.seq + 1 + index))
  })
})
