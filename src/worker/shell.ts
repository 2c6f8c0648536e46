/**
 * Everything around the core in a worker: the lock, the journal, the drivers, the pages. It carries, the core decides.
 * Opened idempotently: a second `begin` in the same worker changes nothing.
 */
import { Fault } from '../events/failure.ts'
import type { InputRecord } from '../events/record.ts'
import type { Core, CoreConfig, PageHello, Standing } from '../events/wire.ts'
import { type Calls, createCalls } from './calls.ts'
import { loadOrderParts } from './drivers/solana.ts'
import { type OpenCore, openCore } from './openCore.ts'

const lockName = 'mai-core'
/** How long a fresh worker waits for a lock that a dying one may still hold, ms. */
const lockMs = { start: 1000, lost: 5000 }
const openMs = 40_000

export type ShellPorts = {
  now?: () => number
  locks?: Pick<LockManager, 'request'>
  /** Tells the page that this worker is of no use any more. */
  die?: (cause: unknown) => void
  /** Tells the page, at once, which input's step begins, and with nothing that it is over. */
  stepping?: (input?: InputRecord) => void
}

/** @returns the core's whole interface, to be exposed to a page */
export function createShell(ports: ShellPorts = {}): Core {
  const {
    now = Date.now,
    locks = navigator.locks,
    die = cause => reportError(cause),
    stepping = () => undefined,
  } = ports
  let begun: { config: CoreConfig; hello: PageHello; cause: 'start' | 'lost' } | undefined
  let standing: Promise<Standing> | undefined
  let leading: Promise<void> | undefined
  let running: { open: OpenCore; calls: Calls } | undefined
  let release: (() => void) | undefined

  /** Takes the origin's lock and keeps it until this worker ends. */
  function lock(waitMs: number | undefined): Promise<boolean> {
    return new Promise(resolve => {
      const signal = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs)
      const hold = () =>
        new Promise<void>(done => {
          release = done
          resolve(true)
        })
      locks.request(lockName, signal ? { signal } : {}, hold).catch(() => resolve(false))
    })
  }

  function here(): Calls {
    if (!running || running.open.isOver())
      throw new Fault('core_lost', 'a call expected the core to have begun, it has not')
    return running.calls
  }

  return {
    begin(config, hello, cause) {
      standing ??= (async () => {
        begun = { config, hello, cause }
        return (await lock(lockMs[cause])) ? 'leading' : 'elsewhere'
      })()
      return standing
    },

    lead() {
      leading ??= (async () => {
        const held = (await standing) === 'leading' || (await lock(undefined))
        if (!held) throw new Fault('core_lost', 'leading expected the lock of this page, the browser refused it')
        if (!begun) throw new Fault('core_lost', 'leading expected begin to come first')
        const open = await withinTime(openCore({ ...begun, now, die, stepping }))
        running = { open, calls: createCalls(open, now) }
      })()
      return leading
    },

    attach: async (page, port) => here().attach(page, port),
    command: async (command, ref, tab) => here().command(command, ref, tab),
    answer: async (effectId, answer, tab) => here().answer(effectId, answer, tab),
    pageFacts: async records => here().pageFacts(records),
    lifecycle: async (change, tab) => here().lifecycle(change, tab),
    pairingUri: async pairingTopic => here().pairingUri(pairingTopic),
    recording: async tail => here().recording(tail),

    async erase() {
      if (!(await here().erase())) return false
      release?.()
      return true
    },

    async ready() {
      // Checking anything brings what checks the signed transaction later, in browsers that need ours for it
      const check = running?.open.drivers.verify(new Uint8Array(64), new Uint8Array(), new Uint8Array(32))
      return Promise.all([loadOrderParts(), check]).then(
        () => true,
        () => false,
      )
    },

    async ping() {
      return running?.open.life ?? 0
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
