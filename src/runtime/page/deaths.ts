/** Back-off between the starts of workers. */

/** A worker that dies this soon after its start died quickly, ms: each quick death doubles the wait. */
const quickMs = 10_000
/** Longest wait before a start, ms. */
const longestMs = 10_000
/** This many deaths within this many ms end the automatic starts. */
const most = { deaths: 10, withinMs: 180_000 }

type Deaths = {
  started(): void
  /** @returns the wait before the next start, ms; undefined to stop starting */
  died(): number | undefined
  /** Clears the count, as the cause may be gone. */
  forget(): void
}

/** @param now ms */
export function createDeaths(now: () => number): Deaths {
  let startedAt = 0
  let quick = 0
  let known: number[] = []
  return {
    started() {
      startedAt = now()
    },
    died() {
      const at = now()
      quick = at - startedAt < quickMs ? quick + 1 : 0
      // After the clock was set back, deaths with later times no longer count
      known = [...known.filter(one => one <= at && one > at - most.withinMs), at]
      if (known.length >= most.deaths) return undefined
      return quick === 0 ? 0 : Math.min(longestMs, 200 * 2 ** quick)
    },
    forget() {
      quick = 0
      known = []
    },
  }
}
