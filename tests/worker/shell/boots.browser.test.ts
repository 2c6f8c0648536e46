/** Very many tabs at once, with the locks, channels and database of a real browser. */
import { expect, test } from 'vitest'
import type { CoreConfig, PageHello, PagePort } from '../../../src/events/wire.ts'
import { createShell } from '../../../src/worker/shell.ts'

/** Nothing answers at these addresses: what is tested here is that every core begins. */
const nowhere = 'http://127.0.0.1:9'
const config: CoreConfig = {
  appBuild: 'test',
  coreBuild: 'test',
  projectId: 'p',
  relayUrls: ['ws://127.0.0.1:9'],
  solanaRpcUrl: nowhere,
  apiUrl: nowhere,
  termsUrl: nowhere,
  featured: [],
  metadata: { name: 'n', description: 'd', url: 'u', icons: [] },
}
const hello = { language: 'en', timeZone: 'UTC', visible: true, online: true, asking: [], answered: [] }
const boots = 100

/** Begins one, joins whatever core it reaches, gives a command. @returns the life it joined, once the command is kept */
async function boot(tab: string): Promise<number> {
  const core = createShell()
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
  await core.command({ type: 'listing.read', data: { page: 1, search: tab } }, `${tab}.c1`, tab)
  return life
}

test('a hundred cores that begin at once in one page are one core: none hangs, and each command is kept', async () => {
  const lives = await Promise.all(Array.from({ length: boots }, (_, at) => boot(`t-${at}`)))
  expect(new Set(lives)).toEqual(new Set([1]))
})
