import { aboutText } from './durations.ts'

/**
 * Progress lines of a test runner: tests finished and failed so far, and each failure as it happens. Passing tests only count.
 */
export type Progress = {
  /** reports one finished test, or file of tests */
  over(passed: number, failed: string[]): void
}

const mark = '· '

/** Distinguishes a progress line from other output. */
export const isProgress = (line: string) => line.startsWith(mark)

/** Longest time without a line while tests finish, ms. */
const everyMs = 10_000

/** @returns the time left by the pace so far, in words */
function leftText(over: number, total: number, passedMs: number): string {
  if (over === 0 || over >= total) return ''
  return `, ${aboutText(((passedMs / over) * (total - over)) / 1000)} left`
}

/**
 * @param unit plural noun for the items counted against `total`
 * @param print writes a line
 */
export function createProgress(
  { name, unit, total }: { name: string; unit: string; total: number },
  { print = (line: string) => console.log(line), now = Date.now } = {},
): Progress {
  const beganAt = now()
  const state = { over: 0, passed: 0, failed: 0, saidAt: beganAt }
  return {
    over(passed, failed) {
      state.over += 1
      state.passed += passed
      state.failed += failed.length
      for (const test of failed) print(`${mark}${name}: FAILED ${test}`)
      if (state.over < total && now() - state.saidAt < everyMs) return
      state.saidAt = now()
      const left = leftText(state.over, total, state.saidAt - beganAt)
      print(`${mark}${name}: ${state.over} of ${total} ${unit}, ${state.passed} passed, ${state.failed} failed${left}`)
    },
  }
}
