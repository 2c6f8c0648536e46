/** Checks recordings of earlier releases: each difference must be a reviewed one. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { details, printable } from '../../../runtime/replay/describe.ts'
import { toFailure } from '../../../runtime/failure.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { counts } from '../../../runtime/replay/verdict.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { type Group, inputsOf, rerun } from '../../../runtime/replay/rerun.ts'
import { startOf } from '../../../worker/replay/startOf.ts'
import { readRecordingAt, recordingsIn } from '../files.ts'
import { asRecorded, differing, otherInside, recordedByInput, type GroupPart, type Was } from '../said.ts'
import { refuseView } from '../strict.ts'
import { stretches } from '../stretches.ts'
import { type ExitCode, type Io, refused, safeJson, type Verb } from '../verb.ts'

export const compat: Verb = {
  takes: 'FILE… [--accept] [--json]',
  summary: 'checks recordings of earlier releases: each difference must be a reviewed one',
  about: `Lifts a recording of an earlier release to the present shapes and re-executes it to its end. The differences, grouped by
input, must be those in tests/replay/compat/NAME.json, which were reviewed.
Exit code: 0 no difference, or reviewed ones only, 1 other differences, 2 the recording cannot be run.`,
  options: {
    accept: { about: 'write the differences to that file, for review with the change that caused them' },
    json: {
      about:
        'one JSON object per recording: {"file", "ok", "reviewed", "differences": [{"n", "type", "recorded", "now"}]}',
    },
  },
  async run({ words, flags }, io) {
    let code: ExitCode = 0
    for (const file of await recordingsIn(words)) {
      try {
        const other = await compared(file, flags, io)
        if (code === 0) code = other
      } catch (fault) {
        const { code: kind, message } = toFailure(fault)
        if (kind === 'unknown') console.error(fault)
        if (flags.has('json')) io.out.write(`${safeJson({ file, error: message })}\n`)
        else io.err.write(`${message.startsWith(file) ? '' : `${printable(file)}: `}${printable(message)}\n`)
        code = 2
      }
    }
    return code
  },
}

/** The differences of one input. */
type Grouped = { n: number; type: string; recorded: GroupPart[]; now: GroupPart[] }

async function compared(file: string, flags: ReadonlySet<string>, io: Io): Promise<0 | 1> {
  const recording = await readRecordingAt(file)
  const differences = differencesOf(recording, io.build)
  const path = join(
    io.root,
    'tests/replay/compat',
    `${basename(file).replace(/(?:\.replay)?\.jsonl(?:\.gz)?$/, '')}.json`,
  )
  const name = relative(io.root, path)
  if (flags.has('accept')) {
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, `${safeJson({ recordedBy: recording.header.coreBuild, differences }, 2)}\n`)
  }
  const reviewed = await readReviewed(path, name)
  const sure = reviewed ?? []
  const isReviewed = (one: Grouped) => sure.some(other => JSON.stringify(other) === JSON.stringify(one))
  const fresh = differences.filter(one => !isReviewed(one))
  const stale = sure.filter(one => !differences.some(other => JSON.stringify(other) === JSON.stringify(one)))
  const ok = fresh.length === 0 && stale.length === 0
  if (flags.has('json')) {
    io.out.write(
      `${safeJson({ file, ok, reviewed: reviewed !== undefined, differences, fresh: fresh.map(({ n }) => n), stale: stale.map(({ n }) => n) })}\n`,
    )
    return ok ? 0 : 1
  }
  const shown = printable(file)
  for (const group of fresh.slice(0, 20)) io.out.write(told(group))
  if (fresh.length > 20) io.out.write(`and ${counts(fresh.length - 20, 'more input')}; --json prints them\n`)
  if (ok && differences.length === 0) io.out.write(`${shown}: no difference\n`)
  else if (ok) io.out.write(`${shown}: ${differ(differences.length)}, all in ${name}\n`)
  else {
    const gone = stale.length === 0 ? '' : `, and ${counts(stale.length, 'reviewed difference')} no longer found`
    io.out.write(`${shown}: ${differ(fresh.length)}, not reviewed${gone}; --accept writes ${name} for review\n`)
  }
  if (flags.has('accept')) io.out.write(`written to ${name}: review it, then commit it beside the recording\n`)
  return ok ? 0 : 1
}

function differ(count: number): string {
  return `${counts(count, 'input')} ${count === 1 ? 'differs' : 'differ'}`
}

function differencesOf(recording: Recording, build: string): Grouped[] {
  refuseView(recording)
  const { records, unknownTypes, complete } = recording
  const [unknown] = Object.keys(unknownTypes)
  if (unknown !== undefined) throw refused(`${unknown} is unknown to this build, so the recording cannot be run`)
  const was = recordedByInput(records)
  const found: Grouped[] = []
  const starts = stretches(records, build)
  for (const [place, from] of starts.entries()) {
    const part = records.slice(from, starts[place + 1])
    const start = startOf(part, deciders)
    const inputs = inputsOf(part)
    if (start.lines.length === 0 && inputs[0]?.type !== 'core.boot') {
      throw refused(`the recording expected core.boot as its first input, got ${inputs[0]?.type ?? 'nothing'}`)
    }
    const { groups, names } = rerun(start, asRecorded(part))
    for (const group of groups) {
      const recorded = was.get(group.input.n) ?? { facts: [] }
      // A truncated file may lack some of its last input's facts
      if (!complete && group.input.n === inputs.at(-1)?.n && place === starts.length - 1) continue
      const other = differing(recorded, group, names)
      const { n, type } = group.input
      if (other) found.push({ n, type, ...other })
      else if (otherInside(recorded, group)) found.push({ n, type, ...inside(recorded, group) })
    }
  }
  return found
}

function inside(was: Was, now: Group): { recorded: GroupPart[]; now: GroupPart[] } {
  return {
    recorded: [{ type: '→ effects', data: { types: was.effects?.types, hash: was.effects?.h } }],
    now: now.effects.map(({ type, data }) => ({ type: `→ ${type}`, data })),
  }
}

async function readReviewed(path: string, name: string): Promise<Grouped[] | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { differences } = JSON.parse(text) as { differences: Grouped[] }
    if (Array.isArray(differences)) return differences
  } catch {
    // Reported below
  }
  throw refused(`${name} expected JSON {"differences": […]}, got another value`)
}

function told({ n, type, recorded, now }: Grouped): string {
  const line = (mark: string) => (said: GroupPart) =>
    `  ${mark} ${printable(said.type)}${details({ data: (said.data ?? {}) as Record<string, unknown> })}\n`
  return `input ${n}, ${printable(type)}\n${recorded.map(line('-')).join('')}${now.map(line('+')).join('')}`
}
