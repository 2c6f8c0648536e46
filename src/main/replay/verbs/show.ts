/** Prints the facts of a recording, one per line. */
import { clockText, details, printable } from '../../../runtime/replay/describe.ts'
import type { FactRecord, InputRecord, PageRecord } from '../../../runtime/log/record.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { type Moment, momentsOf } from '../../../runtime/story/moments.ts'
import { type Entry, storyOf } from '../../../runtime/story/story.ts'
import { readRecordingAt, recordingsIn } from '../files.ts'
import { pointForms, readPoint, stretchOf } from '../point.ts'
import { type Cell, terminalLine, terminalOf } from '../terminal.ts'
import { unusual } from '../unusual.ts'
import { type Io, type VerbArguments, safeJson, type Verb } from '../verb.ts'

export const show: Verb = {
  takes: 'FILE… [--inputs] [--type PREFIX]… [--from POINT] [--to POINT] [--json]',
  summary: 'prints the facts, one per line',
  about: `Prints the core's facts and the pages' facts in the order in which the person saw them. Times are UTC.
#36 is a fact, n42 the input that caused it, p7 a page's own count: at, --from, --to and explore take the first two.
A terminal gets colours, unless NO_COLOR is set, and lines cut to its width; a pipe gets whole lines.
A point is ${pointForms}.`,
  options: {
    inputs: { about: 'also the inputs' },
    type: { value: 'PREFIX', many: true, about: 'only types with this prefix, such as order or order.signed' },
    from: { value: 'POINT', about: 'from this point on' },
    to: { value: 'POINT', about: 'up to and including this point' },
    json: { about: 'one JSON object per line, {"file", "by", "record"}' },
  },
  async run(asked, io) {
    const { out } = io
    const files = await recordingsIn(asked.words)
    for (const file of files) {
      const recording = await readRecordingAt(file)
      if (files.length > 1 && !asked.flags.has('json')) out.write(`${safeJson(file).slice(1, -1)}\n`)
      story(recording, asked, io, file)
      if (!asked.flags.has('json')) out.write(unusual(recording))
    }
    return 0
  },
}

/** Writes the selected lines, 1000 at a time. */
export function story(recording: Recording, { flags, values }: VerbArguments, io: Io, file: string): void {
  const { out } = io
  const { records } = recording
  const moments = momentsOf(records)
  const inputs = records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
  const stretch = (text: string) => stretchOf(moments, inputs, readPoint(text))
  const [from] = values.from ?? []
  const [to] = values.to ?? []
  const chosen = {
    first: from === undefined ? 0 : stretch(from).first,
    end: to === undefined ? moments.length + 1 : stretch(to).end,
  }
  const prefixes = values.type ?? []
  const shown = placed(storyOf(records, moments)).flatMap(({ record, place }) => {
    if (record.k === 'i' && !flags.has('inputs')) return []
    if (place < chosen.first || place >= chosen.end) return []
    return prefixes.length === 0 || prefixes.some(prefix => record.type.startsWith(prefix)) ? [record] : []
  })
  const terminal = terminalOf(out, io.env ?? {})
  const pages = pageNames(moments)
  const widths = flags.has('json') ? undefined : widthsOf(shown, pages)
  for (let at = 0; at < shown.length; at += 1000) {
    const lines = shown.slice(at, at + 1000).map(record => {
      if (widths) return terminalLine(cellsOf(record, widths, pages), terminal)
      return safeJson({ file, by: writers[record.k], record })
    })
    out.write(`${lines.join('\n')}\n`)
  }
}

type Shown = FactRecord | PageRecord | InputRecord

const writers = { i: 'input', f: 'core', p: 'page' } as const

/** Words in the types that report a failure. */
const failure =
  /(?:failed(?:OnChain)?|faulted|refused|rejected|declined|expired|mismatched|lost|dropped|broken|damaged|unreachable|distrusted|setAside)$/i

type Widths = { id: number; n: number; by: number; type: number }

/** `#36` is a fact's seq, `n42` its input, `p7` a page's own count. */
function numbersOf(record: Shown): { id: string; n: string } {
  if (record.k === 'p') return { id: `p${record.p}`, n: '' }
  return { id: record.k === 'f' ? `#${record.seq}` : '', n: `n${record.n}` }
}

/** @returns `page`, or with several tabs `page 1`, `page 2` in the order of their first facts */
function pageNames(moments: readonly Moment[]): Map<string, string> {
  const tabs = [...new Set(moments.flatMap(({ record }) => (record.k === 'p' ? [record.tab] : [])))]
  return new Map(tabs.map((tab, at) => [tab, tabs.length === 1 ? 'page' : `page ${at + 1}`]))
}

function writerOf(record: Shown, pages: ReadonlyMap<string, string>): string {
  return (record.k === 'p' ? pages.get(record.tab) : undefined) ?? writers[record.k]
}

function widthsOf(shown: readonly Shown[], pages: ReadonlyMap<string, string>): Widths {
  const widths: Widths = { id: 0, n: 0, by: 0, type: 0 }
  for (const record of shown) {
    const { id, n } = numbersOf(record)
    widths.id = Math.max(widths.id, id.length)
    widths.n = Math.max(widths.n, n.length)
    widths.by = Math.max(widths.by, writerOf(record, pages).length)
    // One type of a stranger does not push all details away
    widths.type = Math.max(widths.type, Math.min(40, record.type.length))
  }
  return widths
}

function cellsOf(record: Shown, widths: Widths, pages: ReadonlyMap<string, string>): Cell[] {
  const { id, n } = numbersOf(record)
  const type: Cell = { text: printable(record.type), width: widths.type }
  if (failure.test(record.type)) type.tone = 'bad'
  else if (record.k === 'f') type.tone = 'strong'
  return [
    { text: id, width: widths.id, right: true, tone: 'dim' },
    { text: n, width: widths.n, tone: 'dim' },
    { text: clockText(record.at), tone: 'dim' },
    { text: writerOf(record, pages), width: widths.by },
    type,
    { text: details(record, Number.POSITIVE_INFINITY).trimStart() },
  ]
}

/** `place` is the index of the moment; an input has that of the next moment. */
function placed(entries: readonly Entry[]): { record: Shown; place: number }[] {
  let place = 0
  return entries.map(({ record }) => ({ record, place: record.k === 'i' ? place : place++ }))
}
