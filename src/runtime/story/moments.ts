/**
 * View replay: the facts of a recording in the order in which the pages saw them, folded up to any point.
 *
 * 1. Core facts keep their order, and so do the page facts of each tab.
 * 2. A page fact stands after the last core fact its page had folded, wherever the log has it.
 * 3. Before a page attaches it folds no core fact: there its time decides, up to the fact with which it attached.
 * 4. Page facts of several tabs between two core facts are merged by time.
 */
import type { FactRecord, InputRecord, PageRecord, RowRecord } from '../log/record.ts'
import type { Recorded } from '../recording/recording.ts'

/**
 * A fact at its place in the story. `index` is its place in the records, `input` its cause. `world`, on the first moment only,
 * is the checkpoint that the recording begins with. Facts of an `unknown` type or version are not folded.
 */
export type Moment = {
  record: FactRecord | PageRecord
  index: number
  unknown?: true
  input?: InputRecord
  world?: readonly RowRecord[]
}

type Life = { firstSeq: number; lastSeq: number }

/** @returns every core and page fact, in the order in which they were seen */
export function momentsOf(records: readonly Recorded[]): Moment[] {
  const lives = new Map<number, Life>()
  let now: Life | undefined
  const facts: Moment[] = []
  const pages: { moment: PageMoment; record: PageRecord; seq: number }[] = []
  const firstLifeOf = new Map<string, number>()
  let input: InputRecord | undefined
  let seq = 0
  const enter = (life: number) => {
    now = { firstSeq: seq + 1, lastSeq: seq }
    // Of two lives with one number the first counts
    if (!lives.has(life)) lives.set(life, now)
  }
  const first = records[0]?.record
  if (first?.k === 'c') {
    seq = first.seq
    enter(first.life)
  }
  const begin = seq
  records.forEach(({ record, unknown }, index) => {
    if (record.k === 'i') {
      input = record
      const life: unknown = record.type === 'core.boot' ? record.data.life : undefined
      if (typeof life === 'number') enter(life)
    } else if (record.k === 'f') {
      seq = record.seq
      if (now) now.lastSeq = seq
      const moment: Moment = input ? { record, index, input } : { record, index }
      if (unknown) moment.unknown = true
      facts.push(moment)
    } else if (record.k === 'p') {
      pages.push({ moment: unknown ? { record, index, unknown } : { record, index }, record, seq })
      if (record.life > 0 && !firstLifeOf.has(record.tab)) firstLifeOf.set(record.tab, record.life)
    }
  })

  const reached = clockOf(facts, begin)
  const attachedAt = new Map<string, number>()
  for (const { record } of pages) {
    if (record.life > 0 && !attachedAt.has(record.tab)) {
      attachedAt.set(record.tab, Math.min(record.after, lives.get(record.life)?.lastSeq ?? record.after))
    }
  }
  const after = new Map<number, PageMoment[]>()
  const anchors = new Map<string, number>()
  for (const { moment, record, seq: written } of pages) {
    const life = lives.get(record.life || (firstLifeOf.get(record.tab) ?? -1))
    const joined = attachedAt.get(record.tab) ?? seq
    const free = life && Math.max(life.firstSeq - 1, Math.min(reached(record.at), joined))
    // Facts that a dying core did not persist are clamped
    const seen =
      life && free !== undefined ? (record.life === 0 ? free : Math.min(record.after, life.lastSeq)) : written
    const anchor = Math.max(seen, anchors.get(record.tab) ?? begin)
    anchors.set(record.tab, anchor)
    const here = after.get(anchor)
    if (here) here.push(moment)
    else after.set(anchor, [moment])
  }

  const story: Moment[] = mergedByTime(after.get(begin) ?? [])
  for (const fact of facts) {
    story.push(fact)
    const here = fact.record.k === 'f' ? after.get(fact.record.seq) : undefined
    if (here) story.push(...mergedByTime(here))
  }
  if (first?.k === 'c' && story[0]) story[0] = { ...story[0], world: rowsAfter(records, 0) }
  return story
}

type PageMoment = Moment & { record: PageRecord }

/** @returns the last core fact at or before a time, by binary search. A clock that was set back stands still here */
function clockOf(facts: readonly Moment[], begin: number): (at: number) => number {
  let latest = Number.NEGATIVE_INFINITY
  const times = facts.map(({ record }) => (latest = Math.max(latest, record.at)))
  return at => {
    let low = 0
    let high = times.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((times[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    const last = facts[low - 1]?.record
    return last?.k === 'f' ? last.seq : begin
  }
}

/** Merges the page facts of several tabs by time; each tab keeps its order, whatever its clock did. */
function mergedByTime(pages: readonly PageMoment[]): PageMoment[] {
  if (pages.length < 2) return [...pages]
  const latest = new Map<string, number>()
  const timed = pages.map(moment => {
    const { tab, at } = moment.record
    const time = Math.max(at, latest.get(tab) ?? at)
    latest.set(tab, time)
    return { moment, time }
  })
  return timed.sort((a, b) => a.time - b.time).map(({ moment }) => moment)
}

/** @returns the rows of the checkpoint at `index` of the records, without unknown ones */
export function rowsAfter(records: readonly Recorded[], index: number): RowRecord[] {
  const rows: RowRecord[] = []
  for (let at = index + 1; ; at++) {
    const { record, unknown } = records[at] ?? {}
    if (record?.k !== 'r') return rows
    if (!unknown) rows.push(record)
  }
}

/** A product's folds: of the core's model, and of each page's. */
export type StoryFolds<Core, Page> = {
  emptyCore(): Core
  emptyPage(): Page
  foldCore(core: Core, fact: FactRecord): void
  foldPage(page: Page, fact: PageRecord): void
}

/**
 * Folds the story up to and including one moment, from the beginning: 100,000 facts take a tenth of a second.
 *
 * @param begin the model before the first moment, which is folded into
 * @param index −1 for before everything
 * @returns the core's model, and the page's of the last tab with a fact
 */
export function foldMoments<Core, Page>(
  { emptyPage, foldCore, foldPage }: Omit<StoryFolds<Core, Page>, 'emptyCore'>,
  begin: Core,
  moments: readonly Moment[],
  index: number,
): { core: Core; page: Page } {
  const tabs = new Map<string, Page>()
  let shown: Page | undefined
  const end = Math.min(index, moments.length - 1)
  for (let i = 0; i <= end; i++) {
    const { record, unknown } = moments[i] ?? {}
    if (!record || unknown) continue
    if (record.k === 'f') {
      foldCore(begin, record)
      continue
    }
    shown = tabs.get(record.tab)
    if (!shown) {
      shown = emptyPage()
      tabs.set(record.tab, shown)
    }
    foldPage(shown, record)
  }
  return { core: begin, page: shown ?? emptyPage() }
}
