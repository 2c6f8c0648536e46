/**
 * Times of this device moved by one distance, drawn by chance for a recording: how long things took stays, and when they
 * happened does not. Ids that hold their sender's clock move alike, so that they keep their order.
 */
import type { LogRecord } from '../log/record.ts'
import { nextRandom, seeded } from '../values/generator.ts'
import { isoOf, timeOf } from '../values/isoTime.ts'

export type Shift = {
  /** @returns a time in ms; 0, which stands for none, stays */
  time(at: number): number
  /** @returns a number that holds a clock in ms, µs or ns, or in seconds; another number stays */
  stamp(value: number): number
  /** @returns a text with every such number in it moved, and a time in ISO 8601 when it is all of the text */
  within(text: string): string
}

/** Whole seconds, so that what is rounded to seconds stays so. */
const secondMs = 1000
const earliestMs = 2_000_000_000_000
const mostSeconds = 1_200_000_000
/** A number in a text is a clock when it is this near to what was recorded. */
const nearMs = 400 * 24 * 3600 * secondMs
const clocks = /(?<![0-9])(?:[0-9]{13}|[0-9]{16}|[0-9]{19})(?![0-9])/g
const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?=[.Z+-])/i

/**
 * A recording begins at a time that is drawn, not at its own moved by a drawn distance: the draw alone tells nothing.
 *
 * @param key what is drawn by
 */
export function createShift(records: readonly LogRecord[], key: string): Shift {
  const [first, last] = spanOf(records)
  const begin = earliestMs + (nextRandom(seeded(key)) % mostSeconds) * secondMs
  // A clock that was ahead goes back
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
      const at = wall === undefined ? undefined : timeOf(`${wall}Z`)
      if (wall !== undefined && at !== undefined && text.length <= 40)
        return isoOf(at + by).slice(0, wall.length) + text.slice(wall.length)
      return text.length < 13 ? text : text.replace(clocks, digits => moved(digits) ?? digits)
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
