/**
 * Keeps a core within reach of this page: joins it through the worker, and notices when that dies or freezes.
 *
 * 1. The page is attached to one core at most. Each joining replaces the one before it, and nothing counts that comes from a
 *    worker this page has left.
 * 2. The store has the core's model from `attach` and every fact since, in order; page facts wait in the lane until the core
 *    has them on disk.
 * 3. The page's calls wait until the store and the prompts are those of the core that they go to.
 * 4. Effects of two logs may bear the same ids: each key has the number of its log, and answers to a log that is gone end here.
 * 5. A visible page pings its worker. A ping that a sleep of the page outdated proves nothing.
 *
 * One function, because joining, leaving and checking share what this page is attached to.
 */
import { toHex } from '../../../runtime/hex.ts'
import { Fault, toFailure } from '../../../runtime/failure.ts'
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
/** A ping that is unanswered after this long was sent by a page that slept meanwhile, ms: its deadline and some more. */
const sleptMs = 7000
/** The page says all that it shows again after this many facts: a log may forget its oldest lines, never this many new ones. */
const restateFacts = 1000
/** A check that comes this much too early or late tells of a sleep, or of a clock that was set, ms. */
const jumpMs = 5000

export type Supervisor = Pick<PageCalls, 'core' | 'joined' | 'command' | 'give'> & {
  readonly tab: string
  start(): void
  dispatch(fact: PageFact): void
  /**
   * Hears the core's facts once folded, in a hidden page too; and none when facts may have been missed: whenever the page joins
   * a core, and when a command is acknowledged that an earlier core took.
   * @returns stops it
   */
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  /** Page facts the core does not have yet. */
  tail(): SentPageFact[]
  /** The log as a recording file's text, with what this page has not shipped yet. */
  recording(): Promise<string>
  /** Asks the tab of another build for the core, and says in words why it stays there. */
  takeOver(): Promise<void>
  /** Erases this device's record and begins anew; false while an order is open, unless nobody can follow it and one is `sure`. */
  erase(sure?: boolean): Promise<boolean>
}

export function createSupervisor(ports: SupervisorPorts): Supervisor {
  const { store, config, makeWorker, checkScript, now, wallets, early = [] } = ports
  const tab = `t-${toHex(crypto.getRandomValues(new Uint8Array(4)))}`
  let joined: Core | undefined
  /** each joining replaces the one before it */
  let turns = 0
  let life = 0
  /** logs this page has written into: effects of another log may bear the same ids */
  let log = 0
  /** the log that this page's lane began in, and the core facts folded when the page last said all that it shows */
  let laneOf = 0
  let restatedAt = 0
  let checkedAt = now()
  const hearing = new Set<(facts: readonly FactRecord[]) => void>()

  const hello = (): PageHello => ({
    tab,
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
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

  /** Joins the core as soon as there is one that this worker reaches; says what keeps it from that. */
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
    // Facts come by another channel than the answer to `attach`, so they may be here before it
    let early: FactRecord[] | undefined = []
    const isMine = () => workers.current() === mine
    const mustBeMine = () => {
      if (!isMine()) throw new Fault('core_lost', 'this page has left that core')
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

  /** Where no core can be had any more, a worker without one knows the log. */
  const ask = <T>(run: (core: JoinedCore) => Promise<T>): Promise<T> =>
    workers.gaveUp()
      ? withoutCore({ makeWorker, ...(checkScript && { checkScript }), config, hello: hello() }, run)
      : run(calls.core)

  function tell(change: Parameters<Core['lifecycle']>[0]): void {
    joined?.lifecycle(change, tab).catch(() => undefined)
  }

  /** Checks come every 2 s while the page is awake and looked at; the worker itself hears of a sleep only by an input. */
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
      // After a sleep the deadline is over before the answer could be heard
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

  /** The log is another one from now on, with other inputs. What this page said to an erased one is forgotten with it. */
  function beginAnew(from: RemoteCore | undefined, erased: boolean): void {
    log += 1
    calls.beginAnew()
    if (erased) lane.forget()
    if (from) workers.lost(from, erased ? 'the record was erased' : 'the core asked to begin again')
    workers.forgetStep()
    workers.tryAgain()
  }

  /** Says all that this page shows, so that its lane can be read from here on. */
  function restate(): void {
    laneOf = log
    restatedAt = store.folded()
    dispatch(restatement(store.model(), life))
  }

  /** A worker that has no core reads the log where it lies. */
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
        // Nobody waits for the answers to a log that is gone
        if (effectId === undefined) return
        if (!joined) throw new Fault('core_lost', 'an answer expected a core to take it, there is none')
        await joined.answer(effectId, answer, tab)
      })
      workers.begin('start')
      setInterval(tick, pingMs)
      watchPage({
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
      })
    },
  }
}
