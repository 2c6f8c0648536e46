import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { hashOfLines } from '../../../src/runtime/log/createSnapshots.ts'
import { checksumOf } from '../../../src/runtime/journal/checkpointRow.ts'
import type { StoredCheckpoint } from '../../../src/runtime/journal/journal.ts'
import { openRecord } from '../../../src/worker/journal/openLog.ts'
import { visit } from '../../simulation/visit.ts'
import { groupsOf, onDisk, open, write } from '../../worker/logs.ts'

const chain = 'chain'
const story = groupsOf(visit('installed sign').inputs)
const [older = 0, newest = 0] = [5, 11].map(at => story[at]?.head.n)

beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockReturnValue()
  const record = await open(chain)
  await write(record, story, { checkpoints: [5, 11] })
  record.journal.close()
})
afterEach(() => {
  vi.restoreAllMocks()
})

/** Rewrites a checkpoint, the newest one by default, as if it had been made so: its checksum is right. */
async function remade(
  change: (head: Record<string, unknown>, rows: string[]) => void,
  at: number = newest,
): Promise<void> {
  await onDisk(chain, async db => {
    const { sum: _, ...kept } = (await db.get('ckpt', at)) as StoredCheckpoint
    const [first = '', ...rows] = new TextDecoder().decode(kept.bytes).split('\n')
    const head = JSON.parse(first)
    change(head, rows)
    const made = { ...kept, bytes: new TextEncoder().encode([JSON.stringify(head), ...rows].join('\n')) }
    const sum = await checksumOf(made)
    await db.put('ckpt', { ...made, sum }, at)
  })
}

/** Swaps two rows; the rows of a model have one order only. */
function swap(head: Record<string, unknown>, rows: string[]): void {
  rows.unshift(...rows.splice(1, 1))
  head.state = hashOfLines(rows)
}

const silent = { failed: () => undefined, taken: () => undefined, shrunk: () => undefined }

/**
 * Opens the log as this build's core. @returns the checkpoint of the start, the model and the checkpoints left on disk
 */
async function opened(build: string) {
  const { journal, known } = await openRecord(chain, silent, 0, build)
  journal.close()
  const left = await onDisk(chain, db => db.getAllKeys('ckpt'))
  return { from: known.from.n, known, left }
}

const whole = JSON.parse(story[newest - 1]?.model ?? '')[0]

describe('checkpoint at a start', () => {
  test('is used when valid, and both stay', async () => {
    expect(await opened('core-build')).toMatchObject({ from: newest, left: [older, newest], known: { model: whole } })
  })

  test.each<[string, Parameters<typeof remade>[0]]>([
    ['has another hash than its rows', head => void (head.state = '00000000')],
    ['lacks a row', (_, rows) => void rows.pop()],
    ['folds to a model with other rows', swap],
  ])('is deleted when it %s, and the older one used', async (_name, change) => {
    await remade(change)
    const { from, left, known } = await opened('core-build')
    expect([from, left]).toEqual([older, [older]])
    expect([known.lost, known.lines.at(-1)]).toEqual([undefined, story.at(-1)?.lines.at(-1)])
    // The repaired log needs no second repair
    expect(await opened('core-build')).toMatchObject({ from: older, left: [older] })
  })

  test('of another build may have other rows of the same model', async () => {
    await remade(swap)
    expect(await opened('another build')).toMatchObject({ from: newest, left: [older, newest] })
  })

  test('of another build is deleted when its rows are not those that it was made of', async () => {
    await remade(head => void (head.state = '00000000'))
    expect(await opened('another build')).toMatchObject({ from: older, left: [older] })
  })

  test('that is older and not sound is deleted by the next repair', async () => {
    await remade(head => void (head.state = '00000000'), older)
    await onDisk(chain, async db => db.put('head', { ...(await db.get('head', 'head')), link: 'x' }, 'head'))
    expect(await opened('core-build')).toMatchObject({ from: newest, left: [newest] })
  })

  test('that is not sound is used when the older one is damaged and the first segments are gone', async () => {
    await remade(head => void (head.state = '00000000'))
    await onDisk(chain, async db => {
      await db.delete('ckpt', older)
      await db.delete('seg', 1)
    })
    const { from, known } = await opened('core-build')
    expect([from, known.lines.at(-1)]).toEqual([newest, story.at(-1)?.lines.at(-1)])
  })
})
