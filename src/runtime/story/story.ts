/** A log as a story: inputs, the facts each caused, and the page facts, in the order in which they were seen. */
import type { FactRecord, InputRecord, PageRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'
import type { Moment } from './moments.ts'

/** One stop of the playhead. `index` is its place in the records; `unknown` types and versions are not folded. */
export type Entry = { record: InputRecord | FactRecord | PageRecord; index: number; unknown?: true }

/**
 * Puts each input before its first fact. An input without facts stands where it arrived: before the page facts of a later time.
 *
 * @param moments the facts of these records, in the order in which they were seen
 */
export function storyOf(records: readonly Recorded[], moments: readonly Moment[]): Entry[] {
  const story: Entry[] = []
  let next = 0
  const tellInputs = (until: (input: InputRecord) => boolean) => {
    for (; next < records.length; next++) {
      const record = records[next]?.record
      if (record?.k !== 'i') continue
      if (!until(record)) return
      story.push({ record, index: next })
    }
  }
  const causes = causesFrom(moments)
  for (const [place, { record, index, unknown }] of moments.entries()) {
    const cause = causes[place] ?? Number.POSITIVE_INFINITY
    tellInputs(record.k === 'f' ? input => input.n <= cause : input => input.n < cause && input.at <= record.at)
    story.push(unknown ? { record, index, unknown } : { record, index })
  }
  tellInputs(() => true)
  return story
}

/** @returns for each moment the input that caused the next core fact, itself included */
function causesFrom(moments: readonly Moment[]): number[] {
  const causes: number[] = []
  let cause = Number.POSITIVE_INFINITY
  for (let place = moments.length - 1; place >= 0; place--) {
    const record = moments[place]?.record
    if (record?.k === 'f') cause = record.n
    causes[place] = cause
  }
  return causes
}

/**
 * The nearest fitting place in one direction, or `from` when there is none.
 *
 * @param step 1 or −1
 */
export function nearestIndex(
  story: readonly Entry[],
  from: number,
  step: 1 | -1,
  fits: (entry: Entry, place: number) => boolean,
): number {
  for (let place = from + step; place >= 0 && place < story.length; place += step) {
    const entry = story[place]
    if (entry && fits(entry, place)) return place
  }
  return from
}

/** @returns whether all facts of this input stand at or before this place: a step by inputs rests here */
export function endsStep(story: readonly Entry[], place: number): boolean {
  const [here, after] = [story[place]?.record, story[place + 1]?.record]
  return here?.k === 'p' || after === undefined || after.k !== 'f'
}

/** @returns the place before which nothing of this input was known: the input's own; for a page fact the place before it */
export function beginOfStep(story: readonly Entry[], place: number): number {
  const here = story[place]?.record
  if (here?.k === 'i') return place
  if (here?.k !== 'f') return place - 1
  return nearestIndex(story, place, -1, ({ record }) => record.k === 'i')
}

/** The place of a record in the story, by its index. */
export function recordedIndex(story: readonly Entry[], index: number): number | undefined {
  const place = placesOf(story)[index] ?? none
  return place === none ? undefined : place
}

const none = -1
const known = new WeakMap<readonly Entry[], Int32Array>()

/** @returns the place of each record, by its index. A map of 200,000 of them took a quarter of a second to make */
function placesOf(story: readonly Entry[]): Int32Array {
  let places = known.get(story)
  if (!places) {
    const length = story.reduce((most, { index }) => Math.max(most, index + 1), 0)
    places = new Int32Array(length).fill(none)
    for (const [place, { index }] of story.entries()) places[index] = place
    known.set(story, places)
  }
  return places
}
