/**
 * The device's disk with its logs, and a worker's journal on it: groups of lines are committed together after a delay, strictly
 * or not. Uncommitted lines are lost with the worker; relaxed commits may be lost with the power.
 */
import { type FactRecord, lineKind, type LogRecord } from '../../../src/runtime/log/record.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { emptyHead, type Head } from '../../../src/runtime/journal/head.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './queue.ts'

/** A log on disk. */
export type Log = {
  lines: string[]
  facts: FactRecord[]
  head: Head
  /** the last input that survives a loss of power, and the number of lines up to it */
  strict: { n: number; lines: number; facts: number; head: Head }
}

type Group = { lines: readonly string[]; head: Head }
/** The last input that is strictly on disk, the last that is committed, and whether the log still takes more. */
export type OnDisk = { stored: number; written: number; durable: boolean }

type Commit = { groups: Group[]; durability: 'strict' | 'relaxed'; settle: (() => void)[]; fail: (() => void)[] }

const waitMs = 250
const mostWaiting = 100

export const emptyLog = (): Log => ({
  lines: [],
  facts: [],
  head: emptyHead,
  strict: { n: 0, lines: 0, facts: 0, head: emptyHead },
})

/** @returns the record on a line that this device wrote */
export type Decode = (line: string) => LogRecord

export function addLines(log: Log, lines: readonly string[], decode: Decode): void {
  for (const line of lines) {
    log.lines.push(line)
    const record = lineKind(line) === 'f' ? decode(line) : undefined
    if (record?.k === 'f') log.facts.push(record)
  }
}

export type DiskJournal = Journal & {
  onDisk(): OnDisk
  /** Persists everything appended, and resolves its promises. */
  settle(): void
  /** The worker died; part of the commits in flight may have reached the disk. */
  lose(dice: Dice): void
  /** Ends all writing. */
  ruin(): void
  /** Removes the newest group from a disk that writes at once: the worker died before the write. */
  revoke(): void
}

/** A promise that is rejected in virtual time. */
const refused = {
  // oxlint-disable-next-line unicorn/no-thenable
  then(_settled?: unknown, failing?: (() => void) | null) {
    failing?.()
    return refused
  },
} as unknown as Promise<void>

/**
 * @param immediate every group is strictly on disk once appended
 * @param inMemory the device denies storage: it takes everything at once, and refuses a strict flush as the real journal does
 * @param failed called once when the log can no longer be written
 */
export function openDisk(
  log: Log,
  {
    queue,
    dice,
    immediate,
    inMemory,
    failed,
    decode,
  }: { queue: Queue; dice: Dice; immediate: boolean; inMemory: boolean; failed(message: string): void; decode: Decode },
): DiskJournal {
  let head = { ...log.head }
  let waiting: Group[] = []
  const commits: Commit[] = []
  let callOff: (() => void) | undefined
  let broken = false
  let ruined = false
  let closed = false
  /** the newest group */
  let newest: Group | undefined

  function write({ groups, durability, settle }: Commit): void {
    for (const { lines, head: at } of groups) {
      addLines(log, lines, decode)
      log.head = at
    }
    if (durability === 'strict')
      log.strict = { n: log.head.n, lines: log.lines.length, facts: log.facts.length, head: log.head }
    for (const tell of settle) tell()
  }

  function next(): void {
    const commit = commits.shift()
    if (!commit || closed) return
    if (broken || ruined || dice.strikes('storage.fails')) {
      const isNews = !broken
      // Nothing is written after a gap, whatever its failure leads to
      broken = true
      if (isNews) failed('the log could not be written: QuotaExceededError')
      for (const tell of commit.fail) tell()
    } else write(commit)
    if (commits.length > 0) schedule()
  }

  function schedule(): void {
    const usual = dice.between('commit', 1, 6)
    queue.after(dice.strikes('storage.slow') ? dice.between('slow commit', 100, 4000) : usual, 'worker', next)
  }

  function begin(durability: 'strict' | 'relaxed'): Commit {
    callOff?.()
    callOff = undefined
    const commit: Commit = { groups: waiting, durability, settle: [], fail: [] }
    waiting = []
    if (immediate) {
      write(commit)
      return commit
    }
    commits.push(commit)
    if (commits.length === 1) schedule()
    return commit
  }

  /** A minimal promise of a commit for dispatcher and pages, in virtual time. */
  function promised(commit: Commit | undefined): Promise<void> {
    const later = {
      // oxlint-disable-next-line unicorn/no-thenable
      then(settled?: (() => void) | null, failing?: (() => void) | null) {
        if (!commit || immediate) settled?.()
        else {
          if (settled) commit.settle.push(settled)
          if (failing) commit.fail.push(failing)
        }
        return later
      },
    }
    return later as unknown as Promise<void>
  }

  return {
    get storage() {
      return inMemory ? 'memory' : broken ? 'lost' : 'durable'
    },
    head: () => head,
    carry: () => undefined,
    carried: () => undefined,
    onDisk: () => ({ stored: log.strict.n, written: log.head.n, durable: !broken && !inMemory }),
    append(lines, at) {
      if (closed) return
      head = { ...head, life: at.life, n: at.n, seq: at.seq }
      newest = { lines, head }
      waiting.push(newest)
      if (immediate || waiting.length >= mostWaiting) begin(immediate ? 'strict' : 'relaxed')
      else callOff ??= queue.after(waitMs, 'worker', () => void begin('relaxed'))
    },
    mark(care) {
      head = { ...head, care }
      // Committed with the lines before it
      if (newest) newest.head = { ...newest.head, care }
      if (immediate) log.head = { ...log.head, care }
    },
    seam: async () => head,
    keep: async () => undefined,
    flush(durability) {
      if (inMemory && durability === 'strict') return refused
      if (waiting.length > 0 || durability === 'strict') return promised(begin(durability))
      return promised(commits.at(-1))
    },
    settle() {
      begin('strict')
      for (const commit of commits.splice(0)) {
        if (broken) for (const tell of commit.fail) tell()
        else write(commit)
      }
    },
    lose(lost) {
      closed = true
      callOff?.()
      // A transaction in flight is either whole or absent
      for (const commit of commits.splice(0)) {
        if (broken || !lost.chance('commit survives', 0.5)) break
        write({ ...commit, settle: [], fail: [] })
      }
    },
    ruin() {
      ruined = true
    },
    revoke() {
      if (!immediate) return
      const { n } = head
      const from = log.lines.findIndex(line => line.startsWith(`{"k":"i","n":${n},`))
      if (from >= 0) log.lines.length = from
      log.facts = log.facts.filter(fact => fact.n < n)
      log.head = { ...log.head, n: n - 1, seq: log.facts.at(-1)?.seq ?? 0 }
    },
    lines: async () => [...log.lines],
    close: () => undefined,
  }
}

/** Loss of power: relaxed commits survive as a prefix, or not at all. */
export function losePower(log: Log, dice: Dice): void {
  if (dice.chance('relaxed survives', 0.4)) return
  log.lines.length = log.strict.lines
  log.facts.length = log.strict.facts
  log.head = log.strict.head
}
