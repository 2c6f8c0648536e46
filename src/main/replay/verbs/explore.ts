/** Re-executes a recording with edited inputs and prints what changes. */
import { describe, details, printable } from '../../../runtime/replay/describe.ts'
import type { InputRecord } from '../../../runtime/log/record.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { inputsOf, linesOfGroups, rerun } from '../../../runtime/replay/rerun.ts'
import { startOf } from '../../../worker/replay/startOf.ts'
import { applyEdits, type Edit, type Edited, readEdit, readEdits, textOf } from './edits.ts'
import { readRecordingAt } from '../files.ts'
import { differing, recordedByInput, type GroupPart, saidThen } from '../said.ts'
import { refuseView } from '../strict.ts'
import { type VerbArguments, type ExitCode, type Io, refused, safeJson, type Verb, takeWords } from '../verb.ts'
import { recordingOf, save, writtenHere } from '../write.ts'

export const explore: Verb = {
  takes: 'FILE [--edit N=JSON]… [--insert N=JSON]… [--drop N]… [--edits FILE] [-o OUT] [--json]',
  summary: 'edits, drops or inserts inputs, and prints what changes',
  about: `Re-executes the inputs with these changes and prints, for each input, the recorded facts and effects (-) and the new ones
(+). JSON is an object with the changed fields, {"at", "type", "data", "to", "tab", "ref"}; data is merged by field, and null
removes a field. @FILE reads the JSON from a file. Ids that differ only by name count as equal.
Exit code: 0 the same, 1 a difference, 2 the recording cannot be run.`,
  options: {
    edit: { value: 'N=JSON', many: true, about: 'change fields of input N' },
    insert: { value: 'N=JSON', many: true, about: 'add an input after input N; its time is that of N unless given' },
    drop: { value: 'N', many: true, about: 'leave out input N' },
    edits: { value: 'FILE', about: 'a list: [{"edit": N, "with": {…}}, {"drop": N}, {"insert": N, "with": {…}}]' },
    out: { value: 'OUT', short: 'o', about: 'write the new run as a recording' },
    all: { about: 'print every changed input, not only the first 20' },
    json: { about: 'one JSON document: {"inputs", "changed": [{"n", "from", "type", "recorded", "now"}]}' },
  },
  async run(asked, io) {
    const [file] = takeWords(asked, ['a file'])
    const edits = await editsOf(asked)
    const recording = await readRecordingAt(file)
    refuseView(recording)
    const { start, run, inputs, groups, changed } = explored(recording, edits)
    const [out] = asked.values.out ?? []
    if (out !== undefined) {
      const { text } = await recordingOf(
        { ...writtenHere(recording.header), coreBuild: io.build },
        linesOfGroups(start, groups),
      )
      await save(out, text, file)
    }
    return tell({ run, inputs, changed }, asked, io)
  },
}

async function editsOf({ values }: VerbArguments): Promise<Edit[]> {
  const edits: Edit[] = []
  for (const kind of ['edit', 'insert', 'drop'] as const) {
    for (const text of values[kind] ?? []) edits.push(await readEdit(kind, text))
  }
  for (const path of values.edits ?? []) edits.push(...readEdits(await textOf(path)))
  if (edits.length === 0) throw refused('explore expected --edit, --insert, --drop or --edits, got none of them')
  return edits
}

/** An input with another outcome than recorded; `from` is its number in the recording. */
type Changed = {
  n: number
  from?: number
  type: string
  how?: Edited['how'] | 'dropped'
  recorded: GroupPart[]
  now: GroupPart[]
}

function explored(recording: Recording, edits: readonly Edit[]) {
  const { records } = recording
  const unknown = Object.keys(recording.unknownTypes)[0]
  if (unknown !== undefined)
    throw refused(`${printable(unknown)} is unknown to this build, so the recording cannot be run`)
  const start = startOf(records, deciders)
  const inputs = inputsOf(records)
  const run = applyEdits(inputs, edits)
  if (start.lines.length === 0 && run[0]?.input.type !== 'core.boot') {
    throw refused(`the run expected core.boot as its first input, got ${printable(run[0]?.input.type ?? 'nothing')}`)
  }
  // A run without the edits gives the ids that the edited run's are compared with
  const plain = new Map(
    rerun(
      start,
      inputs.map(input => ({ input })),
    ).groups.map(group => [group.input.n, group]),
  )
  const before = (from: number | undefined) => (from === undefined ? undefined : plain.get(from))
  const { groups, names } = rerun(
    start,
    run.map(({ input, from }) => {
      const group = before(from)
      return group ? { input, before: group } : { input }
    }),
  )
  const recorded = recordedByInput(records)
  const changed = groups.flatMap((group, place): Changed[] => {
    const { from, how } = run[place] ?? {}
    const found = differing(recorded.get(from ?? -1) ?? { facts: [] }, group, names, before(from))
    if (!found) return []
    const about = {
      n: group.input.n,
      type: group.input.type,
      ...(from === undefined ? {} : { from }),
      ...(how ? { how } : {}),
    }
    return [{ ...about, ...found }]
  })
  const dropped = inputs.flatMap(({ n, type }): Changed[] => {
    const was = recorded.get(n)
    if (!was || run.some(({ from }) => from === n)) return []
    const said = saidThen(was, names, plain.get(n))
    return said.length === 0 ? [] : [{ n, from: n, type, how: 'dropped', recorded: said, now: [] }]
  })
  const place = ({ from, n }: Changed) => from ?? n
  return { start, run, inputs, groups, changed: [...dropped, ...changed].sort((a, b) => place(a) - place(b)) }
}

function tell(
  { run, inputs, changed }: { run: readonly Edited[]; inputs: readonly InputRecord[]; changed: readonly Changed[] },
  { flags }: VerbArguments,
  { out }: Io,
): ExitCode {
  const code = changed.length > 0 ? 1 : 0
  if (flags.has('json')) {
    out.write(`${safeJson({ inputs: run.length, changed })}\n`)
    return code
  }
  const most = flags.has('all') ? changed.length : 20
  const known = new Map(inputs.map(input => [input.n, input]))
  for (const { from, how, recorded, now, n, type } of changed.slice(0, most)) {
    const input = known.get(from ?? -1)
    out.write(
      from === undefined
        ? `a new input, ${printable(type)}, ${n} in this run\n`
        : `input ${from}${how ? `, ${how}` : ''}  ${input ? describe(input) : ''}\n`,
    )
    out.write(
      recorded.map(said => `  - ${lineOf(said)}\n`).join('') + now.map(said => `  + ${lineOf(said)}\n`).join(''),
    )
  }
  if (changed.length > most) out.write(`and ${counts(changed.length - most, 'more input')}; --all prints them\n`)
  out.write(
    changed.length === 0
      ? 'no difference\n'
      : `${counts(changed.length, 'input')} of ${run.length} with another outcome\n`,
  )
  return code
}

function lineOf({ type, data }: GroupPart): string {
  return `${printable(type)}${details({ data: (data ?? {}) as Record<string, unknown> })}`
}
