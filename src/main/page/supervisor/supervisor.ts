/**
 * Attaches this page to a core through its worker, and detects that the worker died or froze.
 *
 * 1. The page is attached to one core at most. A new attachment replaces the one before it; messages of a worker that the page
 *    has left are refused.
 * 2. The store has the core's model from `attach` and every fact since, in order. Page facts wait in the lane until the core
 *    has committed them.
 * 3. Calls go out only after the store has the core's model and uncommitted answers were delivered again.
 * 4. Effects of two logs may have the same ids, so each key starts with the number of its log. Answers to an earlier log are
 *    dropped here.
 * 5. A visible page pings its worker. A ping that missed its deadline while the page slept is repeated.
 *
 * One function, because attaching, leaving and checking share the present attachment.
 */
import { timeZone } from '../../drivers/timeZone.ts'
import { toHex } from '../../../runtime/hex.ts'
import { Fault, toFailure } from '../../../runtime/failure.ts'
import { withinTime } from '../../../runtime/withinTime.ts'
import type { PageFact } from '../../../events/app.ts'
import type { FactRecord, SentPageFact } from '../../../runtime/log/record.ts'
import type { Core, PageHello, PagePort } from '../../../events/wire.ts'
import { refusedHandover } from './handover.ts'
import { createLane } from './lane.ts'
import { createPageCalls, type JoinedCore, type PageCalls } from './pageCalls.ts'
import { createNotices } from './notices.ts'
import type { RemoteCore } from './remote.ts'
import { restatement } from './restatement.ts'
import type { SupervisorPorts } from './supervisorPorts.ts'
import { watchPage } from '../watchPage.ts'
import { withoutCore } from './withoutCore.ts'
import { createWorkerLives } from './workerLives.ts'

const pingMs = 2000
/** A ping that fails later than this was outlasted by a sleep of the page, ms: its deadline and a margin. */
const sleptMs = 7000
/** Facts after which the page restates all that it shows: retention drops old lines, but never this many new ones. */
const restateFacts = 1000
/** Time for the worker's files to come, ms: a server that is silent for longer counts as a death of the worker. */
const filesMs = 60_000
/** A check that is this much too early or late means a sleep, or a clock that was set, ms. */
const jumpMs = 5000

export type Supervisor = Pick<PageCalls, 'core' | 'joined' | 'command' | 'give'> & {
  readonly tab: string
  start(): void
  /** Terminates the worker and starts no other. */
  stop(): void
  dispatch(fact: PageFact): void
  /**
   * Calls the listener with the core's facts once they are folded, in a hidden page too. Calls it with an empty list when facts
   * may have been missed: after each attachment, and when a repeated command is acknowledged.
   * @returns a function that unsubscribes
   */
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  /** Page facts that are not committed yet. */
  tail(): SentPageFact[]
  /** The text of a recording file: the log with this page's uncommitted facts. Not redacted. */
  recording(): Promise<string>
  /** Asks the tab of another build for the lead; a toast tells a refusal. */
  takeOver(): Promise<void>
  /**
   * Erases this device's log and starts a new one.
   * @returns false while an order is open; `sure` overrides that for an order that can no longer be followed
   */
  erase(sure?: boolean): Promise<boolean>
}

/** Makes a supervisor; `start` creates its first worker. */
export function createSupervisor(ports: SupervisorPorts): Supervisor {
  const { store, config, makeWorker, now, wallets, early = [] } = ports
  const checkScript = ports.checkScript && inTime(ports.checkScript)
  const tab = `t-${toHex(crypto.getRandomValues(new Uint8Array(4)))}`
  let joined: Core | undefined
  /** number of the newest attachment, which replaces the one before it */
  let turns = 0
  let life = 0
  /** number of the log in keys of effects */
  let log = 0
  /** the log of the last restatement, and the number of facts folded then */
  let laneOf = 0
  let restatedAt = 0
  let checkedAt = now()
  const stopped = new AbortController()
  const hearing = new Set<(facts: readonly FactRecord[]) => void>()

  const hello = (): PageHello => ({
    tab,
    language: navigator.language,
    timeZone: timeZone(),
    visible: document.visibilityState === 'visible',
    online: navigator.onLine,
    asking: ofThisLog(wallets.asking()),
    answered: ofThisLog(wallets.answered()),
    lastLife: life,
    ...workers.introduction(),
  })

  const ofThisLog = (keys: string[]): string[] =>
    keys.filter(key => key.startsWith(`${log}/`)).map(key => key.slice(`${log}/`.length))

  const lane = createLane({ store, tab, early, now, life: () => life, core: () => joined })
  const { dispatch, ship } = lane
  const notices = createNotices(store, dispatch)
  const isDurable = () => store.model().core.storage === 'durable'
  const calls = createPageCalls({ tab, isDurable, caughtUp: () => tellHearing([]), undelivered: notices.undelivered })
  const workers = createWorkerLives({ makeWorker, ...(checkScript && { checkScript }), now, tab, dispatch, join, left })

  function take(batch: FactRecord[]): void {
    store.take(batch, hearing.size > 0)
    if (batch.length > 0) tellHearing(batch)
    notices.folded(batch, life)
  }

  function tellHearing(batch: readonly FactRecord[]): void {
    for (const listener of hearing) listener(batch)
  }

  function left(): void {
    joined = undefined
    calls.left()
  }

  async function join(mine: RemoteCore, cause: 'start' | 'lost'): Promise<void> {
    await mine.core.begin(config, hello(), cause)
    if (workers.current() === mine) await settle(mine)
  }

  /** Attaches as soon as the worker reaches a core; until then the page shows why it does not. */
  async function settle(mine: RemoteCore): Promise<void> {
    turns += 1
    const turn = turns
    const superseded = () => workers.current() !== mine || turn !== turns
    for (let standing = await mine.core.standing(); standing !== 'joined'; ) {
      if (superseded()) return
      left()
      dispatch({ type: 'tab.elsewhere', data: { why: standing } })
      standing = await mine.core.standing(standing)
    }
    if (!superseded()) await attach(mine, superseded)
  }

  async function attach(mine: RemoteCore, superseded: () => boolean): Promise<void> {
    // Facts come by another port than the answer to `attach`, so they may arrive first
    let early: FactRecord[] | undefined = []
    const isMine = () => workers.current() === mine
    const mustBeMine = () => {
      if (!isMine()) throw new Fault('core_lost', 'expected the core of this page, got another')
    }
    const port: PagePort = {
      async facts(batch) {
        mustBeMine()
        if (early) early.push(...batch)
        else take(batch)
      },
      async perform(effect) {
        mustBeMine()
        wallets.perform({ ...effect, id: `${log}/${effect.id}` })
      },
      async detached() {
        if (isMine()) await settle(mine).catch((fault: unknown) => workers.lost(mine, toFailure(fault).message))
      },
      async restart(erased) {
        if (isMine()) beginAnew(mine, erased)
      },
      async otherBuild(open) {
        if (isMine()) dispatch({ type: 'tab.otherBuild', data: { open } })
      },
    }
    const attached = await mine.core.attach(hello(), port)
    if (superseded()) return
    life = attached.life
    store.attach(attached)
    notices.attached(attached)
    const waited = early
    early = undefined
    tellHearing([])
    take(waited)
    joined = mine.core
    workers.joined()
    if (log !== laneOf) restate()
    dispatch({ type: 'tab.attached', data: { life } })
    wallets.redeliver()
    calls.attached(mine.core)
  }

  /** Runs a call in a worker without a core once no core starts any more: the log is still there. */
  const ask = <T>(run: (core: JoinedCore) => Promise<T>): Promise<T> =>
    workers.gaveUp()
      ? withoutCore({ makeWorker, ...(checkScript && { checkScript }), config, hello: hello() }, run)
      : run(calls.core)

  function tell(change: Parameters<Core['lifecycle']>[0]): void {
    joined?.lifecycle(change, tab).catch(() => undefined)
  }

  /** Runs every 2 s in an awake, visible page, and reports sleeps to the core, which cannot see them. */
  function tick(): void {
    const at = now()
    const late = at - checkedAt - pingMs
    checkedAt = at
    if (document.visibilityState === 'visible' && Math.abs(late) > jumpMs) tell({ resumed: true })
    check()
  }

  function check(): void {
    const mine = workers.current()
    if (!mine?.heard()) return
    if (store.folded() > restatedAt + restateFacts) restate()
    if (document.visibilityState !== 'visible') return
    void ship()
    const sentAt = now()
    mine.core.ping().catch(() => {
      // After a sleep the deadline has passed before the answer could be read
      if (now() - sentAt > sleptMs) check()
      else workers.lost(mine, 'it did not answer a ping')
    })
  }

  async function takeOver(): Promise<void> {
    const refused = await refusedHandover(workers.current()?.core)
    if (refused !== undefined) notices.tell(`handover.${now()}`, refused)
  }

  async function erase(sure = false): Promise<boolean> {
    if (!(await ask(core => core.erase(tab, sure)))) return false
    beginAnew(workers.current(), true)
    return true
  }

  /** Starts over with another log; page facts of an erased log are dropped. */
  function beginAnew(from: RemoteCore | undefined, erased: boolean): void {
    log += 1
    calls.beginAnew()
    if (erased) lane.forget()
    if (from) workers.lost(from, erased ? 'the record was erased' : 'the core asked to begin again')
    workers.forgetStep()
    workers.tryAgain()
  }

  /** Writes a fact with all that this page shows, from which its later page facts can be read. */
  function restate(): void {
    laneOf = log
    restatedAt = store.folded()
    dispatch(restatement(store.model(), life))
  }

  /** Reads the log through the worker even while it has no core. */
  function recording(): Promise<string> {
    const mine = workers.current()
    return mine?.heard() && !joined ? mine.core.recording(lane.tail()) : ask(core => core.recording(lane.tail()))
  }

  return {
    tab,
    dispatch,
    core: calls.core,
    joined: calls.joined,
    command: calls.command,
    give: calls.give,
    tail: lane.tail,
    recording,
    takeOver,
    erase,
    hear(listener) {
      hearing.add(listener)
      return () => void hearing.delete(listener)
    },
    start() {
      wallets.setDeliver(async (key, answer) => {
        const [effectId] = ofThisLog([key])
        // The effect belongs to an earlier log
        if (effectId === undefined) return
        if (!joined) throw new Fault('core_lost', 'answer expected an attached core, there is none')
        await joined.answer(effectId, answer, tab)
      })
      workers.begin('start')
      const ticking = setInterval(tick, pingMs)
      stopped.signal.addEventListener('abort', () => clearInterval(ticking))
      watchPage(
        {
          visible(visible) {
            if (visible) {
              store.flush()
              workers.tryAgain()
              check()
            }
            tell({ visible })
          },
          online(online) {
            if (online) workers.tryAgain()
            tell({ online })
          },
          resumed: () => tell({ resumed: true }),
        },
        stopped.signal,
      )
    },
    stop() {
      stopped.abort()
      workers.stop()
    },
  }
}

/** A check of the worker's files with its deadline. */
function inTime(check: () => Promise<unknown>): () => Promise<unknown> {
  return () =>
    withinTime(check(), filesMs, () => {
      throw new Fault('timeout', `the worker's files expected to come within ${filesMs / 1000} s, they did not`)
    })
}
