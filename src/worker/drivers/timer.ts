/**
 * Timers by name.
 *
 * 1. Setting a timer again moves it; a timer fires once.
 * 2. A timer fires when the clock says so or when as much time has passed, whichever comes first: a clock that is set back
 *    delays none, and the time of a sleep counts.
 * 3. The device holds one timer, for the first that is due.
 * 4. A time that is not a whole number of milliseconds is refused: it would fire at once, again and again.
 */
import { Fault } from '../../events/failure.ts'
import type { Answer, Drive } from './drive.ts'
import { createHeap } from './heap.ts'

/** Time on this device, ms. */
export type Clock = {
  /** the device's clock, since the Unix epoch; it may be set at any moment */
  now(): number
  /** time passed since some moment, independent of the clock; it may stop while the device sleeps */
  passed(): number
  /** @returns a function that cancels it */
  after(ms: number, run: () => void): () => void
}

/** Longest wait of one `setTimeout`, ms; longer timers are set again on the way. */
const longestMs = 2_000_000_000

/** @param now replaces the device's clock */
export function deviceClock(now: () => number = Date.now): Clock {
  return {
    now,
    passed: () => performance.now(),
    after(ms, run) {
      const handle = setTimeout(run, ms)
      return () => clearTimeout(handle)
    },
  }
}

/**
 * A timer that is set: `at` by the clock (ms since the Unix epoch), `due` by the time passed, `key` the last estimate of when
 * it fires; `order` counts the sets. Without `answer` it was moved or cleared.
 */
type Running = {
  timerId: string
  at: number
  due: number
  key: number
  order: number
  answer: ((input: Answer) => void) | undefined
}

/** Timers that fire in one task; the rest follows in the next, so that other work gets its turn. */
const atOnce = 256

export function createTimerDriver({ now, passed, after }: Clock): {
  drivers: { [type: string]: Drive }
  /** Reschedules every timer: the device slept, or its clock was set. */
  jumped(): void
  stop(): void
} {
  const running = new Map<string, Running>()
  const waiting = createHeap<Running>((a, b) => a.key < b.key || (a.key === b.key && a.order < b.order))
  let sets = 0
  let held: { key: number; cancel: () => void } | undefined

  // The clock may be set back, and may go on over a sleep: the smaller remainder counts
  const left = ({ at, due }: Pick<Running, 'at' | 'due'>) => Math.min(at - now(), due - passed())

  /** Sets the device's timer for the first one. */
  function hold(): void {
    const first = next()
    if (!first || (held && held.key <= first.key)) return
    held?.cancel()
    const { key } = first
    held = { key, cancel: after(Math.min(Math.max(0, key - passed()), longestMs), wake) }
  }

  /** @returns the first that was neither moved nor cleared */
  function next(): Running | undefined {
    let first = waiting.first()
    for (; first && !first.answer; first = waiting.first()) waiting.take()
    return first
  }

  function wake(): void {
    held = undefined
    try {
      fire()
    } finally {
      hold()
    }
  }

  function fire(): void {
    let fires = 0
    for (let first = next(); first && fires < atOnce; first = next()) {
      const wait = left(first)
      if (wait > 0 && first.key > passed()) return
      waiting.take()
      if (wait > 0) {
        // Part of a long wait, or a browser's timer that fired early
        first.key = passed() + wait
        waiting.put(first)
        continue
      }
      fires += 1
      const { timerId, answer } = first
      forget(timerId)
      answer?.({ type: 'timer.fired', data: { timerId } })
    }
  }

  /** Clears a timer. Its entry in the heap goes when it comes first, or when such entries are many. */
  function forget(timerId: string): void {
    const known = running.get(timerId)
    if (!known) return
    known.answer = undefined
    running.delete(timerId)
    if (waiting.size > 2 * running.size + 64) waiting.keep(({ answer }) => answer !== undefined)
  }

  return {
    drivers: {
      'timer.set': async ({ data }, answer) => {
        const { timerId, at } = data as { timerId: string; at: number }
        if (!Number.isSafeInteger(at))
          throw new Fault('bad_input', `timer.set ${timerId} expected a time in whole milliseconds, got ${String(at)}`)
        forget(timerId)
        const wait = Math.max(0, at - now())
        const due = passed() + wait
        const one: Running = { timerId, at, due, key: due, order: ++sets, answer }
        running.set(timerId, one)
        waiting.put(one)
        hold()
      },
      'timer.clear': async ({ data }) => forget(data.timerId),
    },
    jumped() {
      for (const one of running.values()) one.key = passed() + Math.max(0, left(one))
      waiting.keep(({ answer }) => answer !== undefined)
      held?.cancel()
      held = undefined
      hold()
    },
    stop() {
      held?.cancel()
      held = undefined
      running.clear()
      waiting.keep(() => false)
    },
  }
}
