import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openChannel, type TabNotice } from '../../../src/runtime/tabs/channel.ts'
import type { Locks } from '../../../src/runtime/tabs/locks.ts'
import { openTabs, tabRules } from '../../../src/worker/tabs/tabRules.ts'

const silentMs = 600
const open: { close(): void }[] = []

/** Channels of an origin of their own: others reach every thread of this process. */
class OwnChannel extends BroadcastChannel {
  constructor(name: string) {
    super(`${origin} ${name}`)
  }
}
let origin = ''

beforeEach(() => {
  origin = crypto.randomUUID()
  vi.stubGlobal('BroadcastChannel', OwnChannel)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  for (const one of open.splice(0)) one.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

/** Locks of which all but those for living workers are free at first. */
function createLocks(leader: () => string): Locks {
  const held = new Set<string>()
  const query: Locks['query'] = async () => ({
    held: [{ name: tabRules.leadLock, clientId: leader(), mode: 'exclusive' }],
  })
  async function request(name: string, ...rest: unknown[]): Promise<unknown> {
    const run = rest.at(-1) as (lock: object | null) => unknown
    if (name.startsWith('mai-peer-')) return new Promise(() => undefined)
    if (held.has(name)) return run(null)
    held.add(name)
    try {
      return await run({ name })
    } finally {
      held.delete(name)
    }
  }
  return { request: request as Locks['request'], query }
}

/** A worker among tabs for which a test speaks on the meeting channel. */
function make(stopCore: () => Promise<boolean> = async () => true) {
  let now = 0
  let leader = 'other'
  const steal = vi.fn(async () => undefined)
  const protocolVersion = crypto.randomUUID()
  const stepDown = vi.fn()
  const tabs = openTabs({
    pingMs: 100,
    silentMs,
    peer: 'me',
    protocolVersion,
    locks: createLocks(() => leader),
    clock: () => now,
    visible: () => true,
    page: () => undefined,
    joined: () => undefined,
    stayOut: () => undefined,
    steal,
    isBusy: () => false,
    stopCore,
    stepDown() {
      stepDown()
      tabs.close()
    },
  })
  const meeting = openChannel(tabRules.channels.meeting)
  open.push(tabs, meeting)
  const said: TabNotice[] = []
  /** what a leader of the same build answers to each announcement; undefined for silence */
  let answer: Partial<TabNotice> | undefined
  const post = (notice: Partial<TabNotice>) =>
    meeting.postMessage({ peer: 'other', tongue: protocolVersion, leads: false, reply: true, ...notice })
  meeting.onmessage = ({ data }: MessageEvent<TabNotice>) => {
    said.push(data)
    if (!data.reply && answer) post(answer)
  }
  return {
    tabs,
    steal,
    said,
    stepDown,
    post,
    answers: (given: Partial<TabNotice> | undefined) => void (answer = given),
    /** The lead passes to another worker, which says nothing. */
    passLead: (next: string) => void (leader = next),
    /** The clock goes on alone: timers of a busy machine are late. */
    lag: (ms: number) => void (now += ms),
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 50) {
        now += 50
        vi.advanceTimersByTime(50)
        await settle()
      }
    },
  }
}

describe('tabs: a silent leader', () => {
  test('keeps the lead when it answers on the meeting channel', async () => {
    const { tabs, steal, answers, pass } = make()
    answers({ leads: true })
    tabs.follow()
    await pass(5 * silentMs)
    expect(steal).not.toHaveBeenCalled()
  })

  test('takes none with it: the worker that took the lead during the last question keeps it', async () => {
    const { tabs, steal, passLead, pass, lag } = make()
    tabs.follow()
    await pass(silentMs + 100)
    passLead('third')
    await pass(silentMs + 100)
    expect(steal).not.toHaveBeenCalled()
    lag(silentMs)
    await pass(2 * silentMs)
    expect(steal).toHaveBeenCalled()
  })

  test('loses it once, also when the silence is noticed again during the last question', async () => {
    const { tabs, steal, pass, lag } = make()
    steal.mockImplementation(async () => void tabs.lead())
    tabs.follow()
    await pass(silentMs + 100)
    lag(1)
    await pass(3 * silentMs)
    expect(steal).toHaveBeenCalledOnce()
  })

  test('loses it otherwise, and again when the first theft came to nothing', async () => {
    const { tabs, steal, pass } = make()
    tabs.follow()
    await pass(3 * silentMs)
    const first = steal.mock.calls.length
    expect(first).toBeGreaterThan(0)
    await pass(3 * silentMs)
    expect(steal.mock.calls.length).toBeGreaterThan(first)
  })
})

describe('tabs: a leader that is asked for the lead', () => {
  test('says to whom it yields, then gives itself up', async () => {
    const { tabs, said, stepDown, post } = make()
    tabs.lead()
    post({ asks: 'me', tongue: 'another build' })
    await settle()
    expect(said.at(-1)).toMatchObject({ peer: 'me', leads: false, reply: true, yieldsTo: 'other' })
    expect(stepDown).toHaveBeenCalledOnce()
  })

  test('keeps it when its core cannot stop', async () => {
    const { tabs, said, stepDown, post } = make(async () => false)
    tabs.lead()
    post({ asks: 'me', tongue: 'another build' })
    await settle()
    expect(said.at(-1)).toMatchObject({ leads: true, busy: false })
    expect(said.filter(({ yieldsTo }) => yieldsTo !== undefined)).toEqual([])
    expect(stepDown).not.toHaveBeenCalled()
  })
})
