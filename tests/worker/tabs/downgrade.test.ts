/** A visitor after a rollback: the older build shows the part of the log it can read and writes nothing. */
import { openDB } from 'idb'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { openRecord } from '../../../src/worker/journal/openLog.ts'
import { newerBuild, type Novelty } from '../newerBuild.ts'
import { createLocks } from './locks.ts'
import { openPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'

install()

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
const newest = { ...config, coreBuild: 'newest' }

beforeEach(() => {
  emptyDisk()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

const start = (settings: CoreConfig, cause: 'start' | 'lost') =>
  live(() => openPage({ config: settings, locks: createLocks(), cause }))
const ports = { failed: vi.fn(), taken: vi.fn(), shrunk: vi.fn() }

/** Everything in every database of the origin. */
async function disk() {
  const names = (await indexedDB.databases()).map(({ name = '' }) => name).sort()
  return Promise.all(
    names.map(async name => {
      const db = await openDB(name)
      const stores = [...db.objectStoreNames]
      const all = await Promise.all(stores.map(async one => [one, await db.getAllKeys(one), await db.getAll(one)]))
      db.close()
      return [name, all]
    }),
  )
}

/** Writes a fact of the newer build through the journal, since that build's core is not here. */
async function writeNovelty({ type, v }: Novelty): Promise<void> {
  const { journal, keys } = await openRecord('', ports)
  const { life, n, seq } = journal.head()
  journal.append(
    [
      `{"k":"i","n":${n + 1},"at":9,"type":"page.online","v":1,"data":{"online":true}}`,
      `{"k":"f","seq":${seq + 1},"n":${n + 1},"at":9,"type":"${type}","v":${v},"data":{}}`,
    ],
    { life, n: n + 1, seq: seq + 1 },
  )
  keys.put('topic:gift-topic', { sealed: true })
  await journal.flush('strict')
  journal.close()
}

test.each([
  { type: 'gift.made', v: 1 },
  { type: 'network.offline', v: 2 },
])('downgrade: a log with $type v$v stays byte for byte, and the page gives the reason', async novelty => {
  await newerBuild(novelty, async () => {
    const { value: page, kill } = await start(newest, 'start')
    await page.command({ type: 'listing.read', data: { page: 1, search: 'kept' } })
    await kill()
    await writeNovelty(novelty)
  })

  const before = await disk()
  const { value: older, kill } = await start(config, 'lost')
  expect(older.model().core).toMatchObject({ storage: 'memory', obstacle: 'newer' })
  await older.command({ type: 'listing.read', data: { page: 1, search: 'lost' } })
  await kill()
  expect(await disk()).toEqual(before)

  await newerBuild(novelty, async () => {
    const { value: page, kill: end } = await start(newest, 'lost')
    expect(page.model().core.storage).toBe('durable')
    expect(page.model().core.obstacle).toBeUndefined()
    const text = await page.core.recording([])
    expect(text).toContain(`"type":"${novelty.type}","v":${novelty.v}`)
    expect(text).toContain('"search":"kept"')
    await end()
  })
})
