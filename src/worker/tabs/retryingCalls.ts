/**
 * The page's calls on their way to a core, wherever that core is. What one core leaves unanswered goes to the next: the core
 * knows what it took before. Nothing but `attach` goes to a core that this page has not joined yet.
 */
import { Fault } from '../../events/failure.ts'
import type { Calls } from '../host/calls.ts'

export type CallName = keyof Calls
/** Hands a call to a core; `again` when another core was given it before. */
export type Give = (name: CallName, args: readonly unknown[], again: boolean) => Promise<unknown>

type KeptCalls = {
  /** Every call. @throws Fault `core_lost` when no core answered within `limitMs` */
  calls: Calls
  /** From now on this core has the calls; undefined while there is none. */
  give(to: Give | undefined): void
}

type Kept = {
  name: CallName
  args: readonly unknown[]
  given: boolean
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
export function createKeptCalls(limitMs: number): KeptCalls {
  const open = new Set<Kept>()
  let to: Give | undefined
  let joined = false

  function hand(kept: Kept): void {
    const core = to
    if (!core || !(joined || kept.name === 'attach')) return
    const again = kept.given
    kept.given = true
    core(kept.name, kept.args, again).then(
      value => {
        kept.settle(value)
        if (kept.name !== 'attach' || core !== to || joined) return
        joined = true
        for (const waiting of open) hand(waiting)
      },
      // What a core says that was given up is no answer
      (cause: unknown) => core === to && kept.fail(cause),
    )
  }

  const call = (name: CallName, ...args: readonly unknown[]) =>
    new Promise((resolve, reject) => {
      const ms = name === 'recording' ? recordingMs : limitMs
      const late = () =>
        kept.fail(new Fault('core_lost', `${name} expected a core to answer within ${ms} ms, none did`))
      const timer = setTimeout(late, ms)
      const end = () => {
        clearTimeout(timer)
        open.delete(kept)
      }
      const kept: Kept = {
        name,
        args,
        given: false,
        settle(value) {
          end()
          resolve(value)
        },
        fail(cause) {
          end()
          reject(cause as Error)
        },
      }
      open.add(kept)
      hand(kept)
    })

  return {
    calls: Object.fromEntries(names.map(name => [name, (...args: unknown[]) => call(name, ...args)])) as Calls,
    give(next) {
      to = next
      joined = false
      for (const kept of open) {
        // Whether the core before it erased its log cannot be known; the next one has another
        if (kept.name === 'erase') kept.fail(new Fault('core_lost', 'erasing expected its core to stay, it is gone'))
        else hand(kept)
      }
    },
  }
}
