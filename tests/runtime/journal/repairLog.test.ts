import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { codec } from '../../../src/events/log/codec.ts'
import { logFormat } from '../../../src/events/log/logFormat.ts'
import { snapshots } from '../../../src/events/checkpoint/snapshot.ts'
import type { LogStore } from '../../../src/runtime/journal/journal.ts'
import { runtime } from '../../../src/worker/runtime.ts'
import { repairLog } from '../../../src/runtime/journal/repairLog.ts'
import { linesOf } from '../../../src/runtime/journal/segmentLines.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import { openLog } from '../../../src/worker/journal/storage.ts'
import { connectedLog } from '../../events/recordedLog.ts'
import { visit } from '../../simulation/visit.ts'
import { flickering, type Group, groupsOf, onDisk, open, write } from '../../worker/logs.ts'

const chain = 'chain'
const story = groupsOf(visit('installed sign').inputs)
const boot = JSON.parse(connectedLog().find(line => line.includes('"core.boot"')) ?? '') as InputRecord

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function written(groups: readonly Group[], options?: Parameters<typeof write>[2]): Promise<void> {
  const record = await open(chain)
  await write(record, groups, options)
  record.journal.close()
}

/** Flips a byte in the newest segment but so many. */
const harm = (back = 0) =>
  onDisk(chain, async db => {
    const key = (await db.getAllKeys('seg')).at(-1 - back) ?? 0
    const segment = (await db.get('seg', key)) as Segment
    segment.bytes[20] = (segment.bytes[20] ?? 0) ^ 1
    await db.put('seg', segment, key)
  })
const headOnDisk = () => onDisk(chain, db => db.get('head', 'head'))

/** Durability of every transaction that wrote while the task ran. */
async function durabilities(task: () => Promise<unknown>): Promise<unknown[]> {
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  await task()
  const written = transaction.mock.calls.flatMap(([, mode, options]) =>
    mode === 'readwrite' ? [options?.durability] : [],
  )
  transaction.mockRestore()
  return written
}

describe('repair', () => {
  test('no later life has the number of one whose lines were cut off', async () => {
    await written(story)
    const cut = await open(chain, 40)
    expect(cut.life).toBe(41)
    cut.journal.close()
    await harm()
    const next = await open(chain)
    expect([next.known.lost === undefined, next.life]).toEqual([false, 42])
    next.journal.close()
  })

  test('is strictly on disk, and the sound log is read without any write', async () => {
    await written(story, { checkpoints: [5, 11] })
    await harm()
    const log = await openLog(chain)
    expect(await durabilities(() => runtime.known(log))).toEqual(['strict'])
    expect(await durabilities(() => runtime.known(log))).toEqual([])
    log.close()
  })

  test('a log that another core writes meanwhile stays as that core left it', async () => {
    await written(story)
    await harm()
    const log = await openLog(chain)
    let runs = 0
    const raced: LogStore = {
      async run(task) {
        runs += 1
        if (runs === 2)
          await onDisk(chain, async db => {
            const head = await db.get('head', 'head')
            await db.put('head', { ...head, n: head.n + 1, link: 'x' }, 'head')
          })
        return log.run(task)
      },
      close: log.close,
    }
    await expect(repairLog(raced, { codec, snapshots, format: logFormat })).rejects.toMatchObject({ code: 'elsewhere' })
    expect(await headOnDisk()).toMatchObject({ n: (story.at(-1)?.head.n ?? 0) + 1, link: 'x' })
    log.close()
  })

  test('begins again when another core wrote meanwhile, so that this life is on disk', async () => {
    await written(story)
    await harm()
    const before = (await headOnDisk()) as { n: number }
    const transaction = IDBDatabase.prototype.transaction
    let writes = 0
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      if (given[1] === 'readwrite') writes += 1
      // A former leader's last commit lands between the repair's reading and its writing
      if (given[1] === 'readwrite' && writes === 1)
        transaction
          .call(this, ['head'], 'readwrite')
          .objectStore('head')
          .put({ ...before, n: before.n + 1 }, 'head')
      return transaction.apply(this, given)
    })
    const { journal } = await open(chain)
    expect(journal.storage).toBe('durable')
    journal.close()
  })

  test('no rewritten segment begins within a group', async () => {
    await written(groupsOf(flickering(boot, 300)), { perSegment: 3 })
    await harm()
    const { known, journal } = await open(chain)
    expect(known.lost).toBeDefined()
    const segments = await onDisk(chain, async db => (await db.getAll('seg')) as Segment[])
    expect(segments.length).toBeGreaterThan(3)
    for (const segment of segments) expect(linesOf(segment)[0]).toMatch(/^\{"k":"i"/)
    journal.close()
  })
})
