/**
 * Progress of a runner with many tests, in lines: how many are over, how many failed, and each failure as it comes.
 * Passing tests add to the counts only.
 */
export type Progress = {
  /** one more test, or file of tests, is over */
  over(passed: number, failed: string[]): void
}

const mark = '· '

/** Tells a line of progress from other output. */
export const isProgress = (line: string) => line.startsWith(mark)

/** A line at least this often while tests end, ms. */
const everyMs = 10_000

/**
 * @param unit plural noun of what is counted against `total`
 * @param print writes a line
 */
export function createProgress(
  { name, unit, total }: { name: string; unit: string; total: number },
  { print = (line: string) => console.log(line), now = Date.now } = {},
): Progress {
  const state = { over: 0, passed: 0, failed: 0, saidAt: now() }
  return {
    over(passed, failed) {
      state.over += 1
      state.passed += passed
      state.failed += failed.length
      for (const test of failed) print(`${mark}${name}: FAILED ${test}`)
      if (state.over < total && now() - state.saidAt < everyMs) return
      state.saidAt = now()
      print(`${mark}${name}: ${state.over} of ${total} ${unit}, ${state.passed} passed, ${state.failed} failed`)
    },
  }
}
