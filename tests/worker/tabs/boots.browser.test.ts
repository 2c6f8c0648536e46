/** Many tabs at once, a hundred with every case, with the locks, channels and database of a real browser. */
import { beforeAll, expect, test } from 'vitest'
import type { Core, CoreConfig, PageHello, PagePort } from '../../../src/events/wire.ts'
import { createShell } from '../../../src/worker/tabs/shell.ts'
import { everyCase } from '../../everyCase.ts'

/** No server listens at these addresses: the tests look at the start of each core. */
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
const hello = { language: 'en', timeZone: 'UTC', visible: true, online: true, asking: [], answered: [] }
const boots = everyCase ? 100 : 20

/** Begins a core, or joins the leader's. @throws what a core died of */
async function boot(tab: string): Promise<{ core: Core; tab: string; life: number }> {
  let fail = (_cause: unknown): void => {}
  const died = new Promise<never>((_, reject) => (fail = reject))
  // All tabs share one thread: while a hundred work, the leader must not count as frozen or late, nor a call as lost
  const core = createShell({ patience: { silentMs: 600_000, openMs: 600_000 }, die: cause => fail(cause) })
  return Promise.race([died, begin(core, tab)])
}

async function begin(core: Core, tab: string): Promise<{ core: Core; tab: string; life: number }> {
  const mine: PageHello = { ...hello, tab }
  let life = 0
  const join = async () => {
    expect(await core.standing()).toBe('joined')
    life = (await core.attach(mine, port)).life
  }
  const port: PagePort = {
    facts: async () => undefined,
    perform: async () => undefined,
    detached: () => join().catch(() => undefined),
    restart: async () => undefined,
    otherBuild: async () => undefined,
  }
  await core.begin(config, mine, 'start')
  await join()
  return { core, tab, life }
}

// Other files of this browser leave logs of their own
beforeAll(async () => {
  for (const { name = '' } of await indexedDB.databases())
    await new Promise<unknown>((resolve, reject) => {
      const gone = indexedDB.deleteDatabase(name)
      gone.onsuccess = resolve
      gone.onerror = reject
    })
})

test('boots: many tabs that begin at once share one core, and none hangs', async () => {
  const begun = await Promise.all(Array.from({ length: boots }, (_, at) => boot(`t-${at}`)))
  expect(new Set(begun.map(({ life }) => life))).toEqual(new Set([1]))
  for (const { core, tab } of begun.slice(-2))
    await core.command({ type: 'listing.read', data: { page: 1, search: tab } }, `${tab}.c1`, tab)
  // A net for a hang: alone it takes 22 s on a slow machine, beside other tests several times as long
}, 600_000)
