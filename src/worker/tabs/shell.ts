/**
 * Whose tab leads: every tab starts its own worker, the one that holds the origin's lock has the core, the others follow it,
 * and no page can tell. It carries, the core decides. A second `begin` in the same worker changes nothing.
 */
import { Fault } from '../../events/failure.ts'
import type { InputRecord } from '../../events/log/record.ts'
import {
  type Core,
  type CoreConfig,
  lifeLock,
  type PageHello,
  type PagePort,
  type Standing,
} from '../../events/wire.ts'
import { type Calls, createCalls } from '../host/calls.ts'
import { later } from '../drivers/later.ts'
import { createChainReads } from '../drivers/solana/chainReads.ts'
import { loadOrderParts } from '../drivers/solana/solana.ts'
import { type Clock, deviceClock } from '../drivers/timer.ts'
import type { Patience } from './followerTab.ts'
import type { LoadPart } from '../host/latePart.ts'
import type { RunningCore } from './forwardCalls.ts'
import { hold, leadLock, type Locks, stillLeads } from './locks.ts'
import { loadRecordingText } from '../replay/loadRecordingText.ts'
import { openCore } from '../host/openCore.ts'
import { protocolVersionOf } from './protocolVersion.ts'
import type { Tabs } from './tabs.ts'

const openMs = 40_000

export type ShellPorts = {
  clock?: Clock
  /** Undefined where the browser has none: then one tab works. */
  locks?: Locks | undefined
  /** Tells the page that this worker is of no use any more. */
  die?: (cause: unknown) => void
  /** Tells the page, at once, which input's step begins, and with nothing that it is over. */
  stepping?: (input?: InputRecord) => void
  patience?: Partial<Patience>
  /** Brings the WalletConnect client; the usual way when absent. */
  loadClient?: LoadClient
  /** Hash of the types that this build knows. */
  registry?: string
}

/** @returns the core's whole interface, to be exposed to a page */
export function createShell(ports: ShellPorts = {}): Core {
  const { clock = deviceClock(), die = cause => reportError(cause), stepping: tell = () => undefined } = ports
  const locks = 'locks' in ports ? ports.locks : (navigator.locks as Locks | undefined)
  let peer: string = crypto.randomUUID()
  const part = later('working in several tabs', () => import('./tabs.ts'))
  const readChain = createChainReads()
  let begun: { config: CoreConfig; hello: PageHello; cause: 'start' | 'lost' } | undefined
  let tabs: Tabs | undefined
  /** where the page's calls go: to this worker's own core, or, once it has followed, wherever the core is */
  let calls: Calls | undefined
  let leads = false
  /** no core is to be begun here */
  let coreless = false
  let running: RunningCore | undefined
  let release: (() => void) | undefined
  let visible = false
  let page: PagePort | undefined
  let standing: Standing | undefined
  let changed: (() => void)[] = []

  /** Says how this worker stands from now on. A page that had joined joins anew, or hears why it cannot. */
  function stand(next: Standing): void {
    standing = next
    for (const hear of changed.splice(0)) hear()
    const joined = page
    page = undefined
    void joined?.detached().catch(() => undefined)
  }

  function here(): Calls {
    if (!calls || (calls === running?.calls && running.open.isOver()))
      throw new Fault('core_lost', 'a call expected the core to have begun, it has not')
    return calls
  }

  async function lead(): Promise<void> {
    if (leads || !begun) return
    leads = true
    const diedInStep = tabs?.lead() ?? 0
    // Whoever followed another tab's core takes its log over, and heard from it which step it ended in
    const over = calls ? ({ cause: 'lost', hello: { ...begun.hello, diedInStep } } as const) : {}
    const loading = ports.loadClient && { loadClient: ports.loadClient }
    const stepping = (input?: InputRecord) => {
      tell(input)
      tabs?.stepping(input?.n ?? 0)
    }
    const open = await withinTime(openCore({ ...begun, ...over, ...loading, clock, die, stepping }))
    running = { open, calls: createCalls(open, clock.now) }
    calls ??= running.calls
    tabs?.opened(running)
    stand('joined')
  }

  /** Another tab found this one frozen and leads now; what this one has not written is not in the log. */
  function stepDown(): void {
    running?.open.stop()
    tabs?.close()
    die(new Fault('core_lost', 'another tab leads now, because this one did not answer'))
  }

  /** Waits for the lock, or takes it away; leads as soon as it has it. */
  async function takeLead(origin: Locks, options?: LockOptions): Promise<void> {
    const lock = hold(origin, leadLock, options)
    if (!(await lock.held)) return
    if (leads) return lock.release()
    release = lock.release
    void lock.lost.then(stepDown)
    await lead().catch(die)
  }

  /** Takes the lead from the worker that this page gave up, if it still has it. */
  async function takeFrom(ended: string, origin: Locks): Promise<void> {
    if (await stillLeads(origin, ended).catch(() => false)) await takeLead(origin, { steal: true })
  }

  /** Sets out to lead or to follow. */
  async function setOut(config: CoreConfig, ended: string | undefined): Promise<void> {
    const alive = locks && hold(locks, lifeLock(peer))
    // Where locks are refused there are none
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
      joined() {
        calls = tabs?.calls
        stand('joined')
      },
      kept: () => stand('otherBuild'),
      steal: async () => origin && takeLead(origin, { steal: true }),
    })
    if (leads) tabs.lead()
    if (running) tabs.opened(running)
    // Without locks nobody can be sure to be alone: whoever comes second says so and stays out
    if (!origin) return (await tabs.led()) ? stand('oneTab') : lead()
    // A leader that cannot be heard cannot be followed: this tab waits for its end
    if (tabs.isSilent && !(await tabs.led()) && !leads) stand('oneTab')
    if (!tabs.isSilent && !leads) tabs.follow()
    await loadRecordingText()
  }

  return {
    async begin(config, hello, cause) {
      if (begun) return
      begun = { config, hello, cause: cause === 'start' ? cause : 'lost' }
      coreless = cause === 'none'
      if (coreless) return
      visible = hello.visible
      peer = hello.worker ?? peer
      // What several tabs need may be gone from the server: one tab alone goes on without it
      void setOut(config, hello.ended).catch((fault: unknown) => (leads ? undefined : die(fault)))
    },

    async standing(known) {
      while (standing === undefined || standing === known) await new Promise<void>(resolve => changed.push(resolve))
      return standing
    },

    async attach(hello, port) {
      const core = here()
      page = port
      tabs?.tell(port)
      const attached = await core.attach(hello, port)
      if (begun) begun = { ...begun, hello: { ...begun.hello, lastLife: attached.life } }
      return attached
    },

    command: async (command, ref, tab) => here().command(command, ref, tab),
    answer: async (effectId, answer, tab) => here().answer(effectId, answer, tab),
    pageFacts: async records => here().pageFacts(records),
    pairingUri: async pairingTopic => here().pairingUri(pairingTopic),
    answerText: async resultRef => here().answerText(resultRef),
    readChain,

    async lifecycle(change, tab) {
      visible = change.visible ?? visible
      return here().lifecycle(change, tab)
    },

    async recording(tail) {
      if (standing === 'joined') return here().recording(tail)
      if (!begun) throw new Fault('core_lost', 'a recording expected begin to come first')
      return (await loadRecordingText()).keptRecording(begun.config, tail, clock.now)
    },

    async erase(tab, sure = false) {
      if (begun && coreless) return eraseKept(begun.config, locks, sure)
      if (!(await here().erase(tab))) return false
      release?.()
      return true
    },

    async ready() {
      // The leader's parts count now, this worker's as soon as it leads itself
      const own = loadOrderParts().then(
        () => true,
        () => false,
      )
      return (await own) && here().ready()
    },

    async ping() {
      return running?.open.life ?? tabs?.life() ?? 0
    },
  }
}

/** Opening has a deadline of its own on each way out; this one is for a wait that nobody foresaw. */
async function withinTime<T>(opening: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const message = `the core expected to open within ${openMs / 1000} s, it did not`
    timer = setTimeout(() => reject(new Fault('timeout', message)), openMs)
  })
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}
