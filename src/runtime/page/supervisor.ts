/**
 * Attaches this page to a core through its worker, and detects that the worker died or froze.
 *
 * 1. The page is attached to one core at most. A new attachment replaces the one before it; messages of a worker that the page
 *    has left are refused.
 * 2. The store has the core's model from `attach` and every fact since, in order. Page facts wait in a queue until the core
 *    has committed them.
 * 3. Calls go out only after the store has the core's model and uncommitted answers were delivered again.
 * 4. Effects of two logs may have the same ids, so each key starts with the number of its log. Answers to an earlier log are
 *    dropped here.
 * 5. A visible page pings its worker. A ping that missed its deadline while the page slept is repeated.
 *
 * One function, because attaching, leaving and checking share the present attachment.
 */
import { Fault, toFailure } from '../failure.ts'
import { toHex } from '../hex.ts'
import type { FactRecord, SentPageFact } from '../log/record.ts'
import { withinTime } from '../withinTime.ts'
import type { AnyCore, AnyPort, AttachedTo, CallTable, Handover, Hello, NextLog, WireTypes } from '../wire.ts'
import { createFactQueue, type EarlyFact } from './factQueue.ts'
import { createPageCalls, type PageCalls } from './pageCalls.ts'
import type { AnyPageFact, BlockedWords, OwnPageFact, PageStore, WorkerSource } from './pageTypes.ts'
import type { RemoteCore } from './remote.ts'
import { watchPage } from './watchPage.ts'
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

/** Tells the person of inputs, answers and commands that came to nothing. */
export type PageNotices<Command> = {
  /** These facts are folded. */
  folded(batch: readonly FactRecord[], life: number): void
  attached(attached: AttachedTo<any>): void
  /** No core accepted a command. */
  undelivered(command: Command, ref: string): void
  /** The tab of another build answered. */
  handover(answer: Handover): void
}

/** A product's part of its page. */
export type PageHost<W extends WireTypes, Fact extends AnyPageFact> = WorkerSource & {
  store: PageStore<Fact>
  /** page facts from before the supervisor */
  early?: readonly EarlyFact<Fact>[]
  config: W['config']
  /** the rules of calls, and the names of those that an attached page makes */
  calls: CallTable
  joinedCalls: readonly string[]
  lifeLock(worker: string): string
  words: BlockedWords
  now(): number
  /** @returns the product's part of the page's introduction */
  introduce(): Omit<W['hello'], keyof Hello>
  /** Whether the log outlives its core. */
  isDurable(): boolean
  /** @returns a fact with everything that this page shows, from which its later page facts can be read */
  restatement(life: number): Fact
  notices(dispatch: (fact: Fact) => void): PageNotices<W['command']>
  /** The driver of page effects, with the answers it holds. */
  driver: {
    perform(effect: W['pageEffect']): void
    asking(): string[]
    answered(): string[]
    redeliver(): void
    setDeliver(deliver: (effectId: string, answer: W['pageAnswer']) => Promise<void>): void
  }
}

export type PageSupervisor<Core, Command, Fact> = Pick<
  PageCalls<Core, Command>,
  'core' | 'joined' | 'command' | 'give'
> & {
  readonly tab: string
  start(): void
  /** Terminates the worker and starts no other. */
  stop(): void
  dispatch(fact: Fact): void
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
  /** Asks the tab of another build for the lead; a notice tells a refusal. */
  takeOver(): Promise<void>
  /**
   * Erases this device's log and starts a new one.
   * @returns false while something is open that must not be lost; `sure` overrides that where no core can follow it
   */
  erase(sure?: boolean): Promise<boolean>
}

/** Makes a supervisor; `start` creates its first worker. */
export function createPageSupervisor<
  W extends WireTypes,
  Fact extends AnyPageFact,
  Core extends Pick<AnyCore, 'recording' | 'erase'>,
>(host: PageHost<W, Fact | OwnPageFact>): PageSupervisor<Core, W['command'], Fact> {
  const { store, config, makeWorker, now, driver, early = [] } = host
  const checkScript = host.checkScript && inTime(host.checkScript)
  const source = { makeWorker, ...(checkScript && { checkScript }) }
  const tab = `t-${toHex(crypto.getRandomValues(new Uint8Array(4)))}`
  let joined: AnyCore | undefined
  /** number of the newest attachment, which replaces the one before it */
  let turns = 0
  let life = 0
  /** number of the log in keys of effects */
  let log = 0
  /** the log of the last restatement, and the number of facts folded then */
  let restatedLog = 0
  let restatedAt = 0
  let checkedAt = now()
  const stopped = new AbortController()
  const hearing = new Set<(facts: readonly FactRecord[]) => void>()

  const hello = (): W['hello'] => ({
    tab,
    ...host.introduce(),
    visible: document.visibilityState === 'visible',
    asking: ofThisLog(driver.asking()),
    answered: ofThisLog(driver.answered()),
    lastLife: life,
    ...workers.introduction(),
  })

  const ofThisLog = (keys: string[]): string[] =>
    keys.filter(key => key.startsWith(`${log}/`)).map(key => key.slice(`${log}/`.length))

  const queue = createFactQueue({ store, tab, early, now, life: () => life, core: () => joined })
  const { dispatch, ship } = queue
  const notices = host.notices(dispatch)
  const calls = createPageCalls<Core, W['command']>({
    tab,
    table: host.calls,
    names: host.joinedCalls,
    isDurable: host.isDurable,
    caughtUp: () => tellHearing([]),
    undelivered: notices.undelivered,
  })
  const workers = createWorkerLives({ ...host, ...source, tab, dispatch, join, left })

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
    const port: AnyPort = {
      async facts(batch) {
        mustBeMine()
        if (early) early.push(...batch)
        else take(batch)
      },
      async perform(effect) {
        mustBeMine()
        driver.perform({ ...effect, id: `${log}/${effect.id}` })
      },
      async detached() {
        if (isMine()) await settle(mine).catch((fault: unknown) => workers.lost(mine, toFailure(fault).message))
      },
      async restart(next) {
        if (isMine()) beginAnew(mine, next)
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
    if (log !== restatedLog) restate()
    dispatch({ type: 'tab.attached', data: { life } })
    driver.redeliver()
    calls.attached(mine.core)
  }

  /** Runs a call in a worker without a core once no core starts any more: the log is still there. */
  const ask = <T>(run: (core: Pick<AnyCore, 'recording' | 'erase'>) => Promise<T>): Promise<T> =>
    workers.gaveUp() ? withoutCore({ ...source, calls: host.calls, config, hello: hello() }, run) : run(calls.core)

  function tell(change: W['lifecycle']): void {
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
    const answer = await workers
      .current()
      ?.core.takeOver()
      .catch(() => undefined)
    notices.handover(answer ?? 'silent')
  }

  async function erase(sure = false): Promise<boolean> {
    if (!(await ask(core => core.erase(tab, sure)))) return false
    beginAnew(workers.current(), 'new')
    return true
  }

  /** Starts over with the next core; page facts of an erased log are dropped. */
  function beginAnew(from: RemoteCore | undefined, next: NextLog): void {
    if (next !== 'same') {
      log += 1
      calls.beginAnew()
    }
    const isErased = next === 'new'
    if (isErased) queue.forget()
    if (from) workers.lost(from, isErased ? 'the record was erased' : 'the core asked to begin again')
    workers.forgetStep()
    workers.tryAgain()
  }

  /** Writes a fact with all that this page shows, from which its later page facts can be read. */
  function restate(): void {
    restatedLog = log
    restatedAt = store.folded()
    dispatch(host.restatement(life))
  }

  /** Reads the log through the worker even while it has no core. */
  function recording(): Promise<string> {
    const mine = workers.current()
    return mine?.heard() && !joined ? mine.core.recording(queue.tail()) : ask(core => core.recording(queue.tail()))
  }

  return {
    tab,
    dispatch,
    core: calls.core,
    joined: calls.joined,
    command: calls.command,
    give: calls.give,
    tail: queue.tail,
    recording,
    takeOver,
    erase,
    hear(listener) {
      hearing.add(listener)
      return () => void hearing.delete(listener)
    },
    start() {
      driver.setDeliver(async (key, answer) => {
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
