import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readRecording } from '../../../src/events/recording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import type { Locks } from '../../../src/worker/locks.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/reexecute.ts'
import { createLocks } from './locks.ts'
import { openPage, type TestPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'

install()

/** Nothing answers at these addresses: what is tested here is the tabs. */
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
const patience = { pingMs: 40, silentMs: 150 }
type Tab = TestPage & { kill(): Promise<void> }
const kills: (() => Promise<void>)[] = []
let locks: Locks

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  emptyDisk()
  locks = createLocks()
})
afterEach(async () => {
  for (const kill of kills.splice(0)) await kill()
  vi.restoreAllMocks()
})

async function open(tab: string, over: Partial<Parameters<typeof openPage>[0]> = {}): Promise<Tab> {
  const { value, enter, kill } = await live(() => openPage({ config, locks, tab, patience, ...over }))
  kills.push(kill)
  return { ...value, command: command => enter(() => value.command(command)), kill }
}

const search = (text: string) => ({ type: 'listing.read', data: { page: 1, search: text } }) as const

/** The log as one tab gets it: whole, and its inputs make the same log again. */
async function logOf(page: Tab) {
  const { records, complete } = await readRecording(await page.core.recording([]), sha256Hex)
  expect(complete).toBe(true)
  expect(reexecute(records, deciders)).toMatchObject({ ok: true })
  return records.map(({ record }) => record)
}
const refsIn = (log: Awaited<ReturnType<typeof logOf>>) =>
  log.flatMap(record => (record.k === 'i' && record.ref !== undefined ? [record.ref] : []))

/** Resolves when all tabs stand at the same fact; their models are the same then. */
async function agree(tabs: readonly Tab[]): Promise<void> {
  await vi.waitFor(() => expect(new Set(tabs.map(tab => tab.seq())).size).toBe(1), 5000)
  const [first, ...others] = tabs.map(tab => JSON.stringify(tab.model()))
  for (const other of others) expect(other).toBe(first)
}

describe('a second tab', () => {
  test('has the same core, sees everything, and its commands are answered', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    expect(await two.core.ping()).toBe(1)
    await two.command(search('from-two'))
    await one.command(search('from-one'))
    await agree([one, two])
    expect(two.facts.length).toBeGreaterThan(0)
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1', 't-1.c1'])
  })

  test('takes the lead when the first is killed, and loses no command that was given meanwhile', async () => {
    const [one, two] = [await open('t-1'), await open('t-2')]
    await two.command(search('before'))
    const killed = one.kill()
    const given = two.command(search('meanwhile'))
    await killed
    await given
    expect(two.model().core.life).toBe(2)
    expect(two.joins()).toBe(2)
    expect(refsIn(await logOf(two))).toEqual(['t-2.c1', 't-2.c2'])
  })
})
