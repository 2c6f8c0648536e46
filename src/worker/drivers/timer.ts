/** Timers by name: setting one again moves it. A late firing replays exactly as late. */
import type { Drive } from './drive.ts'

/** Longest wait one `setTimeout` holds, ms; longer timers are set again on the way. */
const longestMs = 2_000_000_000

export function createTimerDriver(now: () => number): { drivers: { [type: string]: Drive }; stop(): void } {
  const running = new Map<string, ReturnType<typeof setTimeout>>()
  function set(timerId: string, at: number, fire: () => void): void {
    clearTimeout(running.get(timerId))
    const wait = Math.max(0, at - now())
    const handle = setTimeout(
      () => {
        if (wait > longestMs) set(timerId, at, fire)
        else {
          running.delete(timerId)
          fire()
        }
      },
      Math.min(wait, longestMs),
    )
    running.set(timerId, handle)
  }
  return {
    drivers: {
      'timer.set': async ({ data }, answer) => {
        set(data.timerId, data.at, () => answer({ type: 'timer.fired', data: { timerId: data.timerId } }))
      },
      'timer.clear': async ({ data }) => {
        clearTimeout(running.get(data.timerId))
        running.delete(data.timerId)
      },
    },
    stop() {
      for (const handle of running.values()) clearTimeout(handle)
      running.clear()
    },
  }
}
