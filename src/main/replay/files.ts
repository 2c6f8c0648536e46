/** Recordings on disk: files, folders and shards of them. */
import { readFile, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { shortHash } from '../../runtime/log/shortHash.ts'
import { printable } from '../../runtime/replay/describe.ts'
import { Fault, toFailure } from '../../runtime/failure.ts'
import type { Recording } from '../../runtime/recording/recording.ts'
import { recordingLimits } from '../../runtime/recording/recordingBudget.ts'
import { filesIn } from './filesIn.ts'
import { readRecordingFile } from '../page/redaction/recordingFile.ts'
import { refused } from './verb.ts'
import { readWishText, type Wish } from './wish.ts'

/** One of `n` parts of a corpus that is spread over machines; `i` counts from 1. */
type Shard = { i: number; n: number }

const recording = /\.jsonl(?:\.gz)?$/

/** @throws Fault `bad_input` unless the text is such as `2/4` */
export function readShard(text: string): Shard {
  const [, i, n] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  const shard = { i: Number(i), n: Number(n) }
  if (!(shard.i >= 1 && shard.i <= shard.n)) {
    throw refused(`--shard expected i/n with i from 1 to n, such as 2/4, got ${printable(text).slice(0, 40)}`)
  }
  return shard
}

/**
 * Lists recordings: a file as it is, of a folder every `.jsonl` and `.jsonl.gz` below it. Each once, in order.
 *
 * @param shard only this part; a recording's path decides its shard, so others beside it do not move it
 * @throws Fault `bad_input` for no path at all, and for a folder that is unreadable or has no recordings
 */
export async function recordingsIn(given: readonly string[], shard?: Shard): Promise<string[]> {
  if (given.length === 0) throw refused('expected a file or a folder, got nothing')
  const found = new Map<string, { path: string; name: string }>()
  for (const path of given) {
    const kind = await kindOf(path)
    // An unreadable file fails when it is read, and the others go on
    const files = kind === 'folder' ? inFolder(path) : [{ path, name: basename(path) }]
    for (const file of files) if (!found.has(resolve(file.path))) found.set(resolve(file.path), file)
  }
  return [...found.values()].filter(({ name }) => !shard || isIn(shard, name)).map(({ path }) => path)
}

function inFolder(folder: string): { path: string; name: string }[] {
  let files: string[]
  try {
    files = filesIn(folder)
  } catch (cause) {
    throw unreadable(folder, cause)
  }
  const recordings = files.filter(file => recording.test(file))
  if (recordings.length === 0) throw refused(`${folder} expected recordings (.jsonl or .jsonl.gz) in it, got none`)
  return recordings.map(path => ({ path, name: relative(folder, path).replaceAll('\\', '/') }))
}

function isIn({ i, n }: Shard, name: string): boolean {
  return Number.parseInt(shortHash(name), 16) % n === i - 1
}

async function kindOf(path: string): Promise<'folder' | 'other'> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ? 'folder' : 'other'
}

/**
 * Reads one file.
 *
 * @throws Fault `bad_input` when the file does not exist or is not a recording
 */
export async function readRecordingAt(path: string): Promise<Recording> {
  return readRecordingFile(new Blob([await fileBytes(path)]))
}

/** @throws Fault `bad_input` when the file does not exist or is too large */
async function fileBytes(path: string): Promise<Buffer<ArrayBuffer>> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) throw refused(`${path} could not be read: it is a folder`)
    // A pipe or a device might never end
    if (!stats.isFile()) throw refused(`${path} could not be read: it is not a file`)
    if (stats.size > recordingLimits.bytes) {
      throw refused(`the recording expected at most ${recordingLimits.bytes} bytes, got ${stats.size} bytes`)
    }
    return (await readFile(path)) as Buffer<ArrayBuffer>
  } catch (cause) {
    throw cause instanceof Fault ? cause : unreadable(path, cause)
  }
}

function unreadable(path: string, cause: unknown): Fault {
  return refused(`${path} could not be read: ${whyUnread(cause)}`)
}

/** @returns why a file could not be read, for a sentence; the system's code where that has no words of its own here */
export function whyUnread(cause: unknown): string {
  const why = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'
  return reasons[why] ?? why
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of its path is not a folder',
}

/** @returns the folder of the committed recordings */
export function keptRecordings(root: string): string {
  return join(root, 'tests/replay/recordings')
}

/** @returns the path of a recording's wish, beside the recording */
export function wishFileOf(path: string): string {
  return `${path.replace(/\.jsonl(?:\.gz)?$/, '')}.wish.json`
}

/** @returns the wish beside a recording, undefined when there is none */
export async function wishBeside(path: string): Promise<Wish | undefined> {
  const file = wishFileOf(path)
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    return readWishText(text)
  } catch (cause) {
    throw refused(`${file} could not be read: ${toFailure(cause).message}`)
  }
}
