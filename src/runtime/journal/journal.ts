/**
 * The log on disk: segments of lines, and a head that says where the log stands.
 *
 * 1. A commit writes its segment, the head and the vault's keys in one transaction: after any kill the log is a whole prefix
 *    of what was appended, and a key exists when a fact names it.
 * 2. A group, an input with its facts, is never split between segments.
 * 3. Every commit compares the stored head with the last one of its own. A core that lost the log writes nothing more.
 * 4. After a failed commit nothing is written: no gap follows a prefix. The life goes on in memory, unless another core writes the
 *    log.
 * 5. The head carries the log's format number, so that an older build leaves the log as it is.
 */
import { Fault } from '../failure.ts'
import { type Database, isStorageFull } from './database.ts'
import { type Care, emptyHead, type Head, type LogPosition, notOnDisk } from './head.ts'
import { sealSegment, type Segment } from './segments.ts'

/** The end of a segment, where a checkpoint may stand. */
export type Seam = LogPosition & { segment: number; link: string }

/** A checkpoint's row on disk: its lines, and sha256 over them and the seam. */
export type StoredCheckpoint = Seam & { bytes: Uint8Array; sum: string }

export type Journal = {
  /** `lost` once the disk has failed: what is appended from then on is in memory */
  readonly storage: 'durable' | 'lost' | 'memory'
  head(): LogPosition & { care?: Care }
  /** Queues a group of lines; `head` is the position after them. */
  append(lines: readonly string[], head: LogPosition): void
  /** Stores this in the head with the next commit; a flush commits it even when no line waits. */
  mark(care: Care): void
  /** Stores a value of the vault's, or the result of a promise, in the transaction of the next commit. */
  carry(name: string, value: unknown): void
  /** @returns the value carried under a name that is not committed, or could not be */
  carried(name: string): unknown
  /**
   * Resolves when everything appended so far is committed, `strict` when it is on the disk itself.
   * @throws when it cannot be written
   */
  flush(durability: 'strict' | 'relaxed'): Promise<void>
  /** Ends the segment here. @returns its seam, once it is committed */
  seam(): Promise<Seam>
  /**
   * Stores a checkpoint that stands at a seam, and deletes the oldest segments when the log is over its budget.
   * @param bytes the lines of the checkpoint, its rows among them
   */
  keep(seam: Seam, bytes: Uint8Array): Promise<void>
  /** Every line, oldest first, checkpoints included: those on disk, then those whose commit failed. */
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

/** Notices of the journal: each comes at most once, but for `shrunk`. */
export type JournalPorts = {
  /** The log can no longer be written. */
  failed(message: string): void
  /** Another core writes this log: this one writes nothing more. */
  taken(): void
  /** The disk is full: from now on the log holds at most so many records. */
  shrunk(records: number): void
}

type Carried = (readonly [name: string, value: unknown])[]

const recordsPerSegment = 100
const waitMs = 250

/**
 * A journal over an open database that stands at `begun`. One function, because commits, waiting lines and carried values
 * change together.
 *
 * @param format number of this build's format
 */
export function createJournal(
  log: LogStore,
  begun: Head,
  { failed, taken, shrunk }: JournalPorts,
  format: number,
): Journal {
  const by = crypto.randomUUID()
  /** head of the last commit that is known to have succeeded */
  let committed: Head = { ...begun, format }
  let place: LogPosition & { care?: Care } = placeOf(begun)
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let toCarry: Carried = []
  const carried = new Map<string, unknown>()
  let marked = false
  let broken = false
  /** the disk has failed, and no other core writes this log */
  let isLost = false
  let closed = false
  /** lines whose commit failed; a recording still has them */
  const unwritten: string[] = []
  let last: Promise<unknown> = Promise.resolve()

  /** Commits one segment, or the head alone, with the values that go along. */
  async function store(
    { lines, beside }: { lines: readonly string[]; beside: Carried },
    at: LogPosition & { care?: Care },
    durability: 'strict' | 'relaxed',
  ): Promise<void> {
    // The digest is taken first: a transaction ends as soon as it waits for anything else
    const sealed = lines.length > 0 ? await sealSegment(committed.link, lines) : undefined
    const next = () => ({ ...(sealed ? headAfter({ ...committed, ...at }, sealed) : { ...committed, ...at }), by })
    const along = { ...(sealed && { segment: sealed.segment }), beside }
    try {
      await write(next(), along, durability)
    } catch (cause) {
      if (!isStorageFull(cause) || !(await makeRoom())) throw cause
      await write(next(), along, durability)
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
        // All requests are issued in one tick; only the head is awaited. Any failure aborts the transaction
        const before = store('head').get('head')
        void store('head').put(next, 'head')
        if (segment) void store('seg').put(segment, next.segment)
        for (const [name, value] of beside) void store('keys').put(value, name)
        const stored = (await before) ?? emptyHead
        // A first try may have been committed before its connection was lost: then `next` is stored
        if (!isSame(stored, committed) && !isSame(stored, next)) throw moved(committed, stored)
      }),
    )
    committed = next
  }

  /** Halves the budget until segments are deleted. @returns false when none may go */
  async function makeRoom(): Promise<boolean> {
    const { truncate, budgetOf } = await import('./retention.ts')
    const before = committed
    for (let halved = before.halved + 1; budgetOf(halved).records >= recordsPerSegment; halved++) {
      committed = await truncate(log, before, halved)
      if (committed.records === before.records) continue
      shrunk(budgetOf(halved).records)
      return true
    }
    return false
  }

  function broke(cause: unknown): void {
    if (broken || closed) return
    broken = true
    if (cause instanceof Fault && cause.code === 'elsewhere') return taken()
    isLost = true
    failed(cause instanceof Error ? `the log could not be written: ${cause.name}` : 'the log could not be written')
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
        // Nothing is written after a gap: the log on disk stays a whole prefix
        for (const line of due.lines) unwritten.push(line)
        broke(cause)
        throw cause
      })
    // `broke` has reported the failure, so it may go unawaited
    last.catch(() => undefined)
    return last
  }

  function commitSoon(): void {
    timer ??= setTimeout(() => void commit('relaxed').catch(() => undefined), waitMs)
  }

  return {
    get storage() {
      return isLost ? 'lost' : 'durable'
    },
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
      // Its commit reports the failure
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
      const committing = hasNews || durability === 'strict' ? commit(durability) : last
      if (isLost && durability === 'strict') throw notOnDisk()
      await (isLost ? committing.catch(() => undefined) : committing)
    },
    async seam() {
      const { life, n, seq } = place
      // No commit comes between this segment's end and the seam
      return (waiting.length > 0 ? commit('relaxed') : last).then(() => {
        const { segment, link } = committed
        return { life, n, seq, segment, link }
      })
    },
    async keep(seam, bytes) {
      const { storeCheckpoint, checkpointRow, truncate } = await import('./retention.ts')
      // The checksum is made first: segments wait only for the writes
      const kept = await checkpointRow(seam, bytes)
      last = last.then(async () => {
        if (closed || broken) return
        await storeCheckpoint(log, committed, kept)
        committed = await truncate(log, committed, committed.halved)
      })
      // Without the checkpoint the next start takes longer, nothing else
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

/** @returns the head after one more segment */
function headAfter(head: Head, { segment, link }: { segment: Segment; link: string }): Head {
  return {
    ...head,
    segment: head.segment + 1,
    link,
    records: head.records + segment.records,
    bytes: head.bytes + segment.bytes.length,
  }
}

function placeOf({ life, n, seq, care }: LogPosition & { care?: Care }): LogPosition & { care?: Care } {
  return care ? { life, n, seq, care } : { life, n, seq }
}

/** @returns whether the same journal left both heads at the same place; deleted segments do not count */
export function isSame(a: Head, b: Head): boolean {
  return (
    a.by === b.by && a.life === b.life && a.n === b.n && a.seq === b.seq && a.segment === b.segment && a.link === b.link
  )
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
    `the journal expected the log at segment ${expected.segment} of life ${expected.life}, got segment ${got.segment} of life ${got.life}: ${why}`,
  )
}
