/** Timers by name: setting one again moves it. A late firing replays exactly as late. */
import { Fault } from '../../events/failure.ts'
import type { Answer, Drive } from './drive.ts'
import { createHeap } from './heap.ts'

/** Time on this device, ms. */
export type Clock = {
  /** the device's clock, ms since the Unix epoch; it may be set at any moment */
  now(): number
  /** monotonic time since some moment; it may stand still while the device sleeps */
  passed(): number
  /** @returns cancels it */
  after(ms: number, run: () => void): () => void
}

/** Longest wait of one `setTimeout`, ms; longer timers are split. */
const longestMs = 2_000_000_000

/** @returns this device's time, with `now` for its clock */
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
 * A pending timer. `at` is its time by the clock (ms since the Unix epoch), `due` by monotonic time, `key` its place in the
 * queue: the last estimate of when it is due; `order` counts the sets. A moved or cleared timer has no `answer`.
 */
type Running = {
  timerId: string
  at: number
  due: number
  key: number
  order: number
  answer: ((input: Answer) => void) | undefined
}

/** Most timers fired at once, so that other work gets its turn. */
const atOnce = 256

/** All timers share one timer of the device. */
export function createTimerDriver({ now, passed, after }: Clock): {
  drivers: { [type: string]: Drive }
  /** Re-estimates every timer, after sleep or a change of the clock. */
  jumped(): void
  stop(): void
} {
  const running = new Map<string, Running>()
  const waiting = createHeap<Running>((a, b) => a.key < b.key || (a.key === b.key && a.order < b.order))
  let sets = 0
  let held: { key: number; cancel: () => void } | undefined

  // The earlier of both: a clock set back delays no timer, and one that ran on, as during sleep, fires it
  const left = ({ at, due }: Pick<Running, 'at' | 'due'>) => Math.min(at - now(), due - passed())

  /** Sets the device's timer for the first one. */
  function hold(): void {
    const first = next()
    if (!first || (held && held.key <= first.key)) return
    held?.cancel()
    const { key } = first
    held = { key, cancel: after(Math.min(Math.max(0, key - passed()), longestMs), wake) }
  }

  /** @returns the first pending timer; drops moved and cleared ones */
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
        // The device's timer was split, or fired early, as browsers may
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

  /** Cancels a timer; its queue entry is dropped later. */
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
