import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { logFormat } from '../../../src/events/log/logFormat.ts'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import type { LogState } from '../../../src/worker/journal/logState.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { connectedLog, parsed } from '../../events/recordedLog.ts'
import { flickering, type Group, groupsOf, onDisk, open, write } from '../logs.ts'

const chain = 'chain'
const boot = JSON.parse(connectedLog().find(line => line.includes('"core.boot"')) ?? '') as InputRecord
const linesOf = (groups: readonly Group[]) => groups.flatMap(({ lines }) => lines)

/** The model of this log, and the model of the core after `count` groups. */
function worldOf({ model, facts }: LogState) {
  const world = structuredClone(model)
  for (const fact of facts) foldCoreFact(world, structuredClone(fact))
  return world
}
const worldAfter = (groups: readonly Group[], count: number) => JSON.parse(groups[count - 1]?.model ?? '')[0]

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('a log over its budget', () => {
  const long = groupsOf(flickering(boot, 27_000))

  test('drops its oldest segments, never after the older of two checkpoints, and still re-executes', async () => {
    const record = await open(chain)
    const options = { perSegment: 50, checkpoints: [9999, 19_999, 26_500] }
    await write(record, long, options)
    const { first, records } = await onDisk(chain, db => db.get('head', 'head'))
    expect(first).toBeGreaterThan(1)
    expect(records).toBeGreaterThan(49_000)
    expect(records).toBeLessThanOrEqual(51_100)
    record.journal.close()
    const { known, journal } = await open(chain)
    const lines = await journal.lines()
    expect(worldOf(known)).toEqual(worldAfter(long, long.length))
    expect(lines[0]?.startsWith(`{"k":"c","format":2,"n":${long[19_999]?.head.n},`)).toBe(true)
    const verdict = reexecute(parsed(lines), deciders, { build: 'core-build' })
    expect(verdict).toMatchObject({ ok: true, inputs: long.length - 20_000 })
  })

  test('keeps everything while there is one checkpoint only', async () => {
    const record = await open(chain)
    await write(record, long, { perSegment: 50, checkpoints: [26_500] })
    expect(await onDisk(chain, db => db.get('head', 'head'))).toMatchObject({ first: 1 })
  })
})

describe('a device that runs out of room', () => {
  const groups = groupsOf(flickering(boot, 26_000))
  const noRoom = () => new DOMException('no room', 'QuotaExceededError')

  /** Limits this store: it takes a value only while the log has fewer segments than `most`. */
  async function narrow(most: number, full = 'seg') {
    const put = IDBObjectStore.prototype.put
    let segments = await onDisk(chain, db => db.count('seg'))
    const remove = IDBObjectStore.prototype.delete
    vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementation(function (this: IDBObjectStore, key) {
      if (this.name === 'seg') segments -= 1
      return remove.call(this, key)
    })
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
      if (this.name === full && segments >= most) throw noRoom()
      if (this.name === 'seg') segments += 1
      return put.call(this, value, key)
    })
  }

  test('halves its budget from then on, reports it and continues to write', async () => {
    const record = await open(chain)
    await write(record, groups.slice(0, 25_000), { perSegment: 50, checkpoints: [20_000, 24_000] })
    await narrow(await onDisk(chain, db => db.count('seg')))
    await write(record, groups.slice(25_000), { perSegment: 50 })
    expect(record.heard).toEqual({ failures: [], taken: 0, shrunk: [25_000] })
    record.journal.close()
    vi.restoreAllMocks()
    const { known, journal } = await open(chain)
    expect(known.lost).toBeUndefined()
    expect(worldOf(known)).toEqual(worldAfter(groups, groups.length))
    expect(await onDisk(chain, db => db.get('head', 'head'))).toMatchObject({ halved: 1 })
    journal.close()
  })

  test('opens a log by deleting its oldest segments, however few it holds', async () => {
    const record = await open(chain)
    await write(record, groups.slice(0, 6000), { perSegment: 50, checkpoints: [4000, 5000] })
    record.journal.close()
    await narrow(await onDisk(chain, db => db.count('seg')), 'head')
    const next = await open(chain)
    expect([next.journal.storage, next.shrunk, next.heard.shrunk]).toEqual(['durable', 6250, []])
    expect(worldOf(next.known)).toEqual(worldAfter(groups, 6000))
    await next.journal.flush('strict')
    vi.restoreAllMocks()
    expect(await onDisk(chain, db => db.get('head', 'head'))).toMatchObject({ halved: 3, format: logFormat })
    next.journal.close()
  })

  test('commits strictly what was to be strict, once it has made room', async () => {
    const record = await open(chain)
    await write(record, groups.slice(0, 300), { perSegment: 20, checkpoints: [200, 260] })
    await narrow(await onDisk(chain, db => db.count('seg')))
    const [next] = groups.slice(300)
    if (next) record.journal.append(next.lines, next.head)
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await record.journal.flush('strict')
    const written = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
    const [failed, ...others] = written.map(([, , options]) => options?.durability)
    expect([failed, others.at(-1), record.heard.shrunk.length]).toEqual(['strict', 'strict', 1])
    expect(others.length).toBeGreaterThan(1)
    record.journal.close()
  })

  test('where nothing may go ends in memory, and says so once', async () => {
    const record = await open(chain)
    await write(record, groups.slice(0, 100))
    await narrow(await onDisk(chain, db => db.count('seg')))
    await expect(write(record, groups.slice(100, 200))).rejects.toMatchObject({ name: 'QuotaExceededError' })
    expect(record.heard).toEqual({
      failures: ['the log could not be written: QuotaExceededError'],
      taken: 0,
      shrunk: [],
    })
    expect(await record.journal.lines()).toEqual(linesOf(groups.slice(0, 104)))
    vi.restoreAllMocks()
    expect(await onDisk(chain, db => db.get('head', 'head'))).toMatchObject({ halved: 0 })
  })
})
