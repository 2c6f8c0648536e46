/** Tabs of one origin for tests: workers with separate lives on one disk, with one set of locks. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { strict } from '../../../src/main/replay/strict.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import type { CoreConfig, PageAnswer } from '../../../src/events/wire.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { createLocks } from './locks.ts'
import { openPage, type TestPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'
import { soon } from '../../soon.ts'

install()

/** No server listens at these addresses: the tests look at the tabs. */
const nowhere = 'http://127.0.0.1:9'
export const config: CoreConfig = {
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
/** Patience for a leader that is slow, as on a busy machine, but not frozen. */
const patience = { pingMs: 40, silentMs: 8000 }
/** For tests that freeze the leader. */
export const impatience = { pingMs: 40, silentMs: 400 }
export type Tab = TestPage & Omit<Awaited<ReturnType<typeof live>>, 'value'>
const kills: (() => Promise<void>)[] = []
export let locks: Locks
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  emptyDisk()
  locks = createLocks()
})
afterEach(async () => {
  for (const kill of kills.splice(0)) await kill()
  vi.restoreAllMocks()
})

export async function openTab(tab: string, over: Partial<Parameters<typeof openPage>[0]> = {}): Promise<Tab> {
  const { value, enter, ...life } = await live(() => openPage({ config, locks, tab, patience, ...over }), 'shared')
  kills.push(life.kill)
  return { ...value, command: command => enter(() => value.command(command)), enter, ...life }
}

export const search = (text: string) => ({ type: 'listing.read', data: { page: 1, search: text } }) as const

/** Connects an installed wallet, whose page answers for it. */
export async function connectLantern(page: Tab, account: string): Promise<void> {
  const wallet = { walletId: 'lantern', name: 'Lantern' }
  await page.command({ type: 'connection.connectInstalled', data: { walletKey: 'k1', wallet } })
  await soon(() => expect(page.effects.length).toBeGreaterThan(0))
  const answer: PageAnswer = { type: 'wallet.connected', accounts: [account], features: [], identity: 'l' }
  await page.core.answer(page.effects[0]?.id ?? '', answer, page.tab)
  await page.until('the connection', model => Object.values(model.connection.made)[0])
}

/** The log as one tab gets it: whole, and its inputs make the same log and the same model again. */
export async function logOf(page: Tab) {
  const recording = await readRecording(await page.core.recording([]), sha256Hex)
  const { header, records, complete } = recording
  expect([complete, header.state]).toEqual([true, expect.anything()])
  expect(strict(recording, header.coreBuild)).toMatchObject({ ok: true })
  return records.map(({ record }) => record)
}
export const refsIn = (log: Awaited<ReturnType<typeof logOf>>) =>
  log.flatMap(record => (record.k === 'i' && record.ref !== undefined ? [record.ref] : []))

/** Resolves when all tabs have folded the same fact; their models are equal then. */
export async function agree(tabs: readonly Tab[]): Promise<void> {
  await soon(() => expect(new Set(tabs.map(tab => tab.seq())).size).toBe(1))
  const [first, ...others] = tabs.map(tab => JSON.stringify(tab.model()))
  for (const other of others) expect(other).toBe(first)
}
