/** The timeline of a story: its inputs, facts and screens in time. The scrubber draws it; playback takes its pace from it. */
import type { PageModel } from '../app.ts'
import { emptyPageModel } from '../emptyModel.ts'
import { foldPageFact } from '../pageFolds.ts'
import type { RecordedCall, CallStatus } from './calls.ts'
import { type Entry, recordedIndex } from '../../runtime/story/story.ts'
import { isCommand } from './causes.ts'
import { shownScreen } from '../subjects/page/screenFold.ts'

/** Columns of a lane, about a pixel each; a lane lists each column with a mark once. */
export const columns = 2000
/** A screen from one entry to the next; `quiet` when the modal is closed. `from` and `to` go from 0 to 1. */
export type Stretch = { from: number; to: number; label: string; quiet: boolean; first: number; last: number }

export type Timeline = {
  /** First and last time, ms since the Unix epoch. */
  from: number
  to: number
  /** Length as drawn, in ms: long pauses are shortened. */
  drawnMs: number
  /** Position of each entry, from 0 to 1; never falls. */
  x: Float64Array
  inputs: number[]
  commands: number[]
  core: number[]
  /** One lane for each tab, in the order of their first facts. */
  pages: { tab: string; screens: Stretch[] }[]
  /** Calls by lane, in columns; `to` is the end of the lane while a call is pending. */
  calls: Record<RecordedCall['lane'], { from: number; to: number; status: CallStatus }[]>
  /** Labels under the lanes: ms since the first entry. */
  marks: { x: number; ms: number }[]
}

/** Longer pauses are drawn this long, ms: a log may hold days in which nothing happened. */
const longestPauseMs = 30_000

/** Computes the timeline of a story and of its calls. */
export function timelineOf(story: readonly Entry[], calls: readonly RecordedCall[] = []): Timeline {
  const x = new Float64Array(story.length)
  const from = story.reduce((least, { record }) => Math.min(least, record.at), story[0]?.record.at ?? 0)
  let at = from
  let drawn = 0
  const places: { at: number; drawn: number }[] = [{ at, drawn }]
  story.forEach(({ record }, place) => {
    const pause = Math.max(0, record.at - at)
    at = Math.max(at, record.at)
    drawn += Math.min(pause, longestPauseMs)
    x[place] = drawn
    if (pause > 0) places.push({ at, drawn })
  })
  const whole = drawn || 1
  const inputs = new Uint8Array(columns + 1)
  const commands = new Uint8Array(columns + 1)
  const core = new Uint8Array(columns + 1)
  story.forEach((entry, place) => {
    const here = (x[place] ?? 0) / whole
    x[place] = here
    const { k } = entry.record
    if (k === 'f') core[columnOf(here)] = 1
    else if (k === 'i') (isCommand(entry) ? commands : inputs)[columnOf(here)] = 1
  })
  return {
    from,
    to: at,
    drawnMs: drawn,
    x,
    inputs: marked(inputs),
    commands: marked(commands),
    core: marked(core),
    pages: lanesOf(story, x),
    calls: callLanes(story, calls, x),
    marks: marksOf(places, whole, from),
  }
}

/** @returns the columns with a mark, in order */
function marked(lane: Uint8Array): number[] {
  return [...lane.keys()].filter(column => lane[column] === 1)
}

/** @param x from 0 to 1 */
export function columnOf(x: number): number {
  return Math.round(x * columns)
}

/** @returns the last entry at or before `wanted`, by binary search */
export function placeAt({ x }: Pick<Timeline, 'x'>, wanted: number): number {
  let low = 0
  let high = x.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((x[middle] ?? 0) <= wanted) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

function callLanes(story: readonly Entry[], calls: readonly RecordedCall[], x: Float64Array): Timeline['calls'] {
  const lanes: Timeline['calls'] = { relay: [], rpc: [] }
  const drawn = new Set<string>()
  for (const { lane, index, answer, status } of calls) {
    const from = x[recordedIndex(story, index) ?? 0] ?? 0
    const to = answer === undefined ? 1 : (x[recordedIndex(story, answer) ?? 0] ?? 1)
    const bar = { from: columnOf(from), to: columnOf(to), status }
    const name = `${lane} ${bar.from} ${bar.to} ${status}`
    if (drawn.has(name)) continue
    drawn.add(name)
    lanes[lane].push(bar)
  }
  return lanes
}

function lanesOf(story: readonly Entry[], x: Float64Array): Timeline['pages'] {
  const tabs = new Map<string, { page: PageModel; screens: Stretch[] }>()
  story.forEach(({ record, unknown }, place) => {
    if (record.k !== 'p') return
    let lane = tabs.get(record.tab)
    if (!lane) {
      lane = { page: emptyPageModel(), screens: [] }
      tabs.set(record.tab, lane)
    }
    if (!unknown) foldPageFact(lane.page, record)
    const screen = shownScreen(lane.page)
    const label = screen?.name ?? 'Page'
    const before = lane.screens[lane.screens.length - 1]
    if (before?.label === label) return
    if (before) {
      before.to = x[place] ?? 1
      before.last = place - 1
    }
    lane.screens.push({ from: x[place] ?? 0, to: 1, label, quiet: !screen, first: place, last: story.length - 1 })
  })
  return [...tabs].map(([tab, { screens }]) => ({ tab, screens }))
}

function marksOf(places: readonly { at: number; drawn: number }[], whole: number, from: number): Timeline['marks'] {
  const marks: Timeline['marks'] = []
  let next = 0
  for (let i = 0; i < 6; i++) {
    const wanted = (whole * i) / 6
    while (next + 1 < places.length && (places[next + 1]?.drawn ?? 0) <= wanted) next += 1
    const here = places[next]
    if (here) marks.push({ x: i / 6, ms: Math.round(here.at - from + (wanted - here.drawn)) })
  }
  return marks
}
