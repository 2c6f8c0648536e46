/**
 * Keeps a core alive for this page: starts the worker, joins it, notices when it dies or freezes, starts the next one.
 * Page facts are kept here until the core has them on disk; commands given while no core is up wait for it.
 */
import { toHex } from '../../../events/values/hex.ts'
import { Fault, toFailure } from '../../../events/failure.ts'
import type { PageFact } from '../../../events/app.ts'
import type { FactRecord, PageRecord } from '../../../events/log/record.ts'
import { shownScreen } from '../../../events/subjects/screen.ts'
import type { Core, PageHello, PagePort } from '../../../events/wire.ts'
import { createDeaths, gaveUpWords } from './deaths.ts'
import { droppedWords } from './dropped.ts'
import { endOf, whenGone } from './endOf.ts'
import { refusedHandover } from './handover.ts'
import { createLane } from './lane.ts'
import { createPageCalls, type JoinedCore, type PageCalls } from './pageCalls.ts'
import { createRemote, type RemoteCore } from './remote.ts'
import { lateWords } from './lateWords.ts'
import { restatement } from './restatement.ts'
import type { CoreWorker, SupervisorPorts } from './supervisorPorts.ts'
import { watchPage } from '../watchPage.ts'
import { withoutCore } from './withoutCore.ts'

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
  say(fact: PageFact): void
  /** Hears the core's facts once folded, in a hidden page too, and none whenever it joins a core. @returns stops it */
  hear(listener: (facts: readonly FactRecord[]) => void): () => void
  /** Page facts the core does not have yet. */
  tail(): PageRecord[]
  /** The log as a recording file's text, with what this page has not shipped yet. */
  recording(): Promise<string>
  /** Asks the tab of another build for the core, and says in words why it stays there. */
  takeOver(): Promise<void>
  /** Erases this device's record and begins anew; false while an order is open, unless nobody can follow it and one is `sure`. */
  erase(sure?: boolean): Promise<boolean>
}

/** A file of the page was altered between its publication and this visitor. */
const alteredWords = 'One of its files was altered. Reload the page; do not pay if this stays.'

export function createSupervisor(ports: SupervisorPorts): Supervisor {
  const { store, config, makeWorker, checkScript, now, wallets, early = [] } = ports
  const tab = `t-${toHex(crypto.getRandomValues(new Uint8Array(4)))}`
  let remote: RemoteCore | undefined
  let joined: Core | undefined
  /** the worker whose end this page waits for */
  let mourned: RemoteCore | undefined
  /** number of the input in whose step a worker before this one ended, 0 for none */
  let diedInStep = 0
  /** each joining replaces the one before it */
  let turns = 0
  let life = 0
  let workers = 0
  /** logs this page has written into: effects of another log may bear the same ids */
  let log = 0
  /** the log that this page's lane began in, and the core facts folded when the page last said all that it shows */
  let laneOf = 0
  let restatedAt = 0
  const deaths = createDeaths(now)
  /** it died so often that no other is started by itself */
  let gaveUp = false
  let checkedAt = now()
  /** inputs the core could not handle, as far as this page has heard */
  let dropped: number | undefined
  const hearing = new Set<(facts: readonly FactRecord[]) => void>()

  const hello = (): PageHello => ({
    tab,
    language: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC',
    visible: document.visibilityState === 'visible',
    online: navigator.onLine,
    asking: ofThisLog(wallets.asking()),
    answered: ofThisLog(wallets.answered()),
    diedInStep,
    lastLife: life,
    worker: workerName(workers),
    ...(workers > 1 && { ended: workerName(workers - 1) }),
  })

  const workerName = (nth: number) => `${tab}.w${nth}`

  const ofThisLog = (keys: string[]): string[] =>
    keys.filter(key => key.startsWith(`${log}/`)).map(key => key.slice(`${log}/`.length))

  const lane = createLane({ store, tab, early, now, life: () => life, core: () => joined })
  const { say, ship } = lane
  const calls = createPageCalls({
    tab,
    isDurable: () => store.model().core.storage === 'durable',
    undelivered(command, ref) {
      notice(ref, 'That did not get through. Try again.')
      // The wallet may never be asked, so nobody is to wait for its window
      const shown = shownScreen(store.model())
      const isWaiting = shown?.name === 'ConnectingInstalled' && command.type === 'connection.connectInstalled'
      if (isWaiting && shown.walletKey === command.data.walletKey) say({ type: 'screen.back', data: {} })
    },
  })

  function notice(toastId: string, message: string): void {
    say({ type: 'toast.shown', data: { toastId, variant: 'error', message, autoClose: true } })
  }

  /** Folds the core's facts, and says in words when one is that something could not be handled, or that a wallet was late. */
  function take(batch: FactRecord[]): void {
    store.take(batch, hearing.size > 0)
    if (batch.length > 0) tellHearing(batch)
    for (const { type, data, seq } of batch) {
      const late = type === 'request.late' ? lateWords(store.model(), String(data.requestId)) : undefined
      if (late !== undefined) notice(`late.${life}.${seq}`, late)
      if (type !== 'core.faulted' && type !== 'core.inputSetAside') continue
      dropped = (dropped ?? 0) + 1
      tellDropped(String(data.input), seq)
    }
  }

  function tellHearing(batch: readonly FactRecord[]): void {
    for (const listener of hearing) listener(batch)
  }

  function tellDropped(input: string, seq: number): void {
    const words = droppedWords(input)
    if (words !== undefined) notice(`dropped.${life}.${seq}`, words)
  }

  function lost(from: RemoteCore, reason: string): void {
    if (remote !== from) return
    remote = undefined
    leave()
    diedInStep = from.inStep() || diedInStep
    from.lose(reason)
    ended(reason)
  }

  function leave(): void {
    joined = undefined
    calls.left()
  }

  /** Another start follows, unless many before it came to nothing. */
  function ended(reason: string): void {
    say({ type: 'tab.coreLost', data: { reason: reason.slice(0, 200) } })
    const waitMs = deaths.died()
    gaveUp = waitMs === undefined
    if (gaveUp) say({ type: 'tab.blocked', data: { message: gaveUpWords, reload: true } })
    else setTimeout(() => begin('lost'), waitMs)
  }

  /** Somebody looks again, or the network is back: that may be what was missing. */
  function tryAgain(): void {
    if (!gaveUp) return
    gaveUp = false
    deaths.forget()
    begin('lost')
  }

  function begin(cause: 'start' | 'lost'): void {
    deaths.started()
    if (!checkScript) return start(cause)
    checkScript().then(() => start(cause), notStarted)
  }

  /** An altered worker is never run, and no other start is tried: only the person can want one. */
  function notStarted(cause: unknown): void {
    const { code, message } = toFailure(cause)
    if (code === 'bad_response') say({ type: 'tab.blocked', data: { message: alteredWords, reload: true } })
    else if (code === 'reload_needed') say({ type: 'tab.outdated', data: {} })
    else ended(message)
  }

  function start(cause: 'start' | 'lost'): void {
    let worker: CoreWorker
    try {
      worker = makeWorker()
    } catch (fault) {
      console.error('a worker could not be made:', toFailure(fault).message)
      const message = 'This browser does not let this page work in the background. Another browser may.'
      say({ type: 'tab.blocked', data: { message } })
      return
    }
    workers += 1
    const mine = createRemote(worker)
    remote = mine
    worker.onerror = event => {
      event.preventDefault()
      lost(mine, endOf(event.message))
    }
    worker.onmessageerror = () => lost(mine, 'a message could not be read')
    void join(mine, cause).catch((fault: unknown) => lost(mine, toFailure(fault).message))
  }

  async function join(mine: RemoteCore, cause: 'start' | 'lost'): Promise<void> {
    await mine.core.begin(config, hello(), cause)
    if (remote === mine) await settle(mine)
  }

  /** Joins the core as soon as there is one that this worker reaches; says what keeps it from that. */
  async function settle(mine: RemoteCore): Promise<void> {
    turns += 1
    const turn = turns
    const superseded = () => remote !== mine || turn !== turns
    for (let standing = await mine.core.standing(); standing !== 'joined'; ) {
      if (superseded()) return
      leave()
      say({ type: 'tab.elsewhere', data: { why: standing } })
      standing = await mine.core.standing(standing)
    }
    if (!superseded()) await attach(mine, superseded)
  }

  async function attach(mine: RemoteCore, superseded: () => boolean): Promise<void> {
    // Facts come by another channel than the answer to `attach`, so they may be here before it
    let early: FactRecord[] | undefined = []
    const mustBeMine = () => {
      if (remote !== mine) throw new Fault('core_lost', 'this page has left that core')
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
        if (remote === mine) await settle(mine).catch((fault: unknown) => lost(mine, toFailure(fault).message))
      },
      async restart(erased) {
        if (remote === mine) beginAnew(mine, erased)
      },
      async otherBuild(open) {
        if (remote === mine) say({ type: 'tab.otherBuild', data: { open } })
      },
    }
    const attached = await mine.core.attach(hello(), port)
    if (superseded()) return
    life = attached.life
    store.attach(attached)
    diedInStep = 0
    const { count, input } = attached.model.core.dropped ?? { count: 0, input: '' }
    const isNews = dropped !== undefined && count > dropped
    dropped = count
    if (isNews) tellDropped(input, attached.seq)
    const waited = early
    early = undefined
    tellHearing([])
    take(waited)
    joined = mine.core
    if (mourned !== mine) whenGone(workerName(workers), () => lost(mine, 'it ended'))
    mourned = mine
    if (log !== laneOf) restate()
    say({ type: 'tab.attached', data: { life } })
    wallets.redeliver()
    calls.attached(mine.core)
  }

  /** Where no core can be had any more, a worker without one knows the log. */
  const ask = <T>(run: (core: JoinedCore) => Promise<T>): Promise<T> =>
    gaveUp
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
    const mine = remote
    if (!mine?.heard()) return
    if (store.folded() > restatedAt + restateFacts) restate()
    if (document.visibilityState !== 'visible') return
    void ship()
    const sentAt = now()
    mine.core.ping().catch(() => {
      // After a sleep the deadline is over before the answer could be heard
      if (now() - sentAt > sleptMs) check()
      else lost(mine, 'it did not answer a ping')
    })
  }

  async function takeOver(): Promise<void> {
    const refused = await refusedHandover(remote?.core)
    if (refused !== undefined) notice(`handover.${now()}`, refused)
  }

  async function erase(sure = false): Promise<boolean> {
    if (!(await ask(core => core.erase(tab, sure)))) return false
    beginAnew(remote, true)
    return true
  }

  /** The log is another one from now on, with other inputs. What this page said to an erased one is forgotten with it. */
  function beginAnew(from: RemoteCore | undefined, erased: boolean): void {
    log += 1
    calls.beginAnew()
    if (erased) lane.forget()
    if (from) lost(from, erased ? 'the record was erased' : 'the core asked to begin again')
    diedInStep = 0
    tryAgain()
  }

  /** Says all that this page shows, so that its lane can be read from here on. */
  function restate(): void {
    laneOf = log
    restatedAt = store.folded()
    say(restatement(store.model(), life))
  }

  /** A worker that has no core reads the log where it lies. */
  const recording = (): Promise<string> =>
    remote?.heard() && !joined ? remote.core.recording(lane.tail()) : ask(core => core.recording(lane.tail()))

  return {
    tab,
    say,
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
      begin('start')
      setInterval(tick, pingMs)
      watchPage({
        visible(visible) {
          if (visible) {
            store.flush()
            tryAgain()
            check()
          }
          tell({ visible })
        },
        online(online) {
          if (online) tryAgain()
          tell({ online })
        },
        resumed: () => tell({ resumed: true }),
      })
    },
  }
}
