/// <reference types="node" />
/** What `npm run replay` does: tells what happened in a recording, one line a fact, and re-executes it strictly. */
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

/** Where a command writes. */
export type Output = { write(text: string): unknown }

/**
 * Replays a recording on the command line.
 *
 * @param args without the program's own name
 * @returns the exit code: 0 identical, 1 something came out otherwise, 2 the file cannot be read or re-executed
 */
export async function replayCommand(args: string[], out: Output, err: Output): Promise<number> {
  let options: ReturnType<typeof read>
  try {
    options = read(args)
  } catch (cause) {
    err.write(`${cause instanceof Error ? cause.message : String(cause)}\n\n${usage}`)
    return 2
  }
  const { values, positionals } = options
  if (values.help) {
    out.write(usage)
    return 0
  }
  const [path] = positionals
  if (path === undefined || positionals.length > 1) {
    err.write(`expected one file, got ${positionals.length}\n\n${usage}`)
    return 2
  }
  try {
    const recording = await readRecordingFile(await open(path))
    if (!values.quiet) out.write(story(recording))
    return verdict(recording, out)
  } catch (fault) {
    const { code, message } = toFailure(fault)
    if (code === 'unknown') console.error(fault)
    err.write(`${printable(message)}\n`)
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

function verdict(recording: Recording, out: Output): number {
  const { header, records, complete, truncatedAt, unknownTypes } = recording
  if (!complete) {
    out.write(`truncated: the file has no trailer and ends at line ${truncatedAt}; what is there was read\n`)
  }
  for (const [type, count] of Object.entries(unknownTypes)) {
    out.write(`unknown: ${counts(count, 'record')} of ${printable(type)}, newer than this build\n`)
  }
  const found = reexecute(records, deciders, { cut: !complete })
  if (!found.ok) out.write(`${differenceReport(found.difference, { recorded: header.coreBuild })}\n`)
  out.write(`${verdictLine(found)}\n`)
  return found.ok ? 0 : 1
}
