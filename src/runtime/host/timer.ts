/**
 * Timers by name.
 *
 * 1. Setting a timer again moves it; a timer fires once.
 * 2. A timer fires when the clock says so or when as much time has passed, whichever comes first: a clock that is set back
 *    delays none, and the time of a sleep counts.
 * 3. The device holds one timer, for the first that is due.
 * 4. A time that is not a whole number of milliseconds is refused: it would fire at once, again and again.
 */
import { Fault } from '../failure.ts'
import type { Answer, Drive } from './driver.ts'

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

/** A timer that is set: `at` by the clock (ms since the Unix epoch), `due` by the time passed. */
type Running = { timerId: string; at: number; due: number; answer: (input: Answer) => void }

export function createTimerDriver({ now, passed, after }: Clock): {
  drivers: { [type: string]: Drive }
  /** Reschedules every timer: the device slept, or its clock was set. */
  jumped(): void
  stop(): void
} {
  /** in the order they were set */
  const running = new Map<string, Running>()
  let held: { until: number; cancel: () => void } | undefined

  // The clock may be set back, and may go on over a sleep: the smaller remainder counts
  const left = ({ at, due }: Running) => Math.min(at - now(), due - passed())

  /** Makes sure that the device's timer ends in this time or before. */
  function hold(ms: number): void {
    const until = passed() + ms
    if (held && held.until <= until) return
    held?.cancel()
    held = { until, cancel: after(Math.min(Math.max(0, ms), longestMs), wake) }
  }

  function holdFirst(): void {
    let first = Infinity
    for (const one of running.values()) first = Math.min(first, left(one))
    if (first < Infinity) hold(first)
  }

  /** The device's timer may be early, of a cleared timer, or part of a long wait: what is due is looked up. */
  function wake(): void {
    held = undefined
    try {
      fire()
    } finally {
      holdFirst()
    }
  }

  function fire(): void {
    const over = [...running.values()].filter(one => left(one) <= 0).sort((a, b) => a.due - b.due)
    for (const one of over) {
      const { timerId, answer } = one
      // An answer before may have cleared or moved it
      if (running.get(timerId) !== one) continue
      running.delete(timerId)
      answer({ type: 'timer.fired', data: { timerId } })
    }
  }

  return {
    drivers: {
      'timer.set': async ({ data }, answer) => {
        const { timerId, at } = data as { timerId: string; at: number }
        if (!Number.isSafeInteger(at))
          throw new Fault('bad_input', `timer.set ${timerId} expected a time in whole milliseconds, got ${String(at)}`)
        const wait = Math.max(0, at - now())
        running.delete(timerId)
        running.set(timerId, { timerId, at, due: passed() + wait, answer })
        hold(wait)
      },
      'timer.clear': async ({ data }) => {
        running.delete(data.timerId)
      },
    },
    jumped() {
      held?.cancel()
      held = undefined
      holdFirst()
    },
    stop() {
      held?.cancel()
      held = undefined
      running.clear()
    },
  }
}
