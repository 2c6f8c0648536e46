import 'fake-indexeddb/auto'
import { expose } from 'comlink'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import type { Attached, PageHello, PagePort } from '../../../src/events/wire.ts'
import type { Calls } from '../../../src/worker/host/calls/calls.ts'
import { type LeaderCalls, openChannel } from '../../../src/runtime/tabs/channel.ts'
import { createFollowerTab } from '../../../src/runtime/tabs/followerTab.ts'
import { tabRules } from '../../../src/worker/tabs/tabRules.ts'

const open: { close(): void }[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => {
  for (const one of open.splice(0)) one.close()
  vi.useRealTimers()
})

/** Lets messages on the channels arrive; time stands still meanwhile. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await new Promise<void>(resolve => setImmediate(resolve))
}

const { own: ownName, shared: sharedName, calls: callsName } = tabRules.channels
const pingMs = 1000
const silentMs = 2500
const fact = (seq: number): FactRecord => ({ k: 'f', seq, n: seq, at: 1, type: 'network.offline', v: 1, data: {} })
const attachedAt = (seq: number) => ({ life: 1, seq, model: {} }) as unknown as Attached
const hello = { tab: 't-1' } as PageHello

/** A follower whose leaders a test speaks for. */
function make({ visible = true } = {}) {
  const protocolVersion = crypto.randomUUID()
  let now = 0
  const silences: number[] = []
  const joined: Calls[] = []
  const seen: number[] = []
  const detached = vi.fn(async () => undefined)
  const page = {
    detached,
    facts: async (facts: FactRecord[]) => void seen.push(...facts.map(({ seq }) => seq)),
  } as unknown as PagePort
  const follower = createFollowerTab({
    ...tabRules,
    peer: 'me',
    protocolVersion,
    pingMs,
    silentMs,
    clock: () => now,
    visible: () => visible,
    page: () => page,
    joined: calls => void joined.push(calls as Calls),
    leaderSilent: () => void silences.push(now),
  })
  open.push(follower)
  const channel = (name: string) => {
    const made = openChannel(name)
    open.push(made)
    return made
  }
  const shared = channel(sharedName(protocolVersion))
  let joins = 0
  shared.onmessage = ({ data }: MessageEvent<{ k: string }>) => void (data.k === 'join' && (joins += 1))
  const own = channel(ownName(protocolVersion, 'me'))

  /** A leader that this follower may join. */
  function lead(id: string, life: number, over: Partial<LeaderCalls & Calls> = {}) {
    const served = {
      attach: async () => attachedAt(0),
      ping: async () => ({ life, seq: 0 }),
      left: async () => undefined,
      ...over,
    }
    expose(served, channel(callsName({ protocolVersion, leader: id, follower: 'me' })))
    return {
      async welcome() {
        own.postMessage({ k: 'welcome', from: id, life, genesisHash: 'g' })
        await settle()
      },
      async say(message: object) {
        shared.postMessage({ from: id, ...message })
        await settle()
      },
      facts(...seqs: number[]) {
        return this.say({ k: 'facts', facts: seqs.map(fact) })
      },
    }
  }
  const core = () => joined.at(-1) as Calls
  return {
    follower,
    lead,
    joined,
    core,
    seen,
    detached,
    silences,
    page,
    joins: () => joins,
    attach: () => core().attach(hello, page),
    async pass(ms: number) {
      for (let left = ms; left > 0; left -= 500) {
        now += 500
        vi.advanceTimersByTime(500)
        await settle()
      }
    },
    /** The device sleeps: no timer fires meanwhile. */
    sleep(ms: number) {
      now += ms
    },
  }
}

describe('follower: facts', () => {
  test('reach the page once and in order, however batches overlap', async () => {
    const { lead, attach, seen, detached, pass } = make()
    const leader = lead('a', 1)
    await leader.welcome()
    await attach()
    for (const batch of [[1, 2], [2, 3], [3], [4, 5]]) await leader.facts(...batch)
    await pass(500)
    expect(seen).toEqual([1, 2, 3, 4, 5])
    expect(detached).not.toHaveBeenCalled()
  })

  test('of a script that knows the leader’s name and posts anything change nothing', async () => {
    const { lead, attach, seen, detached, pass } = make()
    const leader = lead('a', 1)
    await leader.welcome()
    for (const facts of [undefined, 5, 'facts', {}, [null], [1]]) await leader.say({ k: 'facts', facts })
    await attach()
    for (const facts of [undefined, 5, 'facts', {}, [null], [1]]) await leader.say({ k: 'facts', facts })
    await leader.facts(1)
    await pass(500)
    expect(seen).toEqual([1])
    expect(detached).not.toHaveBeenCalled()
  })

  test('that arrive while the page attaches follow its model', async () => {
    const { lead, attach, seen, detached, pass } = make()
    let answer = (_attached: Attached) => undefined as void
    const leader = lead('a', 1, { attach: () => new Promise(resolve => (answer = resolve)) })
    await leader.welcome()
    const attaching = attach()
    await settle()
    await leader.facts(5, 6)
    answer(attachedAt(5))
    await attaching
    await pass(500)
    expect([seen, detached.mock.calls.length]).toEqual([[6], 0])
  })

  test('of an attach that another replaced do not count', async () => {
    const { lead, attach, seen, detached, pass } = make()
    const answers: ((attached: Attached) => void)[] = []
    const leader = lead('a', 1, { attach: () => new Promise(resolve => answers.push(resolve)) })
    await leader.welcome()
    const both = [attach(), attach()]
    await settle()
    answers[1]?.(attachedAt(7))
    await settle()
    answers[0]?.(attachedAt(3))
    await Promise.all(both)
    await leader.facts(8)
    await pass(500)
    expect([seen, detached.mock.calls.length]).toEqual([[8], 0])
  })

  test('of a leader that was replaced do not count', async () => {
    const { lead, attach, seen, detached, pass } = make()
    const [older, newer] = [lead('a', 1), lead('b', 2)]
    await older.welcome()
    await newer.welcome()
    await attach()
    await older.facts(1)
    await pass(500)
    expect([seen, detached.mock.calls.length]).toEqual([[], 0])
  })

  test('are missed when they have not come by the second ping after them', async () => {
    const { lead, attach, detached, pass } = make()
    let seq = 0
    const leader = lead('a', 1, { ping: async () => ({ life: 1, seq }) })
    await leader.welcome()
    await attach()
    seq = 1
    await pass(pingMs)
    expect(detached).not.toHaveBeenCalled()
    await pass(pingMs)
    expect(detached).toHaveBeenCalledOnce()
  })
})

describe('follower: its leader', () => {
  test('is never one of an earlier life, and takes no step over from the former one', async () => {
    const { follower, lead, joined } = make()
    const [older, newer] = [lead('a', 1), lead('b', 2)]
    await older.welcome()
    await older.say({ k: 'step', n: 5 })
    expect([follower.life, follower.inStep]).toEqual([1, 5])
    await newer.welcome()
    expect([follower.life, follower.inStep]).toEqual([2, 0])
    await older.welcome()
    expect([follower.life, joined.length]).toEqual([2, 2])
  })

  test('is one of an earlier life once the former is silent: logs in memory do not share their lives', async () => {
    const ping = () => new Promise<never>(() => undefined)
    const { follower, lead, joins, pass } = make({ visible: false })
    await lead('a', 3, { ping }).welcome()
    const next = lead('b', 1)
    await next.welcome()
    expect([follower.life, joins()]).toEqual([3, 0])
    await pass(silentMs + 2 * pingMs)
    expect(joins()).toBeGreaterThan(0)
    await next.welcome()
    expect(follower.life).toBe(1)
  })

  test('that answers pings is heard', async () => {
    const { lead, pass, silences } = make()
    await lead('a', 1).welcome()
    await pass(4 * silentMs)
    expect(silences).toEqual([])
  })

  test('that is silent is told once per silence, and only where a person looks', async () => {
    const ping = () => new Promise<never>(() => undefined)
    const { lead, pass, silences } = make()
    await lead('a', 1, { ping }).welcome()
    await pass(5000)
    expect(silences).toEqual([3000])
    await pass(1000)
    expect(silences).toEqual([3000, 6000])
    const hidden = make({ visible: false })
    await hidden.lead('a', 1, { ping }).welcome()
    await hidden.pass(6000)
    expect(hidden.silences).toEqual([])
  })

  test('is not held silent for a sleep of this tab', async () => {
    const { lead, pass, sleep, silences } = make()
    await lead('a', 1, { ping: () => new Promise(() => undefined) }).welcome()
    await pass(1000)
    sleep(60_000)
    await pass(1000)
    expect(silences).toEqual([])
  })

  test('that is lost leaves no call open', async () => {
    const { follower, lead, core } = make()
    await lead('a', 1, { answerText: () => new Promise(() => undefined) }).welcome()
    const asked = core().answerText('r1')
    await settle()
    follower.leave()
    await expect(asked).rejects.toMatchObject({ code: 'core_lost' })
  })

  test('has a pairing code on disk before this worker reads it', async () => {
    const { lead, core } = make()
    let commit = () => undefined as void
    const pageFacts = vi.fn(async () => undefined as void)
    await lead('a', 1, { pageFacts }).welcome()
    // From here on all that reads the vault is loaded
    vi.useRealTimers()
    await core()
      .pairingUri('topic')
      .catch(() => undefined)
    pageFacts.mockReset()
    pageFacts.mockImplementation(() => new Promise<void>(resolve => (commit = resolve)))
    let isRead = false
    const reading = core()
      .pairingUri('topic')
      .then(
        () => (isRead = true),
        () => (isRead = true),
      )
    for (let turn = 0; turn < 10; turn++) await settle()
    expect([pageFacts.mock.calls, isRead]).toEqual([[[[]]], false])
    commit()
    expect(await reading).toBe(true)
  })
})
