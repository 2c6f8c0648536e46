/** A leader's work for its followers: joining, and the prompts in their pages. */
import { expose } from 'comlink'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Attached, PageEffect, PageHello, PagePort } from '../../../src/events/wire.ts'
import { callsOver } from '../../../src/runtime/calls/callsOver.ts'
import { type Greeting, type LeaderCalls, leaderCallNames, openChannel } from '../../../src/runtime/tabs/channel.ts'
import { createLeaderTab, type RunningCore } from '../../../src/runtime/tabs/leaderTab.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import type { Calls } from '../../../src/worker/host/calls/calls.ts'
import { tabRules } from '../../../src/worker/tabs/tabRules.ts'

const { own: ownName, shared: sharedName, calls: callsName, page: pageName } = tabRules.channels
const returnMs = 1000
const open: { close(): void }[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  for (const one of open.splice(0)) one.close()
  vi.useRealTimers()
})

async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** A leader whose followers a test speaks for. */
function make() {
  const protocolVersion = crypto.randomUUID()
  const ends = new Map<string, () => void>()
  const request = (name: string, run: () => void) => new Promise<void>(resolve => ends.set(name, () => resolve(run())))
  const leader = createLeaderTab({
    ...tabRules,
    peer: 'leader',
    protocolVersion,
    locks: { request } as unknown as Locks,
    returnMs,
  })
  const channel = (name: string) => {
    const made = openChannel(name)
    open.push(made)
    return made
  }
  const shared = channel(sharedName(protocolVersion))
  const ports = new Map<string, PagePort>()
  const hear = vi.fn()
  const answerText = vi.fn(async () => 'text')
  const calls = {
    attach: async (hello: PageHello, port: PagePort) => {
      ports.set(hello.tab, port)
      return { life: 1, seq: 0, model: {} } as unknown as Attached
    },
    answer: async () => undefined,
    answerText,
  }
  const leave = vi.fn()
  const pages = { relay: () => undefined, leave }
  const running = { open: { life: 1, core: { seq: 0 }, pages, hear }, calls, log: 'g' }
  open.push(leader)
  return {
    leader,
    hear,
    leave,
    answerText,
    begin: () => leader.opened(running as unknown as RunningCore),
    prompt: (tab: string, id: string) =>
      ports.get(tab)?.perform({ id, type: 'wallet.connect', data: {} } as unknown as PageEffect),
    /** A worker begins to follow. */
    follow(id: string) {
      const greetings: Greeting[] = []
      channel(ownName(protocolVersion, id)).onmessage = ({ data }: MessageEvent<Greeting>) => greetings.push(data)
      const pair = { protocolVersion, leader: 'leader', follower: id }
      expose({ perform: async () => undefined }, channel(pageName(pair)))
      const { calls: core } = callsOver<LeaderCalls & Omit<Calls, 'attach'>>(
        channel(callsName(pair)),
        leaderCallNames(tabRules.calls),
      )
      return {
        greetings,
        core,
        async join() {
          shared.postMessage({ k: 'join', from: id })
          await settle()
        },
        async attach(tab: string) {
          await this.join()
          await core.attach({ tab } as PageHello)
        },
        /** The worker ends. */
        async end() {
          ends.get(`mai-peer-${id}`)?.()
          await settle()
        },
      }
    },
  }
}

describe('leader: a follower', () => {
  test('that joins while the core opens hears that it does', async () => {
    const { follow, begin } = make()
    const follower = follow('one')
    await follower.join()
    expect(follower.greetings).toEqual([{ k: 'opening', from: 'leader' }])
    begin()
    await follower.join()
    expect(follower.greetings.at(-1)).toMatchObject({ k: 'welcome', life: 1, log: 'g' })
  })

  test('that joins twice has its calls answered once', async () => {
    const { follow, begin, answerText } = make()
    begin()
    const follower = follow('one')
    await follower.join()
    await follower.join()
    expect(await follower.core.answerText('r1')).toBe('text')
    await settle()
    expect(answerText).toHaveBeenCalledOnce()
  })
})

describe('leader: a prompt in a follower’s page', () => {
  async function prompted() {
    const made = make()
    made.begin()
    const [two, three] = [made.follow('two'), made.follow('three')]
    await two.attach('t-2')
    await three.attach('t-3')
    await made.prompt('t-2', 'e1.1.0')
    await made.prompt('t-3', 'e1.2.0')
    return { ...made, two, three }
  }

  test('fails once its tab is gone for a while, and no other does', async () => {
    const { two, hear } = await prompted()
    await two.end()
    vi.advanceTimersByTime(returnMs - 1)
    expect(hear).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(hear.mock.calls).toMatchObject([[{ type: 'wallet.failed', to: 'e1.1.0', tab: 't-2' }]])
  })

  test('stays open when its tab comes back with a new worker', async () => {
    const { two, follow, hear } = await prompted()
    await two.end()
    await follow('two again').attach('t-2')
    vi.advanceTimersByTime(returnMs)
    expect(hear).not.toHaveBeenCalled()
  })

  test('stays open when the tab’s former worker ends after the new one has joined', async () => {
    const { two, follow, hear, leave } = await prompted()
    await follow('two again').attach('t-2')
    await two.end()
    expect(leave).not.toHaveBeenCalled()
    vi.advanceTimersByTime(returnMs)
    expect(hear).not.toHaveBeenCalled()
  })

  test('that is answered does not fail when its tab is closed', async () => {
    const { two, hear } = await prompted()
    await two.core.answer('e1.1.0', { type: 'wallet.sent', signature: 's' }, 't-2')
    await two.end()
    vi.advanceTimersByTime(returnMs)
    expect(hear).not.toHaveBeenCalled()
  })
})
