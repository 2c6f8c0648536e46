import { type IDBPDatabase, openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { openRecord } from '../../../src/worker/journal/openLog.ts'
import { logName } from '../../../src/worker/journal/storage.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import type { LogState } from '../../../src/worker/journal/logState.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { parsed } from '../../events/recordedLog.ts'
import { visit } from '../../simulation/visit.ts'
import { type Group, groupsOf, onDisk, open, write } from '../logs.ts'

const chain = 'chain'
const story = groupsOf(visit('installed sign').inputs)
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

/** A log on disk, closed. */
async function written(groups: readonly Group[], options?: Parameters<typeof write>[2]): Promise<void> {
  const record = await open(chain)
  await write(record, groups, options)
  record.journal.close()
}

async function reopened() {
  const record = await open(chain)
  return { ...record, lines: await record.journal.lines() }
}

async function everything(db: IDBPDatabase) {
  const stores = [...db.objectStoreNames]
  return Promise.all(stores.map(async name => [name, await db.getAllKeys(name), await db.getAll(name)]))
}

describe('a life’s number', () => {
  test('in memory after one in memory is new, because the page still holds answers for the other', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('denied', 'SecurityError')
    })
    const first = await open(chain)
    const next = await open(chain, first.life)
    expect([first.journal.storage, first.life, next.life]).toEqual(['memory', 1, 2])
  })

  test('on disk after one in memory is above it, and the next ones continue from there', async () => {
    await written(story)
    const inMemory = story.at(-1)?.head.life ?? 0
    const record = await open(chain, inMemory + 4)
    expect([record.journal.storage, record.life]).toEqual(['durable', inMemory + 5])
    record.journal.close()
    expect((await open(chain, 1)).life).toBe(inMemory + 6)
  })
})

describe('a life that is given up while its log is opened', () => {
  test('writes nothing', async () => {
    await written(story)
    const before = await onDisk(chain, everything)
    const ports = { failed: () => undefined, taken: () => undefined, shrunk: () => undefined }
    const opening = openRecord(chain, ports, 0, 'core-build', () => false)
    await expect(opening).rejects.toMatchObject({ code: 'core_lost' })
    expect(await onDisk(chain, everything)).toEqual(before)
  })
})

describe('a reopened log', () => {
  test('is the written one, line for line', async () => {
    await written(story)
    const { known, lines, journal } = await reopened()
    expect(lines).toEqual(linesOf(story))
    expect(worldOf(known)).toEqual(worldAfter(story, story.length))
    expect([journal.storage, known.lost]).toEqual(['durable', undefined])
  })

  test('continues from its newest checkpoint, and a recording still has all of it', async () => {
    await written(story, { checkpoints: [5, 11, 17] })
    const { known, lines } = await reopened()
    expect(known.from).toEqual({ n: story[17]?.head.n, seq: story[17]?.head.seq })
    expect(known.facts.length).toBe(
      story.slice(18).flatMap(({ lines: all }) => all.filter(line => line[6] === 'f')).length,
    )
    expect(worldOf(known)).toEqual(worldAfter(story, story.length))
    // The two newest checkpoints stand in their places
    expect(lines).toEqual([
      ...linesOf(story.slice(0, 12)),
      ...(story[11]?.checkpoint() ?? []),
      ...linesOf(story.slice(12, 18)),
      ...(story[17]?.checkpoint() ?? []),
      ...linesOf(story.slice(18)),
    ])
    expect(reexecute(parsed(lines), deciders, { build: 'core-build' })).toMatchObject({ ok: true })
  })

  test('with a damaged newest checkpoint continues from the older one, and from its beginning without both', async () => {
    await written(story, { checkpoints: [5, 11] })
    for (const at of [11, 5]) {
      await onDisk(chain, async db => {
        const kept = await db.get('ckpt', story[at]?.head.n ?? 0)
        kept.bytes[40] ^= 1
        await db.put('ckpt', kept, kept.n)
      })
      const { known, lines, journal } = await reopened()
      expect(known.from.n).toBe(at === 11 ? story[5]?.head.n : 0)
      expect(worldOf(known)).toEqual(worldAfter(story, story.length))
      expect(known.lost).toBeUndefined()
      expect(lines.filter(line => line[6] !== 'c' && line[6] !== 'r')).toEqual(linesOf(story))
      journal.close()
    }
  })
})

describe('a flipped byte', () => {
  /** Flips one byte of a segment. @returns the group it is in */
  async function flip(groups: readonly Group[], key: number, at: number): Promise<number> {
    let lineAt = 0
    await onDisk(chain, async db => {
      const segment = (await db.get('seg', key)) as Segment
      const before = await db.getAll('seg')
      lineAt = before.slice(0, key - 1).reduce((sum, { records }: Segment) => sum + records, 0)
      for (let i = 0; i < at; i++) if (segment.bytes[i] === 10) lineAt += 1
      segment.bytes[at] = (segment.bytes[at] ?? 0) ^ 1
      await db.put('seg', segment, key)
    })
    let line = 0
    return groups.findIndex(({ lines }) => (line += lines.length) > lineAt)
  }

  test('is found at its record: the log keeps every proved group, and counts the others', async () => {
    await written(story)
    const clean = indexedDB
    const sizes = await onDisk(chain, async db => (await db.getAll('seg')).map(({ bytes }: Segment) => bytes.length))
    const places = sizes.flatMap((size, index) =>
      [0, 4, 8, 9, size >> 1, size - 2, size - 1].map(at => [index + 1, at]),
    )
    for (const [key = 0, at = 0] of places) {
      globalThis.indexedDB = await copied(clean)
      const group = await flip(story, key, at)
      const { known, lines, journal } = await reopened()
      const count = known.facts.length === 0 ? 0 : story.findIndex(({ head }) => head.n === known.head.n) + 1
      // The damaged line may belong to the group before it, so that group may go too
      expect([group, group - 1]).toContain(count)
      expect(lines).toEqual(linesOf(story.slice(0, count)))
      expect(known.lost).toEqual({ records: linesOf(story.slice(count)).length })
      if (count > 0) expect(worldOf(known)).toEqual(worldAfter(story, count))
      journal.close()
      // The repair is on disk: the rest opens without loss
      const again = await reopened()
      expect([again.known.lost, again.lines]).toEqual([undefined, lines])
      again.journal.close()
    }
  })

  test('before a checkpoint costs only the history', async () => {
    await written(story, { checkpoints: [5, 11] })
    await flip(story, 1, 60)
    const { known, lines } = await reopened()
    expect(known.lost).toBeUndefined()
    expect(worldOf(known)).toEqual(worldAfter(story, story.length))
    expect(lines[0]?.slice(0, 8)).toBe('{"k":"c"')
    expect(reexecute(parsed(lines), deciders, { build: 'core-build' })).toMatchObject({ ok: true })
  })
})

describe('a log in which', () => {
  const harms: [string, (db: IDBPDatabase) => Promise<unknown>, number][] = [
    ['a segment is missing', db => db.delete('seg', 3), 8],
    [
      'two segments changed places',
      async db => {
        const [third, fourth] = [await db.get('seg', 3), await db.get('seg', 4)]
        await db.put('seg', fourth, 3)
        await db.put('seg', third, 4)
      },
      8,
    ],
    ['the newest segment is missing', async db => db.delete('seg', Number((await db.getAllKeys('seg')).at(-1))), -1],
    [
      'the link of the head is another',
      async db => db.put('head', { ...(await db.get('head', 'head')), link: 'x' }, 'head'),
      -2,
    ],
  ]
  test.each(harms)('%s is cut to its proved prefix', async (_name, harm, expected) => {
    await written(story)
    await onDisk(chain, harm)
    const { known, lines } = await reopened()
    const left = story.length % 4 || 4
    const count = expected === -1 ? story.length - left : expected === -2 ? story.length : expected
    expect(lines).toEqual(linesOf(story.slice(0, count)))
    expect(worldOf(known)).toEqual(worldAfter(story, count))
    const records = linesOf(story.slice(count)).length
    expect(known.lost).toEqual(records > 0 ? { records } : undefined)
  })

  test('the head is missing never reuses a life’s number', async () => {
    await written(story)
    await onDisk(chain, db => db.delete('head', 'head'))
    const { life, lines } = await reopened()
    expect(lines).toEqual(linesOf(story))
    expect(life).toBe(2)
  })
})

describe('a log of version 1', () => {
  /** The format of the first release: plain lines, a head without links. */
  async function oldLog(groups: readonly Group[], damage: (text: string) => string = text => text): Promise<void> {
    const db = await openDB(logName(chain), 1, {
      upgrade(made) {
        for (const store of ['seg', 'head', 'keys', 'bytes']) made.createObjectStore(store)
      },
    })
    let segment = 0
    for (let at = 0; at < groups.length; at += 3) {
      segment += 1
      const text = `${linesOf(groups.slice(at, at + 3)).join('\n')}\n`
      await db.put('seg', new TextEncoder().encode(at === 6 ? damage(text) : text), segment)
    }
    await db.put('head', { ...groups.at(-1)?.head, segment }, 'head')
    await db.put('keys', { sealed: true }, 'topic:t')
    db.close()
  }

  test('is opened with every line, and with its other stores', async () => {
    await oldLog(story)
    const { known, lines, keys, life } = await reopened()
    expect([lines, known.lost]).toEqual([linesOf(story), undefined])
    expect(worldOf(known)).toEqual(worldAfter(story, story.length))
    expect(life).toBe((story.at(-1)?.head.life ?? 0) + 1)
    expect(await keys.get('topic:t')).toEqual({ sealed: true })
  })

  test('continues in the new format: later lines are checked, and another start finds all of them', async () => {
    await oldLog(story.slice(0, 10))
    const record = await open(chain)
    await write(record, story.slice(10))
    record.journal.close()
    const { lines, known } = await reopened()
    expect([lines, known.lost]).toEqual([linesOf(story), undefined])
  })

  test('with a line cut short is cut before it, and counted', async () => {
    await oldLog(story, text => text.replace(/\n(\{"k":"f"[^\n]*)\n/, (_, line: string) => `\n${line.slice(0, -3)}\n`))
    const { lines, known } = await reopened()
    expect(lines.length).toBeGreaterThan(0)
    expect(linesOf(story).slice(0, lines.length)).toEqual(lines)
    expect(known.lost).toEqual({ records: linesOf(story).length - lines.length })
  })
})

describe('a log of a later format', () => {
  const later = async (harm: (db: IDBPDatabase) => Promise<unknown> = async () => undefined) => {
    const db = await openDB(logName(chain), 3)
    await harm(db)
    db.close()
  }

  test('stays untouched; its readable part is shown from memory', async () => {
    await written(story, { checkpoints: [5] })
    await later()
    const before = await onDisk(chain, everything)
    const { journal, known, obstacle, lines } = await reopened()
    expect([journal.storage, obstacle]).toEqual(['memory', 'newer'])
    expect(worldOf(known)).toEqual(worldAfter(story, story.length))
    expect(lines).toEqual(linesOf(story))
    journal.append(['{"k":"i"}'], { life: 9, n: 9, seq: 9 })
    await journal.flush('relaxed')
    expect(await onDisk(chain, everything)).toEqual(before)
  })

  test('without a readable part is reported all the same', async () => {
    await written(story)
    await later(async db => {
      await db.clear('seg')
      await db.put('seg', { zipped: 'x' }, 1)
    })
    const { journal, obstacle, lines } = await reopened()
    expect([journal.storage, obstacle, lines]).toEqual(['memory', 'newer', []])
  })
})

test('open log: a tab of an older version that holds the database is reported, and the start does not wait', async () => {
  const old = await openDB(logName(chain), 1, { upgrade: made => void made.createObjectStore('seg') })
  const { journal, obstacle } = await open(chain)
  expect([journal.storage, obstacle]).toEqual(['memory', 'blocked'])
  old.close()
})

test('open log: an older tab of ours closes by itself', async () => {
  await written(story)
  const old = await open(chain)
  const newer = await openDB(logName(chain), 3)
  old.journal.append(['late'], { life: 9, n: 9, seq: 9 })
  await expect(old.journal.flush('strict')).rejects.toBeInstanceOf(Error)
  expect(old.heard.failures).toHaveLength(1)
  newer.close()
})

/** A second disk with the same content. */
async function copied(from: IDBFactory): Promise<IDBFactory> {
  const to = new IDBFactory()
  globalThis.indexedDB = from
  const all = await onDisk(chain, everything)
  globalThis.indexedDB = to
  const db = await openDB(logName(chain), 2, {
    upgrade(made) {
      for (const [name] of all) made.createObjectStore(name as string)
    },
  })
  for (const [name, keys, values] of all)
    for (const [index, key] of (keys as IDBValidKey[]).entries())
      await db.put(name as string, (values as unknown[])[index], key)
  db.close()
  return to
}
