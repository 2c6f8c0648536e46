/**
 * The leader's side of the channels: calls of follower tabs reach the core here, facts and prompts go out.
 *
 * 1. Facts go out once for all followers. One that misses a batch attaches again.
 * 2. A follower is present until its life lock is released; its page leaves the core then.
 * 3. A prompt whose tab is gone fails after `returnMs`, unless that tab comes back with a new worker.
 * 4. Only calls of pages pass, by their own names; a pairing code never goes out.
 */
import { Fault, toFailure } from '../../events/failure.ts'
import type { FactRecord } from '../../events/log/record.ts'
import { lifeLock, type PageEffect, type PageHello, type PagePort } from '../../events/wire.ts'
import { type Batches, createBatches } from '../host/batches.ts'
import {
  type Channel,
  openChannel,
  ownName,
  type Shared,
  sharedName,
  type ToFollower,
  type ToLeader,
} from './channel.ts'
import type { Patience } from './followerTab.ts'
import type { Locks } from './locks.ts'
import { lockReleased } from './lockReleased.ts'
import { forwardCalls, type RunningCore } from './forwardCalls.ts'

/** Effects that a page does not answer: they have no end to wait for. */
const unanswered: ReadonlySet<string> = new Set(['wallet.watch', 'wallet.disconnect'])

type Follower = {
  channel: Channel
  /** its page's tab, once that has attached */
  tab?: string
  isGone?: true
  performing: Map<number, { resolve(): void; reject(cause: Fault): void }>
}

export type LeaderTab = {
  /** The core is open: followers may join. */
  opened(running: RunningCore): void
  stepping(n: number): void
  close(): void
}

type Ports = { peer: string; protocolVersion: string; locks: Locks } & Pick<Patience, 'returnMs'> & {
    /** An order has changed. */
    orderChanged?(): void
  }

export function createLeaderTab({ peer, protocolVersion, locks, returnMs, orderChanged }: Ports): LeaderTab {
  const shared = openChannel(sharedName(protocolVersion))
  const followers = new Map<string, Follower>()
  let running: RunningCore | undefined
  /** tab by id of a page effect that has no answer yet */
  const asked = new Map<string, string>()
  const returning = new Set<ReturnType<typeof setTimeout>>()
  let orders = 0
  let closed = false

  let facts = collect()

  function collect(): Batches {
    const send = async (batch: FactRecord[]) =>
      shared.postMessage({ k: 'facts', from: peer, facts: batch } satisfies Shared)
    // Facts beyond the buffer are missing in every tab: each attaches again
    return createBatches({ facts: send }, () => {
      facts = collect()
      for (const { channel } of followers.values())
        channel.postMessage({ k: 'detached', from: peer } satisfies ToFollower)
    })
  }

  /** Posts to a follower; nothing once it or this leader is gone. */
  function tell({ channel, isGone }: Follower, message: ToFollower): void {
    if (!closed && !isGone) channel.postMessage(message)
  }

  /** The page of a follower. Its facts go out with those for all followers. */
  function portOf(follower: Follower): PagePort {
    const say = (message: ToFollower) => tell(follower, message)
    return {
      facts: async () => undefined,
      perform: (effect: PageEffect) =>
        new Promise<void>((resolve, reject) => {
          orders += 1
          if (!unanswered.has(effect.type)) asked.set(effect.id, follower.tab ?? '')
          follower.performing.set(orders, { resolve, reject })
          say({ k: 'perform', from: peer, id: orders, effect })
        }),
      detached: async () => say({ k: 'detached', from: peer }),
      restart: async erased => say({ k: 'restart', from: peer, erased }),
      // Each worker meets other builds itself
      otherBuild: async () => undefined,
    }
  }

  async function run(follower: Follower, { name, args, again }: Extract<ToLeader, { k: 'call' }>): Promise<unknown> {
    if (!running || running.open.isOver()) throw new Fault('core_lost', 'a call expected a core, it has ended')
    const { open, calls } = running
    if (name === 'ping') return { life: open.life, seq: open.core.seq }
    if (name === 'left') return open.pages.leave(args[0] as string)
    if (name === 'pairingUri') throw new Fault('bad_input', 'a pairing code is a secret and goes through no channel')
    if (name === 'attach') {
      const hello = args[0] as PageHello
      follower.tab = hello.tab
      return calls.attach(hello, portOf(follower), 'far')
    }
    if (!Object.hasOwn(calls, name))
      throw new Fault('bad_input', `a call expected a known name, got ${String(name).slice(0, 60)}`)
    if (name === 'answer') asked.delete(args[0] as string)
    return forwardCalls(running)(name, args, again)
  }

  function hear(follower: Follower, data: ToLeader): void {
    if (data.to !== peer || closed) return
    if (data.k === 'performed') {
      const order = follower.performing.get(data.id)
      follower.performing.delete(data.id)
      if (data.ok) order?.resolve()
      else order?.reject(new Fault('wallet_gone', 'the page could not take the order'))
      return
    }
    const say = (message: ToFollower) => tell(follower, message)
    run(follower, data).then(
      value => say({ k: 'answer', from: peer, id: data.id, value }),
      (cause: unknown) => say({ k: 'refused', from: peer, id: data.id, failure: toFailure(cause) }),
    )
  }

  function gone(id: string): void {
    const follower = followers.get(id)
    if (!follower || closed) return
    followers.delete(id)
    follower.isGone = true
    follower.channel.close()
    for (const { reject } of follower.performing.values()) reject(new Fault('wallet_gone', 'the tab was closed'))
    if (follower.tab !== undefined) leave(follower.tab)
  }

  /** The page leaves. Its open prompts fail later, for only its worker may have died. */
  function leave(tab: string): void {
    running?.open.pages.leave(tab)
    const timer = setTimeout(() => {
      returning.delete(timer)
      if ([...followers.values()].some(follower => follower.tab === tab)) return
      for (const [effectId, where] of asked) {
        if (where !== tab) continue
        asked.delete(effectId)
        const failure = { code: 'wallet_gone', message: 'the tab that was asked is closed' }
        running?.open.hear({ type: 'wallet.failed', data: { failure }, to: effectId, tab })
      }
    }, returnMs)
    returning.add(timer)
  }

  function join(id: string): void {
    let follower = followers.get(id)
    if (!follower) {
      const made: Follower = {
        channel: openChannel(ownName(protocolVersion, id)),
        performing: new Map(),
      }
      made.channel.onmessage = ({ data }: MessageEvent<ToLeader>) => hear(made, data)
      followers.set(id, made)
      follower = made
      // A worker holds its life lock from before it joins until it ends, however it ends
      void lockReleased(locks, lifeLock(id)).then(
        () => gone(id),
        () => undefined,
      )
    }
    const say = (message: ToFollower) => follower.channel.postMessage(message)
    if (!running) say({ k: 'opening', from: peer })
    else say({ k: 'welcome', from: peer, life: running.open.life, genesisHash: running.open.genesisHash })
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
        if (batch.some(({ type }) => type.startsWith('order.'))) orderChanged?.()
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
      for (const { channel } of followers.values()) channel.close()
      followers.clear()
    },
  }
}
