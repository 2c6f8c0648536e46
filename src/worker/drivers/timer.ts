/** Timers by name: setting one again moves it. A late firing replays exactly as late. */
import type { Drive } from './drive.ts'

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

type Running = { at: number; due: number; fire: () => void; cancel: () => void }

export function createTimerDriver({ now, passed, after }: Clock): {
  drivers: { [type: string]: Drive }
  /** Sets every timer anew: the device slept, or its clock was set. */
  jumped(): void
  stop(): void
} {
  const running = new Map<string, Running>()

  function set(timerId: string, { at, due, fire }: Omit<Running, 'cancel'>): void {
    running.get(timerId)?.cancel()
    // A clock that was set back holds no timer up, and one that went on, as over a sleep, has it fire
    const left = () => Math.min(at - now(), due - passed())
    const cancel = after(Math.min(Math.max(0, left()), longestMs), () => {
      // On the way to a far one, or a moment early, as browsers may be
      if (left() > 0) set(timerId, { at, due, fire })
      else {
        running.delete(timerId)
        fire()
      }
    })
    running.set(timerId, { at, due, fire, cancel })
  }

  return {
    drivers: {
      'timer.set': async ({ data }, answer) => {
        const { timerId, at } = data as { timerId: string; at: number }
        const fire = () => answer({ type: 'timer.fired', data: { timerId } })
        set(timerId, { at, due: passed() + Math.max(0, at - now()), fire })
      },
      'timer.clear': async ({ data }) => {
        running.get(data.timerId)?.cancel()
        running.delete(data.timerId)
      },
    },
    jumped() {
      for (const [timerId, timer] of running) set(timerId, timer)
    },
    stop() {
      for (const { cancel } of running.values()) cancel()
      running.clear()
    },
  }
}
