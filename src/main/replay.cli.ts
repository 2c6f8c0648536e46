/**
 * `npm run replay -- FILE`: what happened, one line a fact, then strict re-execution.
 * Exit code 0: identical; 1: something came out otherwise; 2: the file cannot be read or re-executed.
 */
/// <reference types="node" />
import { readFile, stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describe, printable } from '../events/describe.ts'
import { Fault, toFailure } from '../events/failure.ts'
import { largestRecording, type Recording } from '../events/recording.ts'
import { momentsOf } from '../events/replay.ts'
import { counts, differenceReport, verdictLine } from '../events/verdict.ts'
import { deciders } from '../worker/deciders/index.ts'
import { reexecute } from '../worker/reexecute.ts'
import { readRecordingFile } from './recordingFile.ts'

const usage = `Usage: npm run replay -- FILE [--quiet]

Prints what happened in a recording (.replay.jsonl or .gz), one line a fact with its time in UTC, then runs its inputs
through the core again and compares every fact and effect byte for byte. No driver is attached: a replay can pay nobody.

  --quiet   only the verdict
  --help    this text

Exit code: 0 identical, 1 different, 2 the file cannot be read.
`

async function run(args: string[]): Promise<number> {
  let options: ReturnType<typeof read>
  try {
    options = read(args)
  } catch (cause) {
    say(process.stderr, `${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
    return 2
  }
  const { values, positionals } = options
  if (values.help) {
    say(process.stdout, usage)
    return 0
  }
  const [path] = positionals
  if (path === undefined || positionals.length > 1) {
    say(process.stderr, `expected one file, got ${positionals.length}\n\n${usage}`)
    return 2
  }
  try {
    const recording = await readRecordingFile(await open(path))
    if (!values.quiet) say(process.stdout, story(recording))
    return verdict(recording)
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    say(process.stderr, `${printable(message)}\n`)
    return 2
  }
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: { quiet: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
}

/** @throws Fault `bad_input` in one sentence when there is no such file, or it is too large to be looked at */
async function open(path: string): Promise<Blob> {
  try {
    const { size } = await stat(path)
    if (size > largestRecording) {
      throw new Fault('bad_input', `the recording expected at most ${largestRecording} bytes, got ${size} bytes`)
    }
    return new Blob([await readFile(path)])
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
    const told = why === 'ENOENT' ? 'there is no such file' : why === 'EISDIR' ? 'it is a folder' : why
    throw new Fault('bad_input', `${path} could not be read: ${told}`)
  }
}

/** One line a fact: what the core decided, and what the page showed, in the order in which it was seen. */
function story({ records }: Recording): string {
  const lines = momentsOf(records).map(({ record }) => `${record.k === 'f' ? 'core' : 'page'}  ${describe(record)}\n`)
  return lines.join('')
}

function verdict({ header, records, complete, truncatedAt, unknownTypes }: Recording): number {
  if (!complete) {
    say(process.stdout, `truncated: the file has no trailer and ends at line ${truncatedAt}; what is there was read\n`)
  }
  for (const [type, count] of Object.entries(unknownTypes)) {
    say(process.stdout, `unknown: ${counts(count, 'record')} of ${printable(type)}, newer than this build\n`)
  }
  const found = reexecute(records, deciders, { cut: !complete })
  if (!found.ok) say(process.stdout, `${differenceReport(found.difference, { recorded: header.coreBuild })}\n`)
  say(process.stdout, `${verdictLine(found)}\n`)
  return found.ok ? 0 : 1
}

function say(stream: NodeJS.WriteStream, text: string): void {
  stream.write(text)
}

// Whoever reads only the beginning, such as `head`, closes the pipe
process.stdout.on('error', (cause: NodeJS.ErrnoException) => {
  if (cause.code !== 'EPIPE') throw cause
})
process.exitCode = await run(process.argv.slice(2))
