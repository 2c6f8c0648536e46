/** Prints the facts of a recording, one per line. */
import { describe } from '../../../runtime/replay/describe.ts'
import type { FactRecord, InputRecord, PageRecord } from '../../../runtime/log/record.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { type Moment, momentsOf } from '../../../events/replay/replay.ts'
import { readRecordingAt, recordingsIn } from '../files.ts'
import { pointForms, readPoint, stretchOf } from '../point.ts'
import { unusual } from '../unusual.ts'
import { type VerbArguments, type Output, safeJson, type Verb } from '../verb.ts'

export const show: Verb = {
  takes: 'FILE… [--inputs] [--type PREFIX]… [--from POINT] [--to POINT] [--json]',
  summary: 'prints the facts, one per line',
  about: `Prints the core's facts and the pages' facts in the order in which the person saw them. Times are UTC.
A point is ${pointForms}.`,
  options: {
    inputs: { about: 'also the inputs' },
    type: { value: 'PREFIX', many: true, about: 'only types with this prefix, such as order or order.signed' },
    from: { value: 'POINT', about: 'from this point on' },
    to: { value: 'POINT', about: 'up to and including this point' },
    json: { about: 'one JSON object per line, {"file", "by", "record"}' },
  },
  async run(asked, { out }) {
    const files = await recordingsIn(asked.words)
    for (const file of files) {
      const recording = await readRecordingAt(file)
      if (files.length > 1 && !asked.flags.has('json')) out.write(`${safeJson(file).slice(1, -1)}\n`)
      story(recording, asked, out, file)
      if (!asked.flags.has('json')) out.write(unusual(recording))
    }
    return 0
  },
}

/** Writes the selected lines, 1000 at a time. */
export function story(recording: Recording, { flags, values }: VerbArguments, out: Output, file: string): void {
  const moments = momentsOf(recording.records)
  const inputs = recording.records.flatMap(({ record }) => (record.k === 'i' ? [record] : []))
  const stretch = (text: string) => stretchOf(moments, inputs, readPoint(text))
  const [from] = values.from ?? []
  const [to] = values.to ?? []
  const chosen = {
    first: from === undefined ? 0 : stretch(from).first,
    end: to === undefined ? moments.length + 1 : stretch(to).end,
  }
  const prefixes = values.type ?? []
  const lines: string[] = []
  for (const { record, place } of flags.has('inputs') ? withInputs(moments, inputs) : placed(moments)) {
    if (place < chosen.first || place >= chosen.end) continue
    if (prefixes.length > 0 && !prefixes.some(prefix => record.type.startsWith(prefix))) continue
    const by = { i: 'input', f: 'core', p: 'page' }[record.k]
    const width = flags.has('inputs') ? 5 : 4
    lines.push(flags.has('json') ? safeJson({ file, by, record }) : `${by.padEnd(width)}  ${describe(record)}`)
    if (lines.length >= 1000) out.write(`${lines.splice(0).join('\n')}\n`)
  }
  if (lines.length > 0) out.write(`${lines.join('\n')}\n`)
}

/** `place` is the index of the moment; an input has that of the next moment. */
type Placed = { record: FactRecord | PageRecord | InputRecord; place: number }

function placed(moments: readonly Moment[]): Placed[] {
  return moments.map(({ record }, place) => ({ record, place }))
}

/** Puts each input right before its first fact; an input without facts comes before the next fact. */
function withInputs(moments: readonly Moment[], inputs: readonly InputRecord[]): Placed[] {
  const shown: Placed[] = []
  let next = 0
  const upTo = (n: number, place: number) => {
    for (let record = inputs[next]; record && record.n <= n; record = inputs[++next]) shown.push({ record, place })
  }
  moments.forEach(({ record }, place) => {
    if (record.k === 'f') upTo(record.n, place)
    shown.push({ record, place })
  })
  upTo(Number.POSITIVE_INFINITY, moments.length)
  return shown
}
