/** A point of a recording on the command line: a fact by its seq, an input by its n, or a time. */
import { clockText, printable } from '../../runtime/replay/describe.ts'
import type { Moment } from '../../runtime/story/moments.ts'
import { refused } from './verb.ts'

type Point = { by: 'seq' | 'n'; number: number } | { by: 'time'; at: number } | { by: 'clock'; ms: number }

export const pointForms = '812 (a fact), n:812 (an input), 09:40:12.003 or 2026-11-21T09:40:12Z (a time, UTC)'

/** @throws Fault `bad_input` for anything but the forms above */
export function readPoint(text: string): Point {
  const number = /^(n:|seq:)?(\d{1,15})$/.exec(text)
  if (number) return { by: number[1] === 'n:' ? 'n' : 'seq', number: Number(number[2]) }
  const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/.exec(text)
  if (time) {
    const [hours = 0, minutes = 0, seconds = 0] = time.slice(1, 4).map(part => Number(part ?? 0))
    if (hours < 24 && minutes < 60 && seconds < 60) {
      const ms = Number((time[4] ?? '').padEnd(3, '0'))
      return { by: 'clock', ms: ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms }
    }
  }
  const at = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(at)) return { by: 'time', at }
  throw refused(`a point expected ${pointForms}, got ${printable(text).slice(0, 40) || 'nothing'}`)
}

/** Moments of a point, by index: from `first` to before `end`. Empty for an input without facts. */
type MomentRange = { first: number; end: number }

/**
 * Finds the moments of a point.
 *
 * @param inputs of the recording, in order
 * @throws Fault `bad_input` when the recording has no such point
 */
export function stretchOf(moments: readonly Moment[], inputs: readonly { n: number }[], point: Point): MomentRange {
  if (point.by === 'time' || point.by === 'clock') return stretchOfTime(moments, point)
  const { by, number } = point
  const numberOf = ({ record }: Moment) => (record.k !== 'f' ? undefined : by === 'seq' ? record.seq : record.n)
  const numbers = moments.flatMap(moment => numberOf(moment) ?? [])
  const [least, most] =
    by === 'seq' ? [numbers[0] ?? 0, numbers.at(-1) ?? 0] : [inputs[0]?.n ?? 0, inputs.at(-1)?.n ?? 0]
  if (number < Math.max(1, least) || number > most) {
    const noun = by === 'seq' ? 'fact' : 'input'
    throw refused(`the recording has the ${noun}s ${least} to ${most}, there is no ${noun} ${number}`)
  }
  let end = 0
  let first: number | undefined
  moments.forEach((moment, index) => {
    const own = numberOf(moment)
    if (own === undefined) return
    if (own <= number) end = index + 1
    if (own >= number) first ??= index
  })
  return { first: Math.min(first ?? end, end), end }
}

function stretchOfTime(moments: readonly Moment[], point: Extract<Point, { by: 'time' | 'clock' }>): MomentRange {
  const times = moments.map(({ record }) => record.at)
  const [from = 0, to = 0] = [times[0], times.at(-1)]
  const at = point.by === 'time' ? point.at : timeOf(point.ms, from, to)
  if (times.length === 0 || at < from || at > to) {
    throw refused(`the recording goes from ${stamp(from)} to ${stamp(to)}, got ${stamp(at)}`)
  }
  const later = times.findIndex(time => time > at)
  return { first: times.findIndex(time => time >= at), end: later < 0 ? times.length : later }
}

/** @returns the time of day on the recording's first day, or on the next one when it was past by then. Unix ms. */
function timeOf(ms: number, first: number, last: number): number {
  const day = 86_400_000
  const today = first - (((first % day) + day) % day) + ms
  return today < first && today + day <= last ? today + day : today
}

function stamp(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? clockText(at) : date.toISOString()
}
