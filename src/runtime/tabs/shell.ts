/**
 * The worker's interface to its page. Every tab starts a worker; the holder of the origin's lead lock opens the core, the
 * others follow it, and no page can tell.
 *
 * 1. A worker opens at most one core, and only while it holds the lock (where the browser has locks).
 * 2. A leader that loses the lock, or hands it over, stops its core and gives itself up; its page starts the next worker.
 * 3. The lead is handed over at rest alone: after a strict commit, and never while the core is busy.
 * 4. `begin` counts once; a second one changes nothing.
 * 5. The core that answers the page changes with the lead; see `presentCore.ts`.
 *
 * One function, because leading, following and giving the lead up share one state: what of it a page sees is `standing`.
 */
import { Fault } from '../failure.ts'
import { later } from '../later.ts'
import type { InputRecord, SentPageFact } from '../log/record.ts'
import { withinTime } from '../withinTime.ts'
import type { AnyPort, CallTable, CoreOf, Handover, Standing, WireTypes } from '../wire.ts'
import type { Patience } from './followerTab.ts'
import type { RunningCore } from './leaderTab.ts'
import { holdLock, type Locks, stillLeads } from './locks.ts'
import { createPresentCore } from './presentCore.ts'
import { type Stoppable, stopAtRest } from './stopAtRest.ts'
import type { Tabs, TabsPorts } from './tabs.ts'

/** Time for a core to open; it covers the deadlines of all steps. */
const openWithinMs = 40_000

/** A page's settings, and whether it has lost a core before. */
type Begun<W extends WireTypes> = { config: W['config']; hello: W['hello']; cause: 'start' | 'lost' }

/** An open core, and whether it must not be interrupted. */
type Opened = RunningCore & { open: Stoppable; isBusy(): boolean }

/** The surroundings of a core that opens. */
type ShellMeans = {
  /** Ends this worker: the page starts another one. */
  die(cause: unknown): void
  /** Tells the page which input's step begins; without an input, that the step has ended. It takes effect at once. */
  stepping(input?: InputRecord): void
  /** Whether this worker may still have a core: it may lose the lead meanwhile. */
  mayBegin(): boolean
}

/** A product's part of its worker. */
type ShellHost<W extends WireTypes> = {
  /** Its name never changes, so that every build waits for the same lock. */
  leadLock: string
  lifeLock(worker: string): string
  /** the calls of the core */
  calls: CallTable
  /** Loads what works in several tabs; it may be a file of its own. */
  loadTabs(): Promise<(ports: TabsPorts) => Tabs>
  /** @returns equal texts where tabs share a core */
  protocolVersion(config: W['config']): string
  open(begun: Begun<W>, means: ShellMeans): Promise<Opened>
  /** This worker leads or follows: what it may need later is loaded now. */
  settled(): Promise<unknown>
  /** Calls on the log while there is no core. */
  kept: {
    recording(config: W['config'], tail: SentPageFact[]): Promise<string>
    erase(config: W['config'], sure: boolean): Promise<boolean>
  }
}

type ShellPorts = Pick<ShellMeans, 'die' | 'stepping'> & {
  /** Undefined where the browser has none: then one tab works. */
  locks: Locks | undefined
  patience?: ShellPatience | undefined
}

/** In ms; `openMs` is the time for a core to open. */
export type ShellPatience = Partial<Patience> & { openMs?: number }

/** @returns the runtime's part of the interface that a page calls, and the product's calls of the core */
export function createWorkerShell<W extends WireTypes>(host: ShellHost<W>, ports: ShellPorts): CoreOf<W> {
  const { leadLock, lifeLock } = host
  const { die, locks, patience } = ports
  const { openMs = openWithinMs } = patience ?? {}
  let peer: string = crypto.randomUUID()
  const part = later('working in several tabs', host.loadTabs)
  let begun: Begun<W> | undefined
  let tabs: Tabs | undefined
  let hasFollowed = false
  let leads = false
  /** begun without a core: only `recording` and `erase` work */
  let coreless = false
  let running: Opened | undefined
  let release: (() => void) | undefined
  let isDown = false
  let visible = false
  let page: AnyPort | undefined
  let standing: Standing | undefined
  let changed: (() => void)[] = []

  /** Sets the standing. A page that had joined attaches again, or learns why it cannot. */
  function stand(next: Standing): void {
    standing = next
    for (const hear of changed.splice(0)) hear()
    const joined = page
    page = undefined
    void joined?.detached().catch(() => undefined)
  }

  const present = createPresentCore(host.calls, port => {
    page = port
    tabs?.tell(port)
  })

  async function lead(): Promise<void> {
    if (leads || !begun) return
    leads = true
    present.serve(undefined)
    const diedInStep = tabs?.lead() ?? 0
    // A former follower takes over the leader's log, and knows from it which step was the last
    const over = hasFollowed ? ({ cause: 'lost', hello: { ...begun.hello, diedInStep } } as const) : {}
    const stepping = (input?: InputRecord) => {
      ports.stepping(input)
      tabs?.stepping(input?.n ?? 0)
    }
    let isLate = false
    const mayBegin = () => !isDown && !isLate
    const opening = host.open({ ...begun, ...over }, { die, stepping, mayBegin })
    const opened = await withinTime(opening, openMs, () => notOpened(openMs)).catch((cause: unknown) => {
      isLate = true
      void opening.then(late => late.open.stop()).catch(() => undefined)
      if (!isDown) throw cause
      return undefined
    })
    // The lead was lost meanwhile, and this worker with it
    if (isDown) opened?.open.stop()
    if (isDown || !opened) return
    running = opened
    present.serve(running.calls)
    tabs?.opened(running)
    stand('joined')
  }

  const isBusy = () => running?.isBusy()

  const stopCore = async () => (running ? stopAtRest(running.open, running.isBusy) : false)

  /** The lead is lost or handed over. Lines that are not committed are not in the log. */
  function stepDown(why: string): void {
    if (isDown) return
    isDown = true
    running?.open.stop()
    tabs?.close()
    die(new Fault('core_lost', why))
  }

  /** Waits for the lead lock, or steals it, and leads once it has it. */
  async function takeLead(origin: Locks, options?: LockOptions): Promise<void> {
    const lock = holdLock(origin, leadLock, options)
    if (!(await lock.held)) return
    if (leads) return lock.release()
    release = lock.release
    void lock.lost.then(() => stepDown('another tab leads now, because this one did not answer'))
    await lead().catch(die)
  }

  /** Takes the lead from the worker that this page gave up, if that still has it. */
  async function takeFrom(ended: string, origin: Locks): Promise<void> {
    if (await stillLeads(origin, { lead: leadLock, life: lifeLock(ended) }).catch(() => false))
      await takeLead(origin, { steal: true })
  }

  /** Waits for the lead and looks for a leader to follow. */
  async function setOut(config: W['config'], ended: string | undefined): Promise<void> {
    const alive = locks && holdLock(locks, lifeLock(peer))
    // A browser that refuses locks counts as one without them
    const origin = (await alive?.held) ? locks : undefined
    if (origin) void takeLead(origin)
    if (origin && ended !== undefined) void takeFrom(ended, origin)
    const createTabs = await part.get()
    tabs = createTabs({
      ...patience,
      peer,
      protocolVersion: host.protocolVersion(config),
      locks: origin,
      clock: () => performance.now(),
      visible: () => visible,
      page: () => page,
      joined(calls) {
        hasFollowed = true
        present.serve(calls)
        stand('joined')
      },
      stayOut() {
        present.serve(undefined)
        stand('otherBuild')
      },
      steal: async () => origin && takeLead(origin, { steal: true }),
      isBusy,
      stopCore,
      stepDown: () => stepDown('another version of this page leads now'),
    })
    if (leads) tabs.lead()
    if (running) tabs.opened(running)
    // Without locks a second tab cannot share the core: it says so and stays out
    if (!origin) return (await tabs.led()) ? stand('oneTab') : lead()
    // Without channels a leader cannot be followed: this tab waits for its end
    if (tabs.isSilent && !(await tabs.led()) && !leads) stand('oneTab')
    if (!tabs.isSilent && !leads) tabs.follow()
    await host.settled()
  }

  const core: CoreOf<WireTypes> = {
    ...present.calls,

    async begin(config, hello, cause) {
      if (begun) return
      begun = { config, hello, cause: cause === 'start' ? cause : 'lost' }
      coreless = cause === 'none'
      if (coreless) return
      visible = hello.visible
      peer = hello.worker ?? peer
      // The file for several tabs may be gone from the server: a leader goes on without it
      void setOut(config, hello.ended).catch((fault: unknown) => (leads ? undefined : die(fault)))
    },

    async standing(known) {
      while (standing === undefined || standing === known) await new Promise<void>(resolve => changed.push(resolve))
      return standing
    },

    async attach(hello, port) {
      if (coreless) throw new Fault('core_lost', 'attach expected a core, this worker was begun without one')
      const welcome = await present.calls.attach(hello, port)
      if (begun) begun = { ...begun, hello: { ...begun.hello, lastLife: welcome.life } }
      return welcome
    },

    async lifecycle(change, tab) {
      visible = change.visible ?? visible
      return present.calls.lifecycle(change, tab)
    },

    async takeOver(): Promise<Handover> {
      return standing === 'otherBuild' && tabs ? tabs.takeOver() : 'silent'
    },

    async recording(tail) {
      const core = present.now()
      if (core) return core.recording(tail)
      if (!begun) throw new Fault('core_lost', 'a recording expected begin to come first')
      return host.kept.recording(begun.config, tail)
    },

    async erase(tab, sure = false) {
      if (begun && coreless) return host.kept.erase(begun.config, sure)
      if (!(await present.calls.erase(tab))) return false
      release?.()
      return true
    },

    async ping() {
      return running?.open.life ?? tabs?.life() ?? 0
    },
  }
  // The product's calls of the core are among those of its table
  return core as CoreOf<W>
}

function notOpened(openMs: number): never {
  throw new Fault('timeout', `the core expected to open within ${openMs / 1000} s, it did not`)
}
