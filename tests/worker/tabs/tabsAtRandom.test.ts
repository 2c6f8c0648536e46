import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import type { CoreConfig } from '../../../src/events/wire.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../../src/worker/drivers/digest.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { createFactQueue } from '../../../src/runtime/page/factQueue.ts'
import { createLocks } from './locks.ts'
import { openPage, type TestPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'
import { soon } from '../../soon.ts'

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
const patience = { pingMs: 15, silentMs: 60 }

/**
 * `turns` of the event loop pass after it, so that deaths fall before a call is taken, before its commit and before its
 * answer.
 */
type Deed = { does: 'join' | 'kill' | 'freeze' | 'thaw' | 'command' | 'show'; on: number; turns: number }
type Living = TestPage &
  Awaited<ReturnType<typeof live>> & { queue: ReturnType<typeof createFactQueue>; isFrozen?: true }
type Given = { ref: string; by: Living; came?: 'acknowledged' | 'given up' }

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.oneof(
    { weight: 6, arbitrary: fc.constant('command' as const) },
    { weight: 3, arbitrary: fc.constant('join' as const) },
    { weight: 2, arbitrary: fc.constant('kill' as const) },
    { weight: 1, arbitrary: fc.constant('freeze' as const) },
    { weight: 1, arbitrary: fc.constant('thaw' as const) },
    { weight: 2, arbitrary: fc.constant('show' as const) },
  ),
  on: fc.nat(5),
  turns: fc.oneof(fc.constant(0), fc.nat(10), fc.nat(150)),
})

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})

/** Tabs open, close, freeze and die while commands are on their way. */
async function run(deeds: readonly Deed[]): Promise<void> {
  emptyDisk()
  const locks = createLocks()
  let tabs: Living[] = []
  const given: Given[] = []
  let opened = 0

  async function join(): Promise<void> {
    opened += 1
    const tab = `t-${opened}`
    const { value, ...life } = await live(() => openPage({ config, locks, tab, patience, early: true }), 'shared')
    const core = () => (value.joins() > 0 ? value.core : undefined)
    const store = { flush: () => undefined, folded: () => 0, dispatch: () => undefined }
    const queue = createFactQueue({ store, tab, early: [], now: () => 1, life: () => 0, core })
    tabs.push({ ...value, ...life, value, queue })
  }

  /** Ends tabs whose worker gave up, as after a lost lead; a supervisor would start the next one. */
  async function bury(): Promise<void> {
    for (const tab of tabs.filter(one => one.died() !== undefined)) await kill(tab)
  }
  async function kill(tab: Living): Promise<void> {
    tabs = tabs.filter(one => one !== tab)
    await tab.kill()
  }

  async function act({ does, on }: Deed): Promise<void> {
    await bury()
    const tab = tabs[on % Math.max(1, tabs.length)]
    if (does === 'join' || !tab) return tabs.length < 5 ? join() : undefined
    // The oldest usually leads
    if (does === 'kill') return kill(on < 3 ? (tabs[0] ?? tab) : tab)
    if (does === 'freeze' && !tab.isFrozen && tabs.filter(one => !one.isFrozen).length > 1) {
      tab.isFrozen = true
      return tab.freeze()
    }
    if (does === 'thaw') {
      delete tab.isFrozen
      return tab.thaw()
    }
    // The supervisor holds the commands of a page that has not joined
    if (tab.isFrozen || tab.joins() === 0) return
    if (does === 'show') return tab.enter(() => tab.queue.dispatch({ type: 'tab.themed', data: { theme: 'dark' } }))
    const asked = { type: 'listing.read', data: { page: 1, search: `${tab.tab} ${given.length}` } } as const
    const { ref, taken } = tab.enter(() => tab.give(asked))
    const command: Given = { ref, by: tab }
    given.push(command)
    taken.then(
      // A dead worker's answers reach no page
      () => tabs.includes(tab) && (command.came = 'acknowledged'),
      () => tabs.includes(tab) && (command.came = 'given up'),
    )
    await Promise.resolve()
  }

  try {
    await join()
    for (const one of deeds) {
      await act(one)
      for (let turn = 0; turn < one.turns; turn++) await new Promise<void>(resolve => setImmediate(resolve))
    }
    for (const tab of tabs) {
      delete tab.isFrozen
      tab.thaw()
    }
    await join()
    // All living tabs end with the same model
    await soon(async () => {
      await bury()
      expect(tabs.filter(tab => tab.joins() === 0).map(tab => tab.tab)).toEqual([])
      expect(new Set(tabs.map(tab => tab.seq())).size).toBe(1)
      expect(new Set(tabs.map(tab => JSON.stringify(tab.model()))).size).toBe(1)
      const open = given.filter(({ by, came }) => tabs.includes(by) && came === undefined)
      expect(open.map(({ ref }) => ref)).toEqual([])
    })

    const text = (await tabs.at(-1)?.core.recording([])) ?? ''
    const { records, complete } = await readRecording(text, sha256Hex)
    const refs = records.flatMap(({ record }) => (record.k === 'i' && record.ref !== undefined ? [record.ref] : []))
    expect(complete).toBe(true)
    expect(reexecute(records, deciders)).toMatchObject({ ok: true })
    expect(new Set(refs).size, 'commands taken twice').toBe(refs.length)
    // A living page gets its acknowledgement, whichever tab led at the command
    expect(given.filter(({ by, came }) => tabs.includes(by) && came === 'given up')).toEqual([])
    const acknowledged = given.filter(({ came }) => came === 'acknowledged').map(({ ref }) => ref)
    expect(acknowledged.filter(ref => !refs.includes(ref))).toEqual([])
  } finally {
    for (const tab of tabs) await tab.kill()
  }
}

test('tabs at random: each command is taken once, and all tabs end with the same model', async () => {
  const numRuns = Number(process.env.TABS_RUNS ?? 25)
  await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 24 }), run), {
    numRuns,
    seed: Number(process.env.TABS_SEED ?? 3),
  })
}, 600_000)
