/**
 * Shifts this device's times by one random distance per recording: durations stay, dates do not. Ids that hold their sender's
 * clock shift alike, so they keep their order.
 */
import type { LogRecord } from '../../runtime/log/record.ts'
import { nextRandom, seeded } from '../../runtime/core/generator.ts'
import { isoOf } from '../values/isoOf.ts'
import { isoMs } from '../values/isoTime.ts'

type Shift = {
  /** @returns the shifted time in ms; 0, which means none, stays */
  time(at: number): number
  /** @returns a shifted clock in ms, µs, ns or seconds; any other number stays */
  stamp(value: number): number
  /** @returns the text with every clock in it shifted, or a text that is an ISO 8601 time shifted */
  within(text: string): string
}

/** Shifts are whole seconds, so that times rounded to seconds stay rounded. */
const secondMs = 1000
const earliestMs = 2_000_000_000_000
const mostSeconds = 1_200_000_000
/** A number in a text is a clock when it is this near to the recorded times. */
const nearMs = 400 * 24 * 3600 * secondMs
/** A seed or a hash, whose digits are no clock, or a run of digits as long as a clock. */
const hexOrClock = /[0-9a-f]{32,}|(?<![0-9])(?:[0-9]{13}|[0-9]{16}|[0-9]{19})(?![0-9])/gi
const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?=[.Z+-])/i

/**
 * Draws the time at which the shifted recording begins, not the distance: the result tells nothing of the true time.
 *
 * @param key seed of the draw
 */
export function createShift(records: readonly LogRecord[], key: string): Shift {
  const [first, last] = spanOf(records)
  const begin = earliestMs + (nextRandom(seeded(key)) % mostSeconds) * secondMs
  // Negative for a clock that was ahead
  const by = Math.floor((begin - first) / secondMs) * secondMs

  function isNear(ms: number): boolean {
    return ms >= first - nearMs && ms <= last + nearMs
  }

  function moved(digits: string): string | undefined {
    const scale = 10n ** BigInt(Math.max(0, digits.length - 13))
    if (digits.length === 10)
      return isNear(Number(digits) * secondMs) ? String(Number(digits) + by / secondMs) : undefined
    if (![13, 16, 19].includes(digits.length) || !isNear(Number(BigInt(digits) / scale))) return undefined
    return String(BigInt(digits) + BigInt(by) * scale)
  }

  return {
    time: at => (at <= 0 || at + by > Number.MAX_SAFE_INTEGER ? at : Math.max(1, at + by)),
    stamp: value => (Number.isSafeInteger(value) && value > 0 ? Number(moved(String(value)) ?? value) : value),
    within(text) {
      const wall = iso.exec(text)?.[1]
      const at = wall === undefined ? undefined : isoMs(`${wall}Z`)
      if (wall !== undefined && at !== undefined && text.length <= 40)
        return isoOf(at + by).slice(0, wall.length) + text.slice(wall.length)
      return text.length < 13 ? text : text.replace(hexOrClock, word => moved(word) ?? word)
    },
  }
}

function spanOf(records: readonly LogRecord[]): [number, number] {
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const record of records) {
    if (!('at' in record) || record.at <= 0) continue
    first = Math.min(first, record.at)
    last = Math.max(last, record.at)
  }
  return last === 0 ? [0, 0] : [first, last]
}
