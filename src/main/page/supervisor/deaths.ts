/** Deaths in quick succession wait longer before the next start, ms. */
const quickMs = 10_000
const longestMs = 10_000
/** So many deaths within so many ms, and only the person can want another start. */
const most = { deaths: 10, withinMs: 180_000 }

/** Said where no other start is made by itself: what a person can do besides. */
export const gaveUpWords =
  'It stopped again and again. Nothing is lost. If reloading does not help, save a recording and erase this device’s record, below.'

/** How often the core died, and what that means for the next start. */
type Deaths = {
  started(): void
  /** @returns how long to wait before the next start, ms; undefined when starting again leads nowhere */
  died(): number | undefined
  /** Something has changed that may have been the cause. */
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
      // A clock that was set back must not keep old deaths young
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
