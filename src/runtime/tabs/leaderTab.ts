/**
 * The leader's side of the channels: calls of follower tabs reach the core here, facts and prompts go out.
 *
 * 1. Facts go out once for all followers. One that misses a batch attaches again.
 * 2. A follower is present until its life lock is released; its page leaves the core then.
 * 3. A prompt whose tab is gone fails after `returnMs`, unless that tab comes back with a new worker.
 * 4. Only calls of pages pass, by their own names; the answer of a secret call never goes out.
 *
 * One function, because a follower's channels, its tab and the prompts in it end together.
 */
import { expose } from 'comlink'
import { callsOver, type Line } from '../calls/callsOver.ts'
import { onlyNamed, passNamedCalls } from '../calls/namedCalls.ts'
import type { Draft } from '../core/draft.ts'
import { Fault } from '../failure.ts'
import { type Batches, createBatches } from '../host/batches.ts'
import type { Pages } from '../host/pages.ts'
import type { FactRecord } from '../log/record.ts'
import type { AnyCalls, AnyPort } from '../wire.ts'
import {
  type Channel,
  type FollowerPort,
  followerPortNames,
  type Greeting,
  type LeaderCalls,
  leaderCallNames,
  openChannel,
  type Shared,
} from './channel.ts'
import type { Patience } from './followerTab.ts'
import type { Locks } from './locks.ts'
import { lockReleased } from './lockReleased.ts'
import type { TabRules } from './tabRules.ts'

/** A core that runs in this worker. */
export type RunningCore = {
  open: {
    life: number
    core: { readonly seq: number }
    pages: Pick<Pages, 'relay' | 'leave'>
    hear(draft: Draft): void
  }
  calls: AnyCalls
  /** names its log */
  log: string
}

type Follower = {
  greeting: Channel
  /** its page's tab, once that has attached */
  tab?: string
  /** its calls and its page, once the core is open */
  joined?: { page: Line<FollowerPort>; channels: readonly Channel[] }
}

export type LeaderTab = {
  /** The core is open: followers may join. */
  opened(running: RunningCore): void
  stepping(n: number): void
  close(): void
}

type Ports = TabRules & { peer: string; protocolVersion: string; locks: Locks } & Pick<Patience, 'returnMs'> & {
    /** A fact came that may change whether the core is busy. */
    busyChanged?(): void
  }

export function createLeaderTab({ peer, protocolVersion, locks, returnMs, busyChanged, ...rules }: Ports): LeaderTab {
  const { channels } = rules
  const callNames = leaderCallNames(rules.calls)
  const shared = openChannel(channels.shared(protocolVersion))
  const followers = new Map<string, Follower>()
  let running: RunningCore | undefined
  /** tab by id of a page effect that has no answer yet */
  const asked = new Map<string, string>()
  const returning = new Set<ReturnType<typeof setTimeout>>()
  let closed = false

  let facts = collect()

  function collect(): Batches {
    const send = async (batch: FactRecord[]) =>
      shared.postMessage({ k: 'facts', from: peer, facts: batch } satisfies Shared)
    // Facts beyond the buffer are missing in every tab: each attaches again
    return createBatches({ facts: send }, rules.isAwaited, () => {
      facts = collect()
      for (const { joined } of followers.values()) joined?.page.calls.detached().catch(() => undefined)
    })
  }

  /** The page of a follower. Its facts go out with those for all followers. */
  function portOf(follower: Follower, { calls }: Line<FollowerPort>): AnyPort {
    return {
      ...calls,
      facts: async () => undefined,
      async perform(effect) {
        if (!rules.unanswered.has(effect.type)) asked.set(effect.id, follower.tab ?? '')
        await calls.perform(effect)
      },
      otherBuild: async () => undefined,
    }
  }

  /** Opens the two channels of a follower: one for its calls of the core, one for orders to its page. */
  function serve(id: string, follower: Follower, { open, calls }: RunningCore): void {
    const pair = { protocolVersion, leader: peer, follower: id }
    const [fromFollower, toPage] = [openChannel(channels.calls(pair)), openChannel(channels.page(pair))]
    const page = callsOver<FollowerPort>(toPage, followerPortNames)
    const served: LeaderCalls = {
      ...calls,
      attach(hello) {
        follower.tab = hello.tab
        return calls.attach(hello, portOf(follower, page), 'far')
      },
      answer(effectId, ...rest) {
        asked.delete(effectId)
        return calls.answer(effectId, ...rest)
      },
      ping: async () => ({ life: open.life, seq: open.core.seq }),
      left: async tab => open.pages.leave(tab),
    }
    passNamedCalls(fromFollower, callNames)
    expose(onlyNamed(served, callNames), fromFollower)
    follower.joined = { page, channels: [fromFollower, toPage] }
  }

  function closeChannels({ greeting, joined }: Follower, why: string): void {
    greeting.close()
    for (const channel of joined?.channels ?? []) channel.close()
    joined?.page.lose(new Fault('elsewhere', why))
  }

  function gone(id: string): void {
    const follower = followers.get(id)
    if (!follower || closed) return
    followers.delete(id)
    closeChannels(follower, 'the tab was closed')
    // The browser may release a lost worker's lock long after its page has come back with the next worker
    if (follower.tab !== undefined && !isHere(follower.tab)) leave(follower.tab)
  }

  const isHere = (tab: string) => [...followers.values()].some(follower => follower.tab === tab)

  /** The page leaves. Its open prompts fail later, for only its worker may have died. */
  function leave(tab: string): void {
    running?.open.pages.leave(tab)
    const timer = setTimeout(() => {
      returning.delete(timer)
      if (isHere(tab)) return
      for (const [effectId, where] of asked) {
        if (where !== tab) continue
        asked.delete(effectId)
        running?.open.hear({ ...rules.promptLost(), to: effectId, tab })
      }
    }, returnMs)
    returning.add(timer)
  }

  function join(id: string): void {
    let follower = followers.get(id)
    if (!follower) {
      follower = { greeting: openChannel(channels.own(protocolVersion, id)) }
      followers.set(id, follower)
      // A worker holds its life lock from before it joins until it ends, however it ends
      void lockReleased(locks, rules.lifeLock(id)).then(
        () => gone(id),
        () => undefined,
      )
    }
    const { greeting } = follower
    if (!running) return greeting.postMessage({ k: 'opening', from: peer } satisfies Greeting)
    if (!follower.joined) serve(id, follower, running)
    const { open, log } = running
    greeting.postMessage({ k: 'welcome', from: peer, life: open.life, log } satisfies Greeting)
  }

  shared.onmessage = ({ data }: MessageEvent<Shared>) => {
    if (data.k === 'join' && !closed) join(data.from)
  }

  return {
    opened(begun) {
      if (closed) return
      running = begun
      begun.open.pages.relay((batch, now) => {
        if (followers.size > 0) facts.push(batch, now)
        if (batch.some(({ type }) => rules.mayChangeBusy(type))) busyChanged?.()
      })
      shared.postMessage({ k: 'lead', from: peer } satisfies Shared)
    },
    stepping(n) {
      if (!closed && followers.size > 0) shared.postMessage({ k: 'step', from: peer, n } satisfies Shared)
    },
    close() {
      closed = true
      facts.stop()
      for (const timer of returning) clearTimeout(timer)
      shared.close()
      for (const follower of followers.values()) closeChannels(follower, 'this tab does not lead any more')
      followers.clear()
    },
  }
}
