/** Runs a recorded verb again, in a world made of its recording, and compares everything that it does. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { refused, safeJson } from '../../../src/main/replay/verb.ts'
import type { PresaleExit, PresaleVerb } from '../verb.ts'
import { runVerb, saleVerbs } from '../verbs.ts'
import { type Difference, differenceAt, differsAt } from './difference.ts'
import { askedText, type RunEnd, type RunHead } from './format.ts'
import { placedValues, portableRun } from './portable.ts'
import { readRun, type Run, type Written } from './readRun.ts'
import { placeInputs, watchFiles } from './runFiles.ts'
import { openWorld } from './world.ts'

/** `steps`: calls, waits, keys and signatures of the recording. */
type Replayed = { file: string; verb: string; steps: number; isCut: boolean; difference: Difference | undefined }

/** `npm run presale -- replay` */
export const replay: PresaleVerb = {
  takes: 'FILE…',
  summary: 'repeats recorded runs, and tells the first difference',
  about: `Runs the verb of each recording again, with the files, the nodes' answers and the signatures that the recording has, in a
temporary folder. Each request, the output, the exit code and every written file are compared byte for byte. The first difference
is told with the line of the recording, and the exit code is 1. A recording that was cut by a kill is repeated up to there.`,
  examples: ['run.jsonl', 'first.jsonl second.jsonl --json'],
  options: { json: { about: 'the result as JSON' } },
  async run({ words, flags }, { out }) {
    if (words.length === 0) throw refused('expected one or more recordings of runs, got nothing')
    let code: PresaleExit = 0
    for (const file of words) {
      const replayed = await replayRun(file)
      out.write(flags.has('json') ? `${safeJson(replayed)}\n` : replayedText(replayed))
      if (replayed.difference) code = 1
    }
    return code
  },
}

/** @throws Fault `bad_input` when the file is no recording, or one of a verb or option that does not exist */
async function replayRun(file: string): Promise<Replayed> {
  const run = readRun(file)
  const { verb: name } = run.head
  const verb = verbOf(file, run.head)
  const folder = mkdtempSync(join(tmpdir(), 'presale-replay-'))
  try {
    const difference = await firstDifference(run, verb, join(folder, 'work'))
    return { file, verb: name, steps: run.steps.length, isCut: run.isCut, difference }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function verbOf(file: string, { verb: name, flags, values }: RunHead): PresaleVerb {
  const verb = Object.hasOwn(saleVerbs, name) ? saleVerbs[name] : undefined
  if (!verb) throw refused(`${file} expected a run of ${Object.keys(saleVerbs).join(', ')}, got one of ${name}`)
  const isKnown = (option: string, isFlag: boolean) =>
    Object.hasOwn(verb.options, option) && (verb.options[option]?.value === undefined) === isFlag
  const unknown = [
    ...flags.filter(option => !isKnown(option, true)),
    ...Object.keys(values).filter(option => !isKnown(option, false)),
  ]
  if (unknown.length > 0) throw refused(`${file} expected options of ${name}, got --${unknown.join(', --')}`)
  return verb
}

/** The end of a replayed run. `out` and `err`: its whole output. */
type Ended = { code: PresaleExit; files: RunEnd['files'] }

async function firstDifference(run: Run, verb: PresaleVerb, directory: string): Promise<Difference | undefined> {
  const { head, steps, isCut } = run
  mkdirSync(directory)
  placeInputs(directory, head)
  const asked = { words: head.words, flags: new Set(head.flags), values: placedValues(verb, head.values, directory) }
  const portable = portableRun(verb, asked, directory)
  const written = watchFiles({ verb, asked, directory }, portable)
  const told = { out: '', err: '' }
  const out = { write: (text: string) => (told.out += portable.text(text)) }
  const err = { write: (text: string) => (told.err += portable.text(text)) }
  const world = openWorld({ steps, isCut }, err)
  const ending = runVerb(verb, asked, { out, err, directory, ...world.io })
  const how = await Promise.race([world.ended, ending.then((code): Ended => ({ code, files: written() }))])
  world.close()
  if (how !== 'cut' && 'at' in how) return how
  const left = world.left()
  if (left) return differenceAt(left.at, askedText(left.line()), endText(how))
  return textDiffers(run, 'err', told.err) ?? textDiffers(run, 'out', told.out) ?? (run.end && endDiffers(run.end, how))
}

function endText(how: Ended | 'cut'): string {
  return how === 'cut' ? 'no further request' : `the end of the run with exit code ${how.code}`
}

function textDiffers(run: Run, kind: 'out' | 'err', got: string): Difference | undefined {
  const expected = run[kind].map(({ text }) => text).join('')
  if (run.isCut ? got.startsWith(expected) : got === expected) return undefined
  const name = kind === 'out' ? 'output' : 'error output'
  return differenceAt(lineOf(run, kind, differsAt(expected, got)), expected, got, `${name} `)
}

/** @returns the line that wrote the character at a place; after the last one the end's */
function lineOf(run: Run, kind: 'out' | 'err', place: number): number {
  let length = 0
  const found = run[kind].find(({ text }: Written) => (length += text.length) > place)
  return found?.at ?? run.end?.at ?? run[kind].at(-1)?.at ?? 1
}

function endDiffers({ at, code, files }: RunEnd & { at: number }, how: Ended | 'cut'): Difference | undefined {
  if (how === 'cut') return undefined
  if (how.code !== code) return differenceAt(at, `exit code ${code}`, `exit code ${how.code}`)
  const hashes = (list: RunEnd['files']) => new Map(list.map(({ path, sha256 }) => [path, sha256]))
  const [was, is] = [hashes(files), hashes(how.files)]
  const path = [...was.keys(), ...is.keys()].find(one => was.get(one) !== is.get(one))
  if (path === undefined) return undefined
  const named = (hash: string | undefined) =>
    hash === undefined ? `no file ${path}` : `file ${path} with sha256 ${hash}`
  return differenceAt(at, named(was.get(path)), named(is.get(path)))
}

function replayedText({ file, verb, steps, isCut, difference }: Replayed): string {
  if (!difference) {
    const end = isCut ? ' up to its cut: the process was killed there' : ''
    return `${file}: ${verb}, ${steps} steps: equal${end}\n`
  }
  const { at, expected, got } = difference
  return `${file}: ${verb} differs at line ${at}\n  expected  ${expected}\n  got       ${got}\n`
}
