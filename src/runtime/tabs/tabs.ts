/**
 * One worker among those of its origin: the tabs it meets, the leader it follows, the followers it leads. It loads as a file
 * of its own right after the start, so that a single tab never waits for it.
 *
 * 1. One worker leads: the holder of the origin's lead lock. Locks that end with their worker decide, messages only inform.
 * 2. A leader of the same protocol version that stays silent loses the lead to a visible tab, after a last question on the
 *    meeting channel. One that took the lead during that question keeps it.
 * 3. A known leader of another build keeps the lead; see `foreignLeader.ts`.
 *
 * ```
 *  starts ──► waits for the lock ──────────────────────────────► leads ──► steps down (lock stolen, or handed over)
 *                 ├─ welcome of a leader ──► follows ─── silence ──►│
 *                 └─ foreign leader ──► stays out ─── handover ────►│
 * ```
 *
 * One function, because following, leading and staying out exclude each other, and every message may change which one it is.
 */
import type { AnyCalls, AnyPort, Handover } from '../wire.ts'
import { type TabNotice, openChannel } from './channel.ts'
import { createFollowerTab, type FollowerTab, type Patience } from './followerTab.ts'
import { createForeignLeader } from './foreignLeader.ts'
import { createLeaderTab, type LeaderTab, type RunningCore } from './leaderTab.ts'
import { holderOf, holdLock, type Locks } from './locks.ts'
import { lockReleased } from './lockReleased.ts'
import type { TabRules } from './tabRules.ts'

export type TabsPorts = Partial<Patience> & {
  peer: string
  /** Tabs share a core when theirs are the same. */
  protocolVersion: string
  /** Undefined where the browser has none. */
  locks: Locks | undefined
  /** Monotonic, ms. */
  clock(): number
  /** Whether a person looks at this tab. */
  visible(): boolean
  page(): AnyPort | undefined
  /** This worker follows the core that answers these calls; called again after each takeover by another tab. */
  joined(calls: AnyCalls): void
  /** A tab of another build has the core. */
  stayOut(): void
  /** Takes the lead lock from its holder; resolves when this worker leads, or cannot. */
  steal(): Promise<unknown>
  /** @returns whether this worker's core must not be interrupted; undefined while there is none */
  isBusy(): boolean | undefined
  /** Stops this worker's core after a last commit. @returns false when it is busy, or not there yet */
  stopCore(): Promise<boolean>
  /** Gives this worker up once its core has stopped. */
  stepDown(): void
}

export type Tabs = {
  /** The browser refuses channels: no tab hears another. */
  readonly isSilent: boolean
  /** Looks for a leader, until this worker leads itself. */
  follow(): void
  /** This worker has the lock and opens its core. @returns number of the input in whose step the former leader ended, or 0 */
  lead(): number
  /** The step of the input with this number begins on this worker's core; 0 when it is over. */
  stepping(n: number): void
  opened(running: RunningCore): void
  /** @returns the life of the core that this worker follows; 0 for none */
  life(): number
  /** Tells a page that just joined whether another build is open beside it. */
  tell(page: AnyPort): void
  /** @returns whether a tab says that it leads, within a moment */
  led(): Promise<boolean>
  /** Asks the leader of another build for the lead. */
  takeOver(): Promise<Handover>
  close(): void
}

const patience: Patience = { pingMs: 2000, silentMs: 4500, returnMs: 10_000 }
/** How long a leader may take to say that it is here, ms. */
const greetingMs = 1000

export function createTabs(rules: TabRules, ports: TabsPorts): Tabs {
  const { peer, protocolVersion, locks } = ports
  const { silentMs = patience.silentMs } = ports
  const meeting = openChannel(rules.channels.meeting)
  const others = new Set<string>()
  const greeted = new Set<() => void>()
  let followerTab: FollowerTab | undefined
  let leaderTab: LeaderTab | undefined
  let leads = false
  let closed = false
  let announcedBusy: boolean | undefined
  const foreign = createForeignLeader({
    peer,
    ask: asks => post({ leads, reply: false, asks }),
    steal: () => locks && void steal(locks),
    waitMs: Math.min(greetingMs, silentMs),
  })

  const post = (said: Omit<TabNotice, 'peer' | 'tongue'>) =>
    void (closed || meeting.postMessage({ peer, tongue: protocolVersion, ...said } satisfies TabNotice))

  function announce(reply: boolean): void {
    announcedBusy = leads ? ports.isBusy() : undefined
    post({ leads, reply, ...(announcedBusy !== undefined && { busy: announcedBusy }) })
  }

  const tell = (page: AnyPort | undefined, open: boolean) => void page?.otherBuild(open).catch(() => undefined)

  /** A tab of another build is here until its worker ends. */
  function meet(other: string): void {
    if (others.has(other)) return
    others.add(other)
    if (others.size === 1) tell(ports.page(), true)
    const gone = () => {
      foreign.ended(other)
      others.delete(other)
      if (others.size === 0) tell(ports.page(), false)
    }
    if (locks) lockReleased(locks, rules.lifeLock(other)).then(gone, () => undefined)
  }

  meeting.onmessage = ({ data }: MessageEvent<TabNotice>) => {
    if (data.leads) for (const heard of greeted) heard()
    if (data.asks === peer && leads) void answerAsk(data.peer)
    else if (!data.reply) announce(true)
    if (data.tongue === protocolVersion) return
    meet(data.peer)
    if (leads) return
    foreign.hear(data)
    if (!data.leads) return
    ports.stayOut()
    followerTab?.leave()
  }

  /** A tab of another build wants the lead. It gets it unless this core is busy. */
  async function answerAsk(asker: string): Promise<void> {
    if (!(await ports.stopCore())) return announce(true)
    post({ leads: false, reply: true, yieldsTo: asker })
    ports.stepDown()
  }

  /** The leader is silent and a person looks at this tab. One that answers on the meeting channel keeps the lead. */
  async function replaceSilent(origin: Locks): Promise<void> {
    if (foreign.isKnown()) return
    const holder = () => holderOf(origin, rules.leadLock).catch(() => undefined)
    const [silent, isLed] = await Promise.all([holder(), led()])
    if (isLed || foreign.isKnown()) return
    await steal(origin, async () => (await holder()) === silent)
  }

  async function steal(origin: Locks, isAllowed = async () => true): Promise<void> {
    const turn = holdLock(origin, rules.stealLock, { ifAvailable: true })
    if (!(await turn.held)) return
    // An earlier theft may have ended while this one waited: its thief is not the silent leader, and may be this worker
    if ((await isAllowed()) && !leads) await ports.steal()
    turn.release()
  }

  async function led(): Promise<boolean> {
    return new Promise<boolean>(resolve => {
      const end = (found: boolean) => {
        clearTimeout(timer)
        greeted.delete(heard)
        resolve(found)
      }
      const heard = () => end(true)
      const timer = setTimeout(() => end(false), Math.min(greetingMs, silentMs))
      greeted.add(heard)
      announce(false)
    })
  }

  return {
    isSilent: meeting.isSilent,
    follow() {
      followerTab ??= createFollowerTab({
        ...rules,
        ...patience,
        ...ports,
        joined(calls) {
          foreign.forget()
          ports.joined(calls)
        },
        leaderSilent: () => locks && void replaceSilent(locks),
      })
      announce(false)
    },
    lead() {
      leads = true
      foreign.forget()
      const inStep = followerTab?.inStep ?? 0
      followerTab?.close()
      followerTab = undefined
      if (locks) {
        const busyChanged = () => void (ports.isBusy() !== announcedBusy && announce(true))
        leaderTab ??= createLeaderTab({ ...rules, ...patience, ...ports, locks, busyChanged })
      }
      announce(false)
      return inStep
    },
    stepping: n => leaderTab?.stepping(n),
    opened(running) {
      leaderTab?.opened(running)
      announce(true)
    },
    life: () => followerTab?.life ?? 0,
    tell: page => others.size > 0 && tell(page, true),
    led,
    takeOver: foreign.takeOver,
    close() {
      closed = true
      followerTab?.close()
      leaderTab?.close()
      meeting.close()
    },
  }
}
