/** The files of a run: those that it reads, and those that it may write. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Fault } from '../../../src/runtime/failure.ts'
import { refused, type VerbArguments } from '../../../src/main/replay/verb.ts'
import { isKeyText } from '../keys.ts'
import { outIn, stateOf } from '../operator/work.ts'
import { saleIn, textOf } from '../saleFiles.ts'
import { stillOpen } from '../payouts/stillOpen.ts'
import { readState } from '../state.ts'
import { stateDirectory } from '../stateDirectory.ts'
import type { PresaleVerb } from '../verb.ts'
import { type InputFile, type RunEnd, type RunHead, sha256Hex } from './format.ts'
import type { Portable } from './portable.ts'

/** Octets of all inputs together: a recording of more is no file to send. */
const mostInput = 64_000_000

/** Options of files that a verb reads; their value is `FILE`. */
const read = ['terms', 'allowlist', 'checkpoint', 'plan'] as const

const planFiles = /^[0-9a-f]{64}\.json$/
const publishedFiles = /^(?:content|notices|checkpoint|(?:terms|plan)-[0-9a-f]{16})\.json$/
const exportedFiles =
  /^(?:(?:allocations|refunds)\.(?:csv|json)|refunds-(?:apart|planned)\.csv|[0-9a-f]{16}-(?:lane|accounts|batch)-\d+\.txt)$/

type Place = { verb: Pick<PresaleVerb, 'options' | 'readsLedger'>; asked: VerbArguments; directory: string | undefined }

/**
 * @returns the texts that a verb may read, under their portable paths
 * @throws Fault `bad_input` when they are too large, or one of them is a key
 */
export function inputsOf(place: Place, { path }: Portable): InputFile[] {
  const { verb, asked } = place
  const named = read.flatMap(option => (verb.options[option]?.value === 'FILE' ? (asked.values[option] ?? []) : []))
  const files = [
    ...new Set([...named.filter(isFile), ...filesOfState(place), ...filesIn(outIn(asked), publishedFiles)]),
  ]
  const octets = files.reduce((sum, file) => sum + statSync(file).size, 0)
  if (octets > mostInput)
    throw refused(
      `--record expected files of at most ${mostInput / 1e6} MB in all to copy, got ${(octets / 1e6).toFixed(1)} MB: run without it`,
    )
  return files.map(file => {
    const text = textOf(file)
    if (isKeyText(text)) throw refused(`--record expected no key among the files that it copies, got one in ${file}`)
    return { path: path(file), text }
  })
}

/** Makes the folders and the inputs of a recording below a working directory. */
export function placeInputs(directory: string, { folders, inputs }: Pick<RunHead, 'folders' | 'inputs'>): void {
  for (const folder of folders) mkdirSync(join(directory, folder), { recursive: true })
  for (const { path, text } of inputs) {
    const file = join(directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/**
 * Looks at the files before a run.
 *
 * @returns looks again, and lists those that were written since: another file has their name, or theirs changed
 */
export function watchFiles(place: Place, { path }: Portable): () => RunEnd['files'] {
  const before = new Map(writableFiles(place).map(file => [file, marksOf(file)]))
  return () =>
    writableFiles(place)
      .filter(file => before.get(file) !== marksOf(file))
      .map(file => ({ path: path(file), sha256: sha256Hex(readFileSync(file)) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function writableFiles(place: Place): string[] {
  const { asked, directory } = place
  const { out = [], 'export-unsigned': unsigned = [] } = asked.values
  const exported = [...out, ...unsigned, ...(out.length === 0 ? [directory ?? '.'] : [])]
  const all = [
    ...filesOfState(place),
    ...filesIn(outIn(asked), publishedFiles),
    ...exported.flatMap(folder => filesIn(folder, exportedFiles)),
    ...[...out, ...unsigned].filter(isFile),
  ]
  return [...new Set(all)]
}

/** @returns whether the journal has a signed payment that may still land */
export function leavesPayment(place: Place): boolean {
  const lines = unlessRefused(() => readState(stateIn(place), stateOf(saleIn(place.asked)))) ?? []
  return stillOpen(lines).some(({ life }) => 'nonceValue' in life)
}

function stateIn({ asked, directory }: Place): string {
  return stateDirectory(asked, saleIn(asked), directory === undefined ? {} : { directory })
}

function unlessRefused<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** None when the verb will find no state directory either. */
function filesOfState(place: Place): string[] {
  const state = unlessRefused(() => stateIn(place))
  if (state === undefined) return []
  const { verb } = place
  const kept = verb.readsLedger ? /^(?:journal|ledger)\.jsonl$/ : /^journal\.jsonl$/
  return [...filesIn(state, kept), ...filesIn(join(state, 'plans'), planFiles)]
}

function filesIn(folder: string, names: RegExp): string[] {
  try {
    const found = readdirSync(folder).filter(name => names.test(name))
    return found.sort().map(name => join(folder, name))
  } catch {
    // No folder, or none that may be read
    return []
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

/** A file system may give the number of a replaced file to the next one, so that the time of the change counts, too. */
function marksOf(file: string): string {
  const { ino, size, ctimeNs } = statSync(file, { bigint: true })
  return `${ino} ${size} ${ctimeNs}`
}
