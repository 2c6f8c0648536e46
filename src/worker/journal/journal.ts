/**
 * The log on disk. Segments of lines and the head that tells where the log stands are written in one transaction, so after
 * any kill the log is a whole prefix of what was appended. A group (an input with its facts) is never split. The vault's keys
 * go into the same transactions, so a key is there when the log names it.
 */
import { Fault } from '../../events/failure.ts'
import { logFormat } from '../../events/log/logFormat.ts'
import type { Database } from './database.ts'
import { seal, type Segment } from './segments.ts'

/** Where the log stands: the next life, input and fact numbers are one more. */
export type Place = { life: number; n: number; seq: number }

/** What one life leaves to the next about inputs that may end a core. */
export type Care = {
  /** the core that wrote this: another build may well handle what this one could not */
  build: string
  /** the line of an input that was about to be stepped */
  pending?: string
  /** what ended one life in its step and has not gone well since, newest first: see `suspectOf` */
  suspects?: readonly string[]
  /** inputs that are not taken any more, by their keys, newest first */
  aside: readonly string[]
}

/**
 * The same on disk. `link` chains to the newest segment, `first` is the oldest that is kept, `records` and `bytes` are what
 * the kept ones hold, `halved` counts how often the room was too small for the whole budget.
 */
export type Head = Place & {
  segment: number
  link: string
  first: number
  records: number
  bytes: number
  halved: number
  /** `logFormat` of the build that wrote last; absent in logs of builds that had no number */
  format?: number
  care?: Care
}
export const emptyHead: Head = {
  life: 0,
  n: 0,
  seq: 0,
  segment: 0,
  link: '',
  first: 1,
  records: 0,
  bytes: 0,
  halved: 0,
}

/** The end of a segment: a checkpoint may stand there. */
export type Seam = Place & { segment: number; link: string }

/** A checkpoint on disk: its lines, and sha256 over them and the seam. */
export type StoredCheckpoint = Seam & { bytes: Uint8Array; sum: string }

export type Journal = {
  readonly storage: 'durable' | 'memory'
  head(): Place & { care?: Care }
  /** Queues a group of lines; `head` is where the log stands after them. */
  append(lines: readonly string[], head: Place): void
  /** Keeps this beside the head, with the next commit; a flush commits it even when no line waits. */
  mark(care: Care): void
  /** Keeps a value of the vault's, or what a promise gives, in the same transaction as whatever is committed next. */
  carry(name: string, value: unknown): void
  /** @returns what is carried under a name and not committed yet, or could not be */
  carried(name: string): unknown
  /**
   * Resolves when everything appended so far is committed, `strict` when it is on the disk itself.
   * @throws when it cannot be written
   */
  flush(durability: 'strict' | 'relaxed'): Promise<void>
  /** Ends the segment here. @returns once it is committed, where a checkpoint may say that it stands */
  seam(): Promise<Seam>
  /**
   * Keeps a checkpoint that stands at a seam, and lets go of the oldest segments when the log is over its budget.
   * @param bytes the lines of the checkpoint and its restated facts
   */
  keep(seam: Seam, bytes: Uint8Array): Promise<void>
  /** Every line, oldest first, checkpoints among them: those on disk, and those that could no longer be written. */
  lines(): Promise<string[]>
  close(): void
}

export type JournalSchema = {
  seg: { key: number; value: Segment }
  head: { key: 'head'; value: Head }
  ckpt: { key: number; value: StoredCheckpoint }
  /** the vault's wrapped keys and sealed messages */
  keys: { key: string; value: unknown }
  bytes: { key: string; value: Uint8Array }
}

/** A log's database. */
export type LogStore = {
  /**
   * Runs a task on it, and once more on a newly opened one when the first try failed: a task that is run twice must leave
   * what one run leaves.
   */
  run<T>(task: (db: Database<JournalSchema>) => Promise<T>): Promise<T>
  close(): void
}

/** What whoever opened the journal hears, each at most once but `shrunk`. */
export type JournalPorts = {
  /** The log can no longer be written. */
  failed(message: string): void
  /** Another core writes this log now: nothing of this one is written any more. */
  taken(): void
  /** There was no room, so the log keeps less from now on: at most so many records. */
  shrunk(records: number): void
}

type Carried = (readonly [name: string, value: unknown])[]

const recordsPerSegment = 100
const waitMs = 250

/** A journal over an open database that stands at `begun`. */
export function createJournal(log: LogStore, begun: Head, { failed, taken, shrunk }: JournalPorts): Journal {
  /** where the log on disk stands for certain */
  let committed: Head = { ...begun, format: logFormat }
  let place: Place & { care?: Care } = placeOf(begun)
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let toCarry: Carried = []
  const carried = new Map<string, unknown>()
  let marked = false
  let broken = false
  let closed = false
  /** lines that came too late to be written; a recording still has them */
  const unwritten: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  /** Writes one segment, or the head alone, and what goes with it. */
  async function store(
    { lines, beside }: { lines: readonly string[]; beside: Carried },
    at: Place & { care?: Care },
    durability: 'strict' | 'relaxed',
  ): Promise<void> {
    if (lines.length === 0) return write({ ...committed, ...at }, { beside }, durability)
    // The digest is taken first: a transaction ends as soon as it waits for anything else
    const { segment, link } = await seal(committed.link, lines)
    const more = () => ({
      ...committed,
      ...at,
      segment: committed.segment + 1,
      link,
      records: committed.records + lines.length,
      bytes: committed.bytes + segment.bytes.length,
    })
    try {
      await write(more(), { segment, beside }, durability)
    } catch (cause) {
      if (!isFull(cause) || !(await makeRoom())) throw cause
      await write(more(), { segment, beside }, durability)
    }
  }

  async function write(
    next: Head,
    { segment, beside }: { segment?: Segment; beside: Carried },
    durability: 'strict' | 'relaxed',
  ): Promise<void> {
    const stores = beside.length > 0 ? (['seg', 'head', 'keys'] as const) : (['seg', 'head'] as const)
    await log.run(db =>
      db.transact(stores, durability, async store => {
        // All is asked for at once and nothing waited for but the head: what is thrown, and what fails, takes all of it back
        const before = store('head').get('head')
        void store('head').put(next, 'head')
        if (segment) void store('seg').put(segment, next.segment)
        for (const [name, value] of beside) void store('keys').put(value, name)
        const stored = (await before) ?? emptyHead
        // A first try that was committed without our hearing of it left `next`
        if (!isSame(stored, committed) && !isSame(stored, next)) throw moved(committed, stored)
      }),
    )
    committed = next
  }

  /** @returns whether anything could be let go */
  async function makeRoom(): Promise<boolean> {
    const { truncate, budgetOf } = await import('./retention.ts')
    const before = committed
    const halved = before.halved + 1
    committed = await truncate(log, before, halved)
    if (committed.records === before.records) return false
    shrunk(budgetOf(halved).records)
    return true
  }

  function broke(cause: unknown): void {
    if (broken || closed) return
    broken = true
    if (cause instanceof Fault && cause.code === 'elsewhere') taken()
    else failed(cause instanceof Error ? `the log could not be written: ${cause.name}` : 'the log could not be written')
  }

  function commit(durability: 'strict' | 'relaxed'): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    const due = { lines: waiting, beside: toCarry }
    waiting = []
    toCarry = []
    marked = false
    const at = place
    last = last
      .then(async () => {
        const beside = await Promise.all(due.beside.map(async ([name, value]) => [name, await value] as const))
        await store({ lines: due.lines, beside }, at, durability)
        for (const [name, value] of due.beside) if (carried.get(name) === value) carried.delete(name)
      })
      .catch((cause: unknown) => {
        // Nothing is written after a gap, so what is on disk stays a whole beginning
        for (const line of due.lines) unwritten.push(line)
        broke(cause)
        throw cause
      })
    // Whoever needs the result awaits it; an unawaited failure was already told
    last.catch(() => undefined)
    return last
  }

  function commitSoon(): void {
    timer ??= setTimeout(() => void commit('relaxed').catch(() => undefined), waitMs)
  }

  return {
    storage: 'durable',
    head: () => place,
    append(lines, { life, n, seq }) {
      if (closed) return
      for (const line of lines) waiting.push(line)
      place = { ...place, life, n, seq }
      if (waiting.length >= recordsPerSegment) void commit('relaxed').catch(() => undefined)
      else commitSoon()
    },
    carry(name, value) {
      if (closed) return
      // The commit it goes with tells
      if (value instanceof Promise) value.catch(() => undefined)
      toCarry.push([name, value])
      carried.set(name, value)
      commitSoon()
    },
    carried: name => carried.get(name),
    mark(care) {
      place = { ...place, care }
      marked = true
    },
    async flush(durability) {
      const hasNews = waiting.length > 0 || toCarry.length > 0 || marked
      await (hasNews || durability === 'strict' ? commit(durability) : last)
    },
    async seam() {
      const { life, n, seq } = place
      // Nobody writes between this segment's end and what is said of it here
      return (waiting.length > 0 ? commit('relaxed') : last).then(() => {
        const { segment, link } = committed
        return { life, n, seq, segment, link }
      })
    },
    async keep(seam, bytes) {
      const { storeCheckpoint, checkpointRow, truncate } = await import('./retention.ts')
      // Segments wait for what follows, so it holds no more than it must
      const kept = await checkpointRow(seam, bytes)
      last = last.then(async () => {
        if (closed || broken) return
        await storeCheckpoint(log, committed, kept)
        committed = await truncate(log, committed, committed.halved)
      })
      // A checkpoint that could not be kept costs nothing but time at the next start
      last = last.catch((cause: unknown) => {
        if (broken || (cause instanceof Fault && cause.code === 'elsewhere')) throw cause
        console.warn('a checkpoint was not kept:', cause instanceof Error ? cause.name : typeof cause)
      })
      last.catch(broke)
      await last
    },
    async lines() {
      await (waiting.length > 0 ? commit('relaxed') : last).catch(() => undefined)
      const { wholeLog } = await import('./retention.ts')
      const written = await wholeLog(log, committed)
      return unwritten.length === 0 ? written : [...written, ...unwritten]
    },
    close() {
      closed = true
      waiting = []
      toCarry = []
      clearTimeout(timer)
      log.close()
    },
  }
}

function placeOf({ life, n, seq, care }: Place & { care?: Care }): Place & { care?: Care } {
  return care ? { life, n, seq, care } : { life, n, seq }
}

/** @returns whether both say the same of the log; what is let go of its beginning does not count */
export function isSame(a: Head, b: Head): boolean {
  return a.life === b.life && a.n === b.n && a.seq === b.seq && a.segment === b.segment && a.link === b.link
}

/**
 * @returns Fault `elsewhere` when another core has written: a later life, one before this that had not ended yet, or the
 *   first of a new log after this one was erased. `storage_down` when nothing is there any more
 */
export function moved(expected: Head, got: Head): Fault {
  const [code, why] =
    got.life > 0 ? (['elsewhere', 'another core writes it'] as const) : (['storage_down', 'it was erased'] as const)
  return new Fault(
    code,
    `the log on disk expected to stand at segment ${expected.segment} of life ${expected.life}, got segment ${got.segment} of life ${got.life}: ${why}`,
  )
}

function isFull(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'QuotaExceededError'
}
