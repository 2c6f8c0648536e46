/** Strictly re-executes one recording or a corpus. */
import { printable } from '../../../runtime/replay/describe.ts'
import { toFailure } from '../../../runtime/failure.ts'
import type { Recording } from '../../../runtime/recording/recording.ts'
import { counts, differenceReport, type Verdict, verdictLine } from '../../../runtime/replay/verdict.ts'
import { readRecordingAt, readShard, recordingsIn, wishBeside } from '../files.ts'
import { strict } from '../strict.ts'
import { unusual } from '../unusual.ts'
import { shellWord } from '../../../events/replay/shellWord.ts'
import { type ExitCode, type Io, safeJson, type Verb } from '../verb.ts'
import { verdictLines, verdictsOn } from '../verdicts.ts'

export const check: Verb = {
  takes: 'FILE… [--shard i/n] [--quiet] [--json]',
  summary: 're-executes the inputs: every fact and effect must be the same byte for byte',
  about: `Strictly re-executes recordings: files, and folders (every .jsonl and .jsonl.gz below them). The report of a difference fits
on one screen. Several recordings have a line each; the last line is the sum.

One process re-executes some 100,000 inputs a second; --shard spreads a corpus over machines. A recording's path below the
folder decides its shard, so it stays there when others are added. A single file is also checked against the wish beside it
(see to-test).`,
  options: {
    shard: { value: 'i/n', about: 'only the i-th of n parts, such as 2/4' },
    quiet: { about: 'of several, only those that differ or are unreadable, and the sum' },
    json: { about: 'one JSON object per recording, then one with the sum' },
  },
  async run({ words, flags, values }, io) {
    const shard = values.shard?.[0] === undefined ? undefined : readShard(values.shard[0])
    const files = await recordingsIn(words, shard)
    const [only, ...more] = files
    const json = flags.has('json')
    const alone = only !== undefined && more.length === 0 && words.length === 1 && words[0] === only
    if (alone && !json) return verdictOn(await readRecordingAt(only), only, io)
    const sum = createSum(files.length)
    for (const file of files) {
      const outcome = await checked(file, io)
      sum.add(outcome)
      if (json) io.out.write(`${safeJson(toldInJson(outcome, io))}\n`)
      else if (!flags.has('quiet') || !outcome.verdict?.ok) io.out.write(told(outcome, sum.place(), io))
    }
    io.out.write(json ? `${safeJson({ sum: sum.figures() })}\n` : sum.line(shard && `${shard.i}/${shard.n}`))
    return sum.code()
  },
}

/** The result for one recording: a verdict, or the message of its failure. */
type Outcome = { file: string; recording?: Recording; verdict?: Verdict; error?: string }

async function checked(file: string, io: Io): Promise<Outcome> {
  let recording: Recording | undefined
  try {
    recording = await readRecordingAt(file)
    return { file, recording, verdict: strict(recording, io.build) }
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    return recording ? { file, recording, error: message } : { file, error: message }
  }
}

/** Prints the verdict on one recording and on the wish beside it. @returns the exit code */
export async function verdictOn(recording: Recording, file: string, io: Io): Promise<ExitCode> {
  io.out.write(unusual(recording))
  const verdicts = verdictsOn(recording, await wishBeside(file), io.build)
  io.out.write(verdictLines(verdicts, recording.header, file, io.build))
  return verdicts.ok ? 0 : 1
}

function told({ file, recording, verdict, error }: Outcome, place: string, io: Io): string {
  const name = `${place} ${printable(file)}: `
  if (!verdict || !recording) return `${name}${printable(error ?? '')}\n`
  const notes = unusual(recording)
  if (verdict.ok) return `${name}${verdictLine(verdict)}\n${notes}`
  const again = `npm run replay -- check ${shellWord(file)}`
  const builds = { recorded: recording.header.coreBuild, running: io.build }
  return `${name}${verdictLine(verdict)}\n${notes}${differenceReport(verdict.difference, builds, again)}\n`
}

function toldInJson({ file, recording, verdict, error }: Outcome, io: Io): object {
  const builds = { recorded: recording?.header.coreBuild, running: io.build }
  const notes = recording ? { complete: recording.complete, unknownTypes: recording.unknownTypes } : {}
  return verdict ? { file, ...verdict, ...notes, builds } : { file, error, ...notes }
}

/** Counts outcomes. */
function createSum(files: number) {
  const started = performance.now()
  const figures = { recordings: 0, identical: 0, different: 0, unreadable: 0, inputs: 0, facts: 0, ms: 0 }
  return {
    add({ verdict }: Outcome) {
      figures.recordings += 1
      figures.inputs += verdict?.inputs ?? 0
      figures.facts += verdict?.facts ?? 0
      figures[verdict ? (verdict.ok ? 'identical' : 'different') : 'unreadable'] += 1
      figures.ms = Math.round(performance.now() - started)
    },
    place: () => `[${String(figures.recordings).padStart(String(files).length)}/${files}]`,
    figures: () => figures,
    line(shard?: string) {
      const { recordings, identical, different, unreadable, inputs, facts, ms } = figures
      const of = shard === undefined ? '' : ` of shard ${shard}`
      return `${counts(recordings, 'recording')}${of}: ${identical} identical, ${different} different, ${unreadable} unreadable; ${counts(inputs, 'input')}, ${counts(facts, 'fact')} in ${(ms / 1000).toFixed(1)} s\n`
    },
    code: (): ExitCode => (figures.unreadable > 0 ? 2 : figures.different > 0 ? 1 : 0),
  }
}
