/** Timers by name: setting one again moves it. A late firing replays exactly as late. */
import type { Answer, Drive } from './drive.ts'
import { createHeap } from './heap.ts'

/** How time passes on this device, ms. */
export type Clock = {
  /** what the device's clock says since the Unix epoch; it may be set at any moment */
  now(): number
  /** what has passed since some moment, whatever the clock is set to; it may stand still while the device sleeps */
  passed(): number
  /** @returns takes it back */
  after(ms: number, run: () => void): () => void
}

/** Longest wait one `setTimeout` holds, ms; longer timers are set again on the way. */
const longestMs = 2_000_000_000

/** @returns this device's time, with `now` in the place of its clock when it is given */
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
 * One that is set: when its clock says so (ms since the Unix epoch), when so much has passed, and when it is due as far as was
 * known last; `order` is the order in which they were set. Without `answer` it was moved or cleared.
 */
type Running = {
  timerId: string
  at: number
  due: number
  key: number
  order: number
  answer: ((input: Answer) => void) | undefined
}

/** So many fire in one go, so that whatever else waits gets its turn. */
const atOnce = 256

/** However many timers are set, this device holds one. */
export function createTimerDriver({ now, passed, after }: Clock): {
  drivers: { [type: string]: Drive }
  /** Looks at every timer anew: the device slept, or its clock was set. */
  jumped(): void
  stop(): void
} {
  const running = new Map<string, Running>()
  const waiting = createHeap<Running>((a, b) => a.key < b.key || (a.key === b.key && a.order < b.order))
  let sets = 0
  let held: { key: number; cancel: () => void } | undefined

  // A clock that was set back holds no timer up, and one that went on, as over a sleep, has it fire
  const left = ({ at, due }: Pick<Running, 'at' | 'due'>) => Math.min(at - now(), due - passed())

  /** Holds the device's timer for the first one. */
  function hold(): void {
    const first = next()
    if (!first || (held && held.key <= first.key)) return
    held?.cancel()
    const { key } = first
    held = { key, cancel: after(Math.min(Math.max(0, key - passed()), longestMs), wake) }
  }

  /** @returns the first that was neither moved nor cleared since */
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
        // On the way to a far one, or a moment early, as browsers may be
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

  /** Takes one out of the count; its place in the order is given up when it comes to that. */
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
