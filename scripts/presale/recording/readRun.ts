import { closeSync, openSync, readSync } from 'node:fs'
import { isRecord } from '../../../src/runtime/json/isRecord.ts'
import { readJson } from '../../../src/runtime/json/readJson.ts'
import type { Fault } from '../../../src/runtime/failure.ts'
import { whyUnread } from '../../../src/main/replay/files.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import {
  askedText,
  type RunEnd,
  type RunHead,
  type RunLine,
  runFormat,
  runLine,
  sha256Hex,
  type StepLine,
} from './format.ts'

/** A step of a recording. `at`: its line, from 1. `key`: equal for equal requests. `line` reads it again: answers may be large. */
export type Step = { at: number; kind: StepLine['kind']; key: string; line(): StepLine }

/** A text that the verb wrote, with its line. */
export type Written = { at: number; text: string }

/** `isCut`: the recording has no end, because its process was killed. */
export type Run = {
  head: RunHead
  steps: Step[]
  out: Written[]
  err: Written[]
  end: (RunEnd & { at: number }) | undefined
  isCut: boolean
}

/**
 * Reads a recording. A last line without its end was cut by a kill, and is left out.
 *
 * @throws Fault `bad_input` naming the line that is none of a recording, with what was expected and what came
 */
export function readRun(path: string): Run {
  const file = opened(path)
  try {
    let run: Run | undefined
    let at = 0
    for (const place of linesIn(file)) {
      at += 1
      const line = lineAt(path, at, textAt(file, place))
      if (!run) run = begun(path, line)
      else if (line.kind === 'head' || run.end) throw misplaced(path, at, line)
      else take(run, line, at, () => lineAt(path, at, rereadAt(path, place)) as StepLine)
    }
    if (!run) throw refused(`${path} expected a recording (${runFormat}), got no whole line`)
    return { ...run, isCut: !run.end }
  } finally {
    closeSync(file)
  }
}

function begun(path: string, line: RunLine): Run {
  if (line.kind !== 'head')
    throw refused(`${path}, line 1: expected the head of a recording, got a line of kind ${line.kind}`)
  return { head: line, steps: [], out: [], err: [], end: undefined, isCut: true }
}

function misplaced(path: string, at: number, { kind }: RunLine): Fault {
  return refused(
    `${path}, line ${at}: expected ${kind === 'head' ? 'one head' : 'nothing after the end'}, got a line of kind ${kind}`,
  )
}

function take(run: Run, line: RunLine, at: number, reread: () => StepLine): void {
  switch (line.kind) {
    case 'out':
    case 'err':
      run[line.kind].push({ at, text: line.text })
      return
    case 'end':
      run.end = { ...line, at }
      return
    case 'head':
      return
    default:
      run.steps.push({ at, kind: line.kind, key: keyOf(line), line: reread })
  }
}

/** @returns a short text, equal for equal requests */
export function keyOf(line: StepLine): string {
  return sha256Hex(askedText(line))
}

type Place = { offset: number; length: number }

/** Whole lines of a file of any length. */
function* linesIn(file: number): Generator<Place> {
  const chunk = Buffer.alloc(1 << 20)
  let begin = 0
  for (let offset = 0; ; ) {
    const length = readSync(file, chunk, 0, chunk.length, offset)
    if (length === 0) return
    for (let at = chunk.indexOf(0x0a); at >= 0 && at < length; at = chunk.indexOf(0x0a, at + 1)) {
      yield { offset: begin, length: offset + at - begin }
      begin = offset + at + 1
    }
    offset += length
  }
}

function textAt(file: number, { offset, length }: Place): string {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, offset)
  return bytes.toString('utf8')
}

function rereadAt(path: string, place: Place): string {
  const file = opened(path)
  try {
    return textAt(file, place)
  } finally {
    closeSync(file)
  }
}

function opened(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw refused(`cannot read ${path}: ${whyUnread(cause)}`)
  }
}

function lineAt(path: string, at: number, text: string): RunLine {
  const name = `${path}, line ${at}`
  const limits = { maxLength: 400_000_000, maxValues: Number.POSITIVE_INFINITY, maxDepth: 64 }
  const value = readJson(text, { name, code: 'bad_input', ...limits })
  if (isRecord(value) && value.kind === 'head' && value.format !== runFormat)
    throw refused(`${name}: expected format ${runFormat}, got ${String(value.format).slice(0, 40)}`)
  const misfit = runLine.check(value)
  if (misfit)
    throw refused(`${name}${misfit.path && `, ${misfit.path}`}: expected ${misfit.expected}, got ${misfit.got}`)
  return value as RunLine
}
