/**
 * What a worker needs as soon as there is another tab: who else is here, whom it follows, who follows it. It comes in a file
 * of its own right after the start, so that one tab alone never waits for it.
 */
import { lifeLock, type PagePort } from '../../events/wire.ts'
import { type Announced, meetingName, openChannel } from './channel.ts'
import { createFollowerTab, type FollowerTab, type Patience } from './followerTab.ts'
import { createLeaderTab, type LeaderTab } from './leaderTab.ts'
import type { Calls } from '../host/calls.ts'
import { forwardCalls, type RunningCore } from './forwardCalls.ts'
import { createRetryingCalls } from './retryingCalls.ts'
import { hold, type Locks } from './locks.ts'
import { lockReleased } from './lockReleased.ts'

type TabsPorts = Partial<Patience> & {
  peer: string
  /** What tabs must have in common to share a core. */
  protocolVersion: string
  /** Undefined where the browser has none. */
  locks: Locks | undefined
  clock(): number
  visible(): boolean
  page(): PagePort | undefined
  /** There is a core that this worker follows; also each time another tab takes over. */
  joined(): void
  /** A tab of another build has the core. */
  kept(): void
  /** Takes the lock away from whoever holds it; resolves when this worker leads, or cannot. */
  steal(): Promise<unknown>
}

export type Tabs = {
  /** The browser refuses channels: no tab hears another. */
  readonly isSilent: boolean
  /** The page's calls, from when this worker first followed: they outlive every change of the lead. */
  calls: Calls
  /** Looks for a leader, and goes on until this worker leads itself. */
  follow(): void
  /** This worker holds the lock and opens its core. @returns number of the input in whose step the leader before it ended, or 0 */
  lead(): number
  /** The step of the input with this number begins on this worker's core; 0 when it is over. */
  stepping(n: number): void
  opened(running: RunningCore): void
  /** @returns the life of the core that is followed; 0 while there is none */
  life(): number
  /** Tells a page that just joined whether another build is open beside it. */
  tell(page: PagePort): void
  /** @returns whether anybody leads, where no lock says so */
  led(): Promise<boolean>
  close(): void
}

/** The page's own limit for a call is a little longer than `callMs`: it hears that a call failed instead of guessing it. */
const patience: Patience = { pingMs: 2000, silentMs: 4500, returnMs: 10_000, callMs: 9000 }
/** Held by whoever takes the lead from a frozen tab, until it has it. */
const stealLock = 'mai-steal'
/** How long a leader may take to say that it is here, ms. */
const greetingMs = 1000

export function createTabs(ports: TabsPorts): Tabs {
  const { peer, protocolVersion, locks } = ports
  const meeting = openChannel(meetingName)
  const others = new Set<string>()
  const greeted = new Set<() => void>()
  let followerTab: FollowerTab | undefined
  let leaderTab: LeaderTab | undefined
  let leads = false
  let closed = false
  const retrying = createRetryingCalls(ports.callMs ?? patience.callMs)

  const announce = (reply: boolean) =>
    void (closed || meeting.postMessage({ peer, tongue: protocolVersion, leads, reply } satisfies Announced))

  const tell = (page: PagePort | undefined, open: boolean) => void page?.otherBuild(open).catch(() => undefined)

  /** A tab of another build is here until its worker ends. */
  function meet(other: string): void {
    if (others.has(other)) return
    others.add(other)
    if (others.size === 1) tell(ports.page(), true)
    const gone = () => {
      others.delete(other)
      if (others.size === 0) tell(ports.page(), false)
    }
    if (locks) lockReleased(locks, lifeLock(other)).then(gone, () => undefined)
  }

  meeting.onmessage = ({ data }: MessageEvent<Announced>) => {
    if (data.leads) for (const heard of greeted) heard()
    if (!data.reply) announce(true)
    if (data.tongue === protocolVersion) return
    meet(data.peer)
    if (!data.leads || leads) return
    retrying.forwardTo(undefined)
    ports.kept()
    followerTab?.leave()
  }

  /** Whoever holds the lock says nothing, and a person looks at this tab. One tab at a time may take the lead then. */
  async function takeOver(origin: Locks): Promise<void> {
    const turn = hold(origin, stealLock, { ifAvailable: true })
    if (!(await turn.held)) return
    await ports.steal()
    turn.release()
  }

  return {
    isSilent: meeting.isSilent,
    calls: retrying.calls,
    follow() {
      followerTab ??= createFollowerTab({
        ...patience,
        ...ports,
        joined(forward) {
          retrying.forwardTo(forward)
          ports.joined()
        },
        silent: () => locks && void takeOver(locks),
      })
      announce(false)
    },
    lead() {
      leads = true
      // What is unanswered waits for this worker's own core
      retrying.forwardTo(undefined)
      const inStep = followerTab?.inStep ?? 0
      followerTab?.close()
      followerTab = undefined
      if (locks) leaderTab ??= createLeaderTab({ ...patience, ...ports, locks })
      announce(false)
      return inStep
    },
    stepping: n => leaderTab?.stepping(n),
    opened(running) {
      retrying.forwardTo(forwardCalls(running))
      leaderTab?.opened(running)
    },
    life: () => followerTab?.life ?? 0,
    tell: page => others.size > 0 && tell(page, true),
    async led() {
      return new Promise<boolean>(resolve => {
        const end = (found: boolean) => {
          clearTimeout(timer)
          greeted.delete(heard)
          resolve(found)
        }
        const heard = () => end(true)
        const timer = setTimeout(() => end(false), greetingMs)
        greeted.add(heard)
        announce(false)
      })
    },
    close() {
      closed = true
      followerTab?.close()
      leaderTab?.close()
      meeting.close()
    },
  }
}
