/**
 * The page's calls on their way to a core, wherever that core is. What one core leaves unanswered goes to the next: the core
 * knows what it took before. Nothing but `attach` goes to a core that this page has not joined yet.
 */
import { Fault } from '../../events/failure.ts'
import type { Calls } from '../host/calls.ts'

export type CallName = keyof Calls
/** Hands a call to a core; `again` when another core was forwarded it before. */
export type ForwardCall = (name: CallName, args: readonly unknown[], again: boolean) => Promise<unknown>

type RetryingCalls = {
  /** Every call. @throws Fault `core_lost` when no core answered within `limitMs` */
  calls: Calls
  /** From now on this core has the calls; undefined while there is none. */
  forwardTo(to: ForwardCall | undefined): void
}

type PendingCall = {
  name: CallName
  args: readonly unknown[]
  forwarded: boolean
  settle(value: unknown): void
  fail(cause: unknown): void
}

const names = [
  'attach',
  'command',
  'answer',
  'pageFacts',
  'lifecycle',
  'pairingUri',
  'answerText',
  'recording',
  'erase',
  'ready',
] as const satisfies readonly CallName[]

/** The whole log is read and written out for it, ms. */
const recordingMs = 55_000

/** @param limitMs time for an answer, over all cores that get the call, ms */
export function createRetryingCalls(limitMs: number): RetryingCalls {
  const open = new Set<PendingCall>()
  let to: ForwardCall | undefined
  let joined = false

  function forward(pending: PendingCall): void {
    const core = to
    if (!core || !(joined || pending.name === 'attach')) return
    const again = pending.forwarded
    pending.forwarded = true
    core(pending.name, pending.args, again).then(
      value => {
        pending.settle(value)
        if (pending.name !== 'attach' || core !== to || joined) return
        joined = true
        for (const waiting of open) forward(waiting)
      },
      // What a core says that was forwarded up is no answer
      (cause: unknown) => core === to && pending.fail(cause),
    )
  }

  const call = (name: CallName, ...args: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const ms = name === 'recording' ? recordingMs : limitMs
      const late = () =>
        pending.fail(new Fault('core_lost', `${name} expected a core to answer within ${ms} ms, none did`))
      const timer = setTimeout(late, ms)
      const end = () => {
        clearTimeout(timer)
        open.delete(pending)
      }
      const pending: PendingCall = {
        name,
        args,
        forwarded: false,
        settle(value) {
          end()
          resolve(value)
        },
        fail(cause) {
          end()
          reject(cause as Error)
        },
      }
      open.add(pending)
      forward(pending)
    })

  return {
    calls: Object.fromEntries(names.map(name => [name, (...args: unknown[]) => call(name, ...args)])) as Calls,
    forwardTo(next) {
      to = next
      joined = false
      for (const pending of open) {
        // Whether the core before it erased its log cannot be known; the next one has another
        if (pending.name === 'erase')
          pending.fail(new Fault('core_lost', 'erasing expected its core to stay, it is gone'))
        else forward(pending)
      }
    },
  }
}
