import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import type { IDBPDatabase } from 'idb'
import { logFormat } from '../../../src/events/log/logFormat.ts'
import { newerBuild, type Novelty } from '../newerBuild.ts'
import { visit } from '../../simulation/visit.ts'
import { groupsOf, onDisk, open, write } from '../logs.ts'

const chain = 'chain'
const story = groupsOf(visit('installed sign').inputs)
const { life = 0, n = 0, seq = 0 } = story.at(-1)?.head ?? {}

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function everything(db: IDBPDatabase) {
  const stores = [...db.objectStoreNames]
  return Promise.all(stores.map(async name => [name, await db.getAllKeys(name), await db.getAll(name)]))
}

/** One more input, with a fact that only the newer build knows, and a key. */
async function writeNovelty({ type, v }: Novelty): Promise<void> {
  const record = await open(chain)
  record.journal.append(
    [
      `{"k":"i","n":${n + 1},"at":9,"type":"page.online","v":1,"data":{"online":true}}`,
      `{"k":"f","seq":${seq + 1},"n":${n + 1},"at":9,"type":"${type}","v":${v},"data":{}}`,
    ],
    { life, n: n + 1, seq: seq + 1 },
  )
  record.keys.put('topic:gift-topic', { sealed: true })
  await record.journal.flush('strict')
  record.journal.close()
}

const novelties: Novelty[] = [
  { type: 'gift.made', v: 1 },
  { type: 'network.offline', v: 2 },
]

test.each(novelties)('newer log: $type v$v leaves the disk as it is, and its own build reads on', async novelty => {
  const first = await open(chain)
  await write(first, story, { checkpoints: [5, 11] })
  first.journal.close()
  await newerBuild(novelty, () => writeNovelty(novelty))

  const before = await onDisk(chain, everything)
  const { journal, keys, bytes, obstacle, known } = await open(chain)
  expect([journal.storage, obstacle, await keys.names()]).toEqual(['memory', 'newer', []])
  // Everything before the unknown fact is shown
  expect([known.head.n, known.head.seq]).toEqual([n, seq])
  journal.append(['{"k":"i"}'], { life: 9, n: 9, seq: 9 })
  keys.put('topic:mine', {})
  await keys.delete(['topic:gift-topic'])
  await bytes.put(new Uint8Array(3), 'mine')
  await journal.flush('relaxed')
  await journal.keep(await journal.seam(), new Uint8Array(3))
  journal.close()
  expect(await onDisk(chain, everything)).toEqual(before)

  await newerBuild(novelty, async () => {
    const again = await open(chain)
    expect([again.journal.storage, again.obstacle, again.known.lost]).toEqual(['durable', undefined, undefined])
    expect(again.known.facts.at(-1)).toMatchObject(novelty)
    expect(await again.keys.get('topic:gift-topic')).toEqual({ sealed: true })
    again.journal.close()
  })
})

test.each(novelties)('newer log: a damaged one with $type v$v is not repaired by an older build', async novelty => {
  const first = await open(chain)
  await write(first, story)
  first.journal.close()
  await newerBuild(novelty, () => writeNovelty(novelty))
  await onDisk(chain, async db => db.put('head', { ...(await db.get('head', 'head')), link: 'x' }, 'head'))
  const before = await onDisk(chain, everything)
  const { journal, obstacle } = await open(chain)
  expect([journal.storage, obstacle]).toEqual(['memory', 'newer'])
  expect(await onDisk(chain, everything)).toEqual(before)
})

test('newer log: a higher format number is enough, whatever the log holds', async () => {
  const first = await open(chain)
  await write(first, story)
  first.journal.close()
  const head = await onDisk(chain, db => db.get('head', 'head'))
  expect(head.format).toBe(logFormat)
  await onDisk(chain, db => db.put('head', { ...head, format: logFormat + 1 }, 'head'))
  const before = await onDisk(chain, everything)
  const { journal, obstacle, known } = await open(chain)
  expect([journal.storage, obstacle]).toEqual(['memory', 'newer'])
  expect([known.head.n, known.head.seq]).toEqual([n, seq])
  expect(await onDisk(chain, everything)).toEqual(before)
})

test('newer log: a log without the number opens as before, and has one from then on', async () => {
  const first = await open(chain)
  await write(first, story)
  first.journal.close()
  await onDisk(chain, async db => {
    const { format, ...head } = await db.get('head', 'head')
    expect(format).toBe(logFormat)
    await db.put('head', head, 'head')
  })
  const { journal, known } = await open(chain)
  expect([journal.storage, known.head.n, known.lost]).toEqual(['durable', n, undefined])
  journal.close()
  expect(await onDisk(chain, db => db.get('head', 'head'))).toMatchObject({ format: logFormat, n, seq })
})
