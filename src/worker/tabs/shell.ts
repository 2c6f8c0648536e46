/**
 * The worker's interface to its page. Every tab starts a worker; the holder of the origin's lead lock opens the core, the
 * others follow it, and no page can tell.
 *
 * 1. A worker opens at most one core, and only while it holds the lock (where the browser has locks).
 * 2. A leader that loses the lock, or hands it over, stops its core and gives itself up; its page starts the next worker.
 * 3. The lead is handed over at rest alone: after a strict commit, and never while an order is open.
 * 4. `begin` counts once; a second one changes nothing.
 * 5. The core that answers the page changes with the lead; see `presentCore.ts`.
 *
 * One function, because leading, following and giving the lead up share one state: what of it a page sees is `standing`.
 */
import { withinTime } from '../../runtime/withinTime.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { InputRecord } from '../../runtime/log/record.ts'
import {
  type Core,
  type CoreConfig,
  type Handover,
  lifeLock,
  type PageHello,
  type PagePort,
  type Standing,
} from '../../events/wire.ts'
import { createCalls } from '../host/calls/calls.ts'
import { later } from '../drivers/later.ts'
import { loadOrderParts } from '../drivers/solana/orderParts.ts'
import { type Clock, deviceClock } from '../drivers/timer.ts'
import type { Patience } from './followerTab.ts'
import type { LoadClient } from '../drivers/walletconnect/walletConnect.ts'
import type { RunningCore } from './leaderTab.ts'
import { eraseKept } from '../journal/eraseLog.ts'
import { holdLock, leadLock, type Locks, stillLeads } from './locks.ts'
import { openOrder } from '../../events/subjects/order.ts'
import { loadRecordingText } from '../replay/loadRecordingText.ts'
import { openCore } from '../host/openCore.ts'
import { createPresentCore } from './presentCore.ts'
import { protocolVersionOf } from './protocolVersion.ts'
import { stopAtRest } from './stopAtRest.ts'
import type { Tabs } from './tabs.ts'

const openMs = 40_000

export type ShellPorts = {
  clock?: Clock
  /** Undefined where the browser has none: then one tab works. */
  locks?: Locks | undefined
  /** Tells the page that this worker has ended. */
  die?: (cause: unknown) => void
  /** Called at once with the input before its step, and without one after it. */
  stepping?: (input?: InputRecord) => void
  patience?: Partial<Patience>
  /** Loads the WalletConnect client; default its own file. */
  loadClient?: LoadClient
  /** Hash of the types that this build knows; default `registryHash()`. */
  registry?: string
}

/** @returns the whole interface that a page calls */
export function createShell(ports: ShellPorts = {}): Core {
  const { clock = deviceClock(), die = cause => reportError(cause), stepping: tell = () => undefined } = ports
  const locks = 'locks' in ports ? ports.locks : (navigator.locks as Locks | undefined)
  let peer: string = crypto.randomUUID()
  const part = later('working in several tabs', () => import('./tabs.ts'))
  const chainReads = later('reading a chain for a host', async () => {
    const [{ createChainReads }, { createHttp }] = await Promise.all([
      import('../drivers/solana/chainReads.ts'),
      import('../host/aloneTransport.ts'),
    ])
    return createChainReads(createHttp)
  })
  let begun: { config: CoreConfig; hello: PageHello; cause: 'start' | 'lost' } | undefined
  let tabs: Tabs | undefined
  let hasFollowed = false
  let leads = false
  /** begun without a core: only `recording` and `erase` work */
  let coreless = false
  let running: RunningCore | undefined
  let release: (() => void) | undefined
  let isDown = false
  let visible = false
  let page: PagePort | undefined
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

  const present = createPresentCore(port => {
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
    const loading = ports.loadClient && { loadClient: ports.loadClient }
    const stepping = (input?: InputRecord) => {
      tell(input)
      tabs?.stepping(input?.n ?? 0)
    }
    let isLate = false
    const mayBegin = () => !isDown && !isLate
    const opening = openCore({ ...begun, ...over, ...loading, clock, die, stepping, mayBegin })
    const open = await withinTime(opening, openMs, notOpened).catch((cause: unknown) => {
      isLate = true
      void opening.then(late => late.stop()).catch(() => undefined)
      if (!isDown) throw cause
      return undefined
    })
    // The lead was lost meanwhile, and this worker with it
    if (isDown) open?.stop()
    if (isDown || !open) return
    running = { open, calls: createCalls(open, clock.now) }
    present.serve(running.calls)
    tabs?.opened(running)
    stand('joined')
  }

  const isBusy = () => (running ? openOrder(running.open.core.model) !== undefined : undefined)

  const stopCore = async () => (running ? stopAtRest(running.open) : false)

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
    if (await stillLeads(origin, ended).catch(() => false)) await takeLead(origin, { steal: true })
  }

  /** Waits for the lead and looks for a leader to follow. */
  async function setOut(config: CoreConfig, ended: string | undefined): Promise<void> {
    const alive = locks && holdLock(locks, lifeLock(peer))
    // A browser that refuses locks counts as one without them
    const origin = (await alive?.held) ? locks : undefined
    if (origin) void takeLead(origin)
    if (origin && ended !== undefined) void takeFrom(ended, origin)
    const { createTabs } = await part.get()
    tabs = createTabs({
      ...ports.patience,
      peer,
      protocolVersion: protocolVersionOf(config, ports.registry),
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
    await loadRecordingText()
  }

  return {
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

    async readChain(question) {
      try {
        return await (await chainReads.get())(question)
      } catch (cause) {
        return { error: { code: -32_603, message: toFailure(cause).message } }
      }
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
      return (await loadRecordingText()).keptRecording(begun.config, tail, clock.now)
    },

    async erase(tab, sure = false) {
      if (begun && coreless) return eraseKept(begun.config, locks, { sure, at: clock.now() })
      if (!(await present.calls.erase(tab))) return false
      release?.()
      return true
    },

    async ready() {
      // The leader needs its parts now, this worker once it leads
      const own = loadOrderParts().then(
        () => true,
        () => false,
      )
      return (await own) && present.calls.ready()
    },

    async ping() {
      return running?.open.life ?? tabs?.life() ?? 0
    },
  }
}

/** Each step of opening has its own deadline; `openMs` covers all of them. */
function notOpened(): never {
  throw new Fault('timeout', `the core expected to open within ${openMs / 1000} s, it did not`)
}
