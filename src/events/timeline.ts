/** A story in short: where its inputs, facts and screens stand in time. What a scrubber draws. */
import { commandDefinitions } from './command.ts'
import { emptyPageModel, foldPageFact, type PageModel } from './app.ts'
import type { Recorded } from './recording.ts'
import type { Moment } from './replay.ts'
import { shownScreen } from './subjects/screen.ts'

/** One mark in a lane; `x` is from 0 to 1. */
export type Tick = { x: number; strong: boolean }
/** A screen from one moment to the next; `quiet` when the modal is closed. */
export type Stretch = { from: number; to: number; label: string; quiet: boolean; first: number; last: number }

export type Timeline = {
  /** First and last time, ms since the Unix epoch. */
  from: number
  to: number
  /** For each moment, where it stands from 0 to 1; never falls. */
  x: Float64Array
  inputs: Tick[]
  core: Tick[]
  screens: Stretch[]
  /** Labels under the lanes: ms since the first moment. */
  marks: { x: number; ms: number }[]
}

/** A pause longer than this is drawn as this long, ms: a log may hold days in which nothing happened. */
const longestPauseMs = 30_000
const strongFacts = /\.(?:failed|ended|made|settled|placed|signed|confirmed|finalised|accounted|started|faulted)$/

/** Draws up the timeline of a story. */
export function timelineOf(records: readonly Recorded[], moments: readonly Moment[]): Timeline {
  const x = new Float64Array(moments.length)
  const from = moments[0]?.record.at ?? 0
  let at = from
  let drawn = 0
  const places: { at: number; drawn: number }[] = [{ at, drawn }]
  moments.forEach(({ record }, index) => {
    const pause = Math.max(0, record.at - at)
    at = Math.max(at, record.at)
    drawn += Math.min(pause, longestPauseMs)
    x[index] = drawn
    if (pause > 0) places.push({ at, drawn })
  })
  const whole = drawn || 1
  for (let i = 0; i < x.length; i++) x[i] = (x[i] ?? 0) / whole

  const inputs: Tick[] = []
  let place = 0
  for (const { record } of records) {
    if (record.k !== 'i') continue
    while (place + 1 < places.length && (places[place + 1]?.at ?? 0) <= record.at) place += 1
    const here = places[place] ?? { at, drawn: 0 }
    const beyond = Math.min(Math.max(0, record.at - here.at), (places[place + 1]?.drawn ?? here.drawn) - here.drawn)
    inputs.push({ x: (here.drawn + beyond) / whole, strong: Object.hasOwn(commandDefinitions, record.type) })
  }
  const core = moments.flatMap(({ record }, index) =>
    record.k === 'f' ? [{ x: x[index] ?? 0, strong: strongFacts.test(record.type) }] : [],
  )
  return { from, to: at, x, inputs, core, screens: stretches(moments, x), marks: marksOf(places, whole, from) }
}

function stretches(moments: readonly Moment[], x: Float64Array): Stretch[] {
  const tabs = new Map<string, PageModel>()
  const found: Stretch[] = []
  const begin = (index: number, label: string) => {
    const before = found[found.length - 1]
    if (before) {
      if (before.label === label) return
      before.to = x[index] ?? 1
      before.last = index - 1
    }
    found.push({ from: x[index] ?? 0, to: 1, label, quiet: label === 'Page', first: index, last: moments.length - 1 })
  }
  moments.forEach(({ record }, index) => {
    if (record.k !== 'p') return
    let page = tabs.get(record.tab)
    if (!page) {
      page = emptyPageModel()
      tabs.set(record.tab, page)
    }
    foldPageFact(page, record)
    begin(index, shownScreen(page)?.name ?? 'Page')
  })
  return found
}

function marksOf(places: readonly { at: number; drawn: number }[], whole: number, from: number): Timeline['marks'] {
  const marks: Timeline['marks'] = []
  let next = 0
  for (let i = 0; i < 6; i++) {
    const wanted = (whole * i) / 6
    while (next + 1 < places.length && (places[next + 1]?.drawn ?? 0) <= wanted) next += 1
    const here = places[next]
    if (here) marks.push({ x: i / 6, ms: here.at - from + (wanted - here.drawn) })
  }
  return marks
}
