/**
 * The page's calls, wherever the core is.
 *
 * 1. A call that one core leaves unanswered goes to the next, which deduplicates commands and answers.
 * 2. `attach` goes first: other calls wait until the page has joined that core.
 * 3. `erase` is never repeated: it fails with its core, for the next core has another log.
 */
import { Fault } from '../../events/failure.ts'
import type { Calls } from '../host/calls.ts'

export type CallName = keyof Calls
/** Passes a call to a core; `again` when an earlier core had it. */
export type ForwardCall = (name: CallName, args: readonly unknown[], again: boolean) => Promise<unknown>

type RetryingCalls = {
  /** Every call of a page. @throws Fault `core_lost` when no core answers within `limitMs` */
  calls: Calls
  /** Sends open and later calls to this core; undefined while there is none. */
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

/** A recording reads and writes out the whole log, ms. */
const recordingMs = 55_000

/** @param limitMs time for an answer over all cores that get the call, ms */
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
      // A refusal counts from the present core alone
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
        // It is unknown whether the lost core erased its log
        if (pending.name === 'erase')
          pending.fail(new Fault('core_lost', 'erasing expected its core to stay, it is gone'))
        else forward(pending)
      }
    },
  }
}
