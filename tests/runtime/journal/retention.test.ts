import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StoredCheckpoint } from '../../../src/runtime/journal/journal.ts'
import type { Head } from '../../../src/runtime/journal/head.ts'
import { truncate } from '../../../src/runtime/journal/retention.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import { openLog } from '../../../src/worker/journal/storage.ts'
import { visit } from '../../simulation/visit.ts'
import { groupsOf, onDisk, open, write } from '../../worker/logs.ts'

const chain = 'chain'
const story = groupsOf(visit('installed sign').inputs)
const checkpointAt = (index: number) => story[index]?.checkpoint() ?? []
const bytesAt = (index: number) => new TextEncoder().encode(checkpointAt(index).join('\n'))

const stored = () =>
  onDisk(chain, async db => ({
    head: (await db.get('head', 'head')) as Head,
    keys: (await db.getAllKeys('seg')).map(Number),
    segments: (await db.getAll('seg')) as Segment[],
    checkpoints: (await db.getAll('ckpt')) as StoredCheckpoint[],
  }))

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockReturnValue()
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('retention', () => {
  test('the head counts the segments that are left, and deletes none after the older checkpoint', async () => {
    const record = await open(chain)
    await write(record, story, { checkpoints: [5, 11] })
    record.journal.close()
    const log = await openLog(chain)
    await truncate(log, (await stored()).head, 20)
    log.close()
    const { head, keys, segments, checkpoints } = await stored()
    expect(keys[0]).toBe((checkpoints[0]?.segment ?? 0) + 1)
    expect(head).toMatchObject({
      first: keys[0],
      segment: keys.at(-1),
      records: segments.reduce((sum, { records }) => sum + records, 0),
      bytes: segments.reduce((sum, { bytes }) => sum + bytes.length, 0),
    })
    const again = await open(chain)
    expect([again.known.lost, again.known.from.n]).toEqual([undefined, story[11]?.head.n])
    again.journal.close()
  })

  test('a checkpoint is not stored into a log that another core writes', async () => {
    const first = await open(chain)
    await write(first, story.slice(0, 6))
    const seam = await first.journal.seam()
    const second = await open(chain)
    await first.journal.keep(seam, bytesAt(5)).catch(() => undefined)
    expect(first.heard).toMatchObject({ failures: [], taken: 1 })
    expect((await stored()).checkpoints).toEqual([])
    first.journal.close()
    second.journal.close()
  })

  test('a recording goes on from the checkpoint behind a damaged segment', async () => {
    const record = await open(chain)
    await write(record, story, { checkpoints: [5] })
    await onDisk(chain, async db => {
      const [{ segment: key }] = (await db.getAll('ckpt')) as [StoredCheckpoint]
      const segment = (await db.get('seg', key)) as Segment
      segment.bytes[20] = (segment.bytes[20] ?? 0) ^ 1
      await db.put('seg', segment, key)
    })
    const after = story.slice(6).flatMap(({ lines }) => lines)
    expect(await record.journal.lines()).toEqual([...checkpointAt(5), ...after])
    record.journal.close()
  })
})
