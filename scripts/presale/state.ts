/**
 * The state directory of a sale's operator: a lock and an append-only journal.
 *
 * 1. A line is on disk before `add` returns, so it precedes every effect that it permits.
 * 2. Each line holds a check over itself and the line before it: a damaged, removed or exchanged line is refused.
 * 3. A last line without its end was never acknowledged, and is cut off. No line follows one whose writing failed.
 * 4. One process at a time has the directory.
 * 5. No key is ever written here.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Fault } from '../../src/runtime/failure.ts'
import { canonicalJson } from '../../src/runtime/json/canonicalJson.ts'
import { isRecord } from '../../src/runtime/json/isRecord.ts'
import { type Json, readJson } from '../../src/runtime/json/readJson.ts'
import { refused } from '../../src/main/replay/verb.ts'
import { bytesOf } from './saleFiles.ts'
import { makeFolder, writeAll } from './writeWhole.ts'

/** One line of the journal. Amounts are decimal text, bytes are base64. */
export type JournalLine = { readonly kind: string; readonly [field: string]: Json }

export type Journal = {
  /** every line so far, oldest first */
  readonly lines: readonly JournalLine[]
  /** Appends a line durably. @throws Fault `storage_down`, also for every line after one that failed */
  add(line: JournalLine): void
}

export type State = {
  directory: string
  journal: Journal
  /** gives the directory free; a second call does nothing */
  close(): void
}

/** The sale that a directory is about: base58 reference of the presale, and its chain's genesis hash. */
export type StateOf = { presale: string; genesisHash: string }

/**
 * Opens a state directory, which is made when it does not exist.
 *
 * @param write stands in for a full disk
 * @throws Fault `busy` when another process has it; `bad_input` when it is another sale's, or cannot be made or written;
 *   `storage_down` naming the journal's line that is damaged
 */
export function openState(directory: string, of: StateOf, write?: typeof writeSync): State {
  try {
    return opened(directory, of, write)
  } catch (cause) {
    const { code, syscall } = cause as NodeJS.ErrnoException
    if (cause instanceof Fault || code === undefined || syscall === undefined) throw cause
    const needed = syscall === 'link' ? 'a file system with hard links' : 'a folder where files can be written'
    throw refused(`the state directory ${directory} expected ${needed}, got ${code}: name another with --state`)
  }
}

function opened(directory: string, of: StateOf, write?: typeof writeSync): State {
  makeFolder('the state directory', directory, 0o700)
  syncFolder(dirname(directory))
  const unlock = locked(directory)
  let file: number | undefined
  const close = () => {
    if (file !== undefined) closeSync(file)
    file = undefined
    unlock()
  }
  try {
    const path = join(directory, 'journal.jsonl')
    const isNew = !existsSync(path)
    file = openSync(path, 'a+', 0o600)
    if (isNew) syncFolder(directory)
    const journal = journalIn(file, path, write)
    belongs(journal, of, path)
    return { directory, journal, close }
  } catch (cause) {
    close()
    throw cause
  }
}

/** @returns the lines of a directory without taking it; none when it has no journal. @throws Fault as `openState` */
export function readState(directory: string, of: StateOf): JournalLine[] {
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) return []
  const { lines } = readLines(bytesOf(path), path)
  if (lines[0]) checkOwner(lines[0], of, path)
  return lines
}

function belongs(journal: Journal, of: StateOf, path: string): void {
  const [first] = journal.lines
  if (first) checkOwner(first, of, path)
  else journal.add({ kind: 'opened', ...of })
}

function checkOwner(first: JournalLine, { presale, genesisHash }: StateOf, path: string): void {
  if (first.kind === 'opened' && first.presale === presale && first.genesisHash === genesisHash) return
  throw refused(
    `${path} expected sale ${presale} on chain ${genesisHash}, got ${String(first.presale)} on ${String(first.genesisHash)}: give each sale its own --state`,
  )
}

function journalIn(file: number, path: string, write?: typeof writeSync): Journal {
  const whole = readFileSync(path)
  const { lines, length, check } = readLines(whole, path)
  // A file that nothing is cut off stays as it is, also in its times
  if (length < whole.length) ftruncateSync(file, length)
  let last = check
  let failure: Fault | undefined
  return {
    lines,
    add(line) {
      // A part of the failed line may be in the file
      if (failure) throw failure
      const next = checkOf(last, line)
      const text = `${canonicalJson({ ...line, check: next })}\n`
      try {
        writeAll(file, text, write)
        fsyncSync(file)
      } catch (cause) {
        const reason = (cause as NodeJS.ErrnoException).code ?? 'it failed'
        failure = new Fault(
          'storage_down',
          `cannot write ${path}: ${reason}. Run the command again when it can be written`,
        )
        throw failure
      }
      last = next
      lines.push(line)
    },
  }
}

/** `length`: octets of the whole lines. `check`: of the last one. */
function readLines(bytes: Buffer, path: string): { lines: JournalLine[]; length: number; check: string } {
  const length = bytes.lastIndexOf(0x0a) + 1
  const texts = bytes.toString('utf8', 0, length).split('\n').slice(0, -1)
  let check = ''
  const lines = texts.map((text, at) => {
    const line = lineIn(text, check)
    if (!line)
      throw new Fault(
        'storage_down',
        `${path}, line ${at + 1}: expected a line that follows the one before it, got a damaged one. Put this file aside; the state is read from the chain again`,
      )
    check = checkOf(check, line)
    return line
  })
  return { lines, length, check }
}

function lineIn(text: string, before: string): JournalLine | undefined {
  try {
    const value = readJson(text, { name: 'a journal line' })
    if (!isRecord(value) || typeof value.kind !== 'string') return undefined
    const { check, ...line } = value
    return check === checkOf(before, line as JournalLine) ? (line as JournalLine) : undefined
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

function checkOf(before: string, line: JournalLine): string {
  return createHash('sha256').update(before).update(canonicalJson(line)).digest('hex').slice(0, 16)
}

function syncFolder(folder: string): void {
  const open = openSync(folder === '' ? '.' : folder, 'r')
  try {
    fsyncSync(open)
  } finally {
    closeSync(open)
  }
}

/** @returns gives the lock back. @throws Fault `busy` */
function locked(directory: string): () => void {
  const path = join(directory, 'lock')
  const mine = `${process.pid} ${hostname()}\n`
  if (!created(path, mine)) {
    takeStale(directory, path)
    if (!created(path, mine)) throw busy(directory, 'another process')
  }
  let isHeld = true
  return () => {
    if (isHeld) rmSync(path, { force: true })
    isHeld = false
  }
}

/** The file appears under its name with its whole content, so that no reader sees an empty lock. */
function created(path: string, text: string): boolean {
  const part = `${path}.${process.pid}`
  const file = openSync(part, 'w', 0o600)
  writeAll(file, text)
  closeSync(file)
  try {
    linkSync(part, path)
    return true
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw cause
  } finally {
    rmSync(part, { force: true })
  }
}

/** Moves a dead process's lock away: a rename succeeds for one process alone. @throws Fault `busy` */
function takeStale(directory: string, path: string): void {
  const found = holderIn(path)
  if (found === undefined) return
  if (isAlive(found)) throw busy(directory, `process ${found.trim()}`)
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return
    throw cause
  }
  try {
    // Another process took the stale lock between the two steps: its lock goes back
    if (readFileSync(aside, 'utf8') !== found && !existsSync(path)) linkSync(aside, path)
  } finally {
    rmSync(aside, { force: true })
  }
}

function holderIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** A process of another machine counts as alive: it cannot be asked. */
function isAlive(holder: string): boolean {
  const [, pid, host] = /^([1-9]\d*) (.*)\n$/.exec(holder) ?? []
  if (pid === undefined) return false
  if (host !== hostname()) return true
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

function busy(directory: string, holder: string): Fault {
  const remedy = `remove ${join(directory, 'lock')} only if no command runs there`
  return new Fault('busy', `${directory} expected no other command at work, got ${holder}: wait for it; ${remedy}`)
}
