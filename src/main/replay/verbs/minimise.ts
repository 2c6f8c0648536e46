/** Shrinks a recording to the few inputs that cause its failure or a fact. */
import { printable } from '../../../runtime/replay/describe.ts'
import type { Recorded, Recording } from '../../../runtime/recording/recording.ts'
import { counts, type Difference } from '../../../runtime/replay/verdict.ts'
import { deciders } from '../../../worker/deciders/index.ts'
import { type Failing, failingAt } from '../../../runtime/replay/failing.ts'
import { minimiseRecording as shrink, type StillWrong } from '../../../runtime/replay/minimise.ts'
import { type Group, inputsOf, linesOfGroups, rerun, type Start } from '../../../runtime/replay/rerun.ts'
import type { ProductTypes } from '../../../worker/core/context.ts'
import { startOf } from '../../../worker/replay/startOf.ts'
import { encode } from '../../../events/log/codec.ts'
import { readRecordingAt } from '../files.ts'
import { strict } from '../strict.ts'
import { stretches } from '../stretches.ts'
import { shellWord } from '../../../events/replay/shellWord.ts'
import { refused, safeJson, type Verb, takeWords } from '../verb.ts'
import { beside, recordingOf, save, writtenHere } from '../write.ts'

export const minimise: Verb = {
  takes: 'FILE [--keep TYPE] [-o OUT] [--json]',
  summary: 'shrinks a recording to the few inputs that matter',
  about: `Leaves out inputs as long as the failure stays: the recording differs at the same input in the same way or, with --keep,
the core still writes a fact of that type. The result is an ordinary recording without page facts; its inputs are renumbered,
and its ids are those of the shorter run.`,
  options: {
    keep: { value: 'TYPE', about: 'a fact that must stay, such as order.failed or core.faulted' },
    out: { value: 'OUT', short: 'o', about: "the result's path; default: beside the file as .min.replay.jsonl" },
    trials: { value: 'N', about: 'most runs to try; default 5,000' },
    json: { about: 'one JSON document: {"file", "out", "inputs", "kept", "trials", "ms", "types"}' },
  },
  async run(asked, io) {
    const [file] = takeWords(asked, ['a file'])
    const most = trialsOf(asked.values.trials?.[0])
    const out = asked.values.out?.[0] ?? beside(file, 'min')
    const started = performance.now()
    const recording = await readRecordingAt(file)
    const verdict = strict(recording, io.build)
    const type = asked.values.keep?.[0]
    if (type === undefined && verdict.ok) {
      throw refused(
        'nothing to minimise: the recording re-executes without a difference; --keep TYPE keeps a fact instead',
      )
    }
    const task =
      type !== undefined
        ? factTask(recording, type, io.build)
        : failingTask(recording, verdict.ok ? undefined : verdict.difference, io.build)
    const found = shrink({ start: task.start, groups: task.groups, always: task.groups.length - 1 }, task.stillWrong, {
      most,
    })
    const last = found.groups[found.groups.length - 1]
    const lines = linesOfGroups(task.start, found.groups)
    if (last && task.expected) {
      const before = found.groups.slice(0, -1)
      const seq = before.reduce((seq, group) => group.facts.at(-1)?.seq ?? seq, task.start.seq)
      lines.splice(0, lines.length, ...linesOfGroups(task.start, before), encode(last.input))
      lines.push(...task.expected(last, found.names, seq))
    }
    const { text, recording: result } = await recordingOf(writtenHere(recording.header), lines)
    if (strict(result, io.build).ok === (type === undefined)) {
      throw refused('the shorter run has another outcome once it is written and read again; nothing was written')
    }
    await save(out, text, file)
    const ms = Math.round(performance.now() - started)
    const types = found.groups.map(({ input }) => input.type)
    const inputs = inputsOf(recording.records).length
    if (asked.flags.has('json')) {
      io.out.write(`${safeJson({ file, out, inputs, kept: types.length, trials: found.trials, ms, types })}\n`)
      return 0
    }
    io.out.write(
      `${counts(inputs, 'input')} → ${types.length} in ${counts(found.trials, 'trial')}, ${(ms / 1000).toFixed(1)} s\n`,
    )
    for (const { input } of found.groups.slice(-40))
      io.out.write(`  ${String(input.n).padStart(4)}  ${printable(input.type)}\n`)
    io.out.write(`written to ${printable(out)}; see it with npm run replay -- ${shellWord(out)}\n`)
    return 0
  },
}

/** The run to shrink, up to the input at which it fails. */
type Task = { start: Start<ProductTypes>; groups: Group[]; stillWrong: StillWrong; expected?: Failing['expected'] }

function failingTask({ records }: Recording, difference: Difference | undefined, build: string): Task {
  const at = difference?.at ?? 0
  const kind = records[at]?.record.k
  if (!difference || kind === 'c' || kind === 'r') {
    throw refused('the difference is in a checkpoint: no single input causes it, so no input can be left out')
  }
  const from =
    stretches(records, build)
      .filter(start => start <= difference.index)
      .at(-1) ?? 0
  const behind = records.slice(difference.index + 1)
  const next = behind.findIndex(({ record }) => record.k === 'i' || record.k === 'c')
  const { start, groups } = whole(records.slice(from, difference.index + 1))
  const last = groups[groups.length - 1]
  if (!last) throw refused('the recording expected an input before its difference, got none')
  return { start, groups, ...failingAt(start, next < 0 ? behind : behind.slice(0, next), last) }
}

function factTask({ records }: Recording, type: string, build: string): Task {
  const starts = stretches(records, build)
  for (const [place, from] of starts.entries()) {
    const { start, groups } = whole(records.slice(from, starts[place + 1]))
    const at = groups.findIndex(group => factOf(group, type) !== undefined)
    const found = groups[at]
    if (!found) continue
    const message = factOf(found, type)
    return {
      start,
      groups: groups.slice(0, at + 1),
      stillWrong: kept => {
        const last = kept[kept.length - 1]
        return last?.input.type === found.input.type && factOf(last, type) === message
      },
    }
  }
  throw refused(`the core writes no ${printable(type).slice(0, 60)} in this recording`)
}

/** @returns the message of a fault, else empty text; undefined without a fact of this type */
function factOf({ facts }: Group, type: string): string | undefined {
  const fact = facts.find(fact => fact.type === type)
  return fact && (type === 'core.faulted' ? String(fact.data.message) : '')
}

function whole(records: readonly Recorded[]): { start: Start<ProductTypes>; groups: Group[] } {
  const start = startOf(records, deciders)
  return {
    start,
    groups: rerun(
      start,
      inputsOf(records).map(input => ({ input })),
    ).groups,
  }
}

function trialsOf(text: string | undefined): number {
  if (text === undefined) return 5000
  if (!/^[1-9]\d{0,6}$/.test(text))
    throw refused(`--trials expected a whole number from 1, got ${printable(text).slice(0, 40)}`)
  return Number(text)
}
