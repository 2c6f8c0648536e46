/**
 * The log on disk. Segments of lines and the head that tells where the log stands are written in one transaction, so after
 * any kill the log is a whole prefix of what was appended. A group (an input with its facts) is never split.
 */
import type { DBSchema, IDBPDatabase } from 'idb'
import { Fault } from '../events/failure.ts'

/** Where the log stands: the next life, input, fact and segment numbers are one more. */
export type Head = { life: number; n: number; seq: number; segment: number; care?: Care }
/** What one life leaves to the next about inputs that may end a core. */
export type Care = {
  /** the core that wrote this: another build may well handle what this one could not */
  build: string
  /** the line of an input that was about to be stepped */
  pending?: string
  /** inputs that are not taken any more, by their keys, newest first */
  aside: readonly string[]
}
export const emptyHead: Head = { life: 0, n: 0, seq: 0, segment: 0 }

export type Journal = {
  readonly storage: 'durable' | 'memory'
  head(): Head
  /** Queues a group of lines; `head` is where the log stands after them. */
  append(lines: readonly string[], head: { life: number; n: number; seq: number }): void
  /** Keeps this beside the head, with the next commit; a flush commits it even when no line waits. */
  mark(care: Care): void
  /**
   * Resolves when everything appended so far is committed, `strict` when it is on the disk itself.
   * @throws when it cannot be written
   */
  flush(durability: 'strict' | 'relaxed'): Promise<void>
  /** Every line, oldest first: those on disk, and those that could no longer be written. */
  lines(): Promise<string[]>
  close(): void
}

export interface JournalSchema extends DBSchema {
  seg: { key: number; value: Uint8Array }
  head: { key: 'head'; value: Head }
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
  run<T>(task: (db: IDBPDatabase<JournalSchema>) => Promise<T>): Promise<T>
  close(): void
}

const recordsPerSegment = 100
const waitMs = 250

/**
 * A journal over an open database.
 *
 * @param failed hears once when the log can no longer be written
 */
export async function openJournal(log: LogStore, failed: (message: string) => void): Promise<Journal> {
  /** where the log on disk stands for certain */
  let committed: Head = { ...((await log.run(db => db.get('head', 'head'))) ?? emptyHead) }
  let head: Head = { ...committed }
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let marked = false
  let broken = false
  let closed = false
  /** lines that came too late to be written; a recording still has them */
  const unwritten: string[] = []
  let last: Promise<void> = Promise.resolve()
  const encoder = new TextEncoder()
  const decoder = new TextDecoder()

  async function write(
    db: IDBPDatabase<JournalSchema>,
    lines: readonly string[],
    at: Head,
    durability: 'strict' | 'relaxed',
  ): Promise<void> {
    const tx = db.transaction(['seg', 'head'], 'readwrite', { durability })
    const heads = tx.objectStore('head')
    const stored = (await heads.get('head')) ?? emptyHead
    // A first try that was committed without our hearing of it left `at`
    if (!isSame(stored, committed) && !isSame(stored, at)) throw moved(committed, stored)
    const writes: Promise<unknown>[] = [heads.put(at, 'head'), tx.done]
    if (lines.length > 0) writes.push(tx.objectStore('seg').put(encoder.encode(`${lines.join('\n')}\n`), at.segment))
    await Promise.all(writes)
  }

  function broke(cause: unknown): void {
    if (broken || closed) return
    broken = true
    failed(cause instanceof Error ? `the log could not be written: ${cause.name}` : 'the log could not be written')
  }

  function commit(durability: 'strict' | 'relaxed'): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    marked = false
    if (lines.length > 0) head = { ...head, segment: head.segment + 1 }
    const at = head
    last = last
      .then(() => log.run(db => write(db, lines, at, durability)))
      .then(
        () => {
          committed = at
        },
        (cause: unknown) => {
          // Nothing is written after a gap, so what is on disk stays a whole beginning
          for (const line of lines) unwritten.push(line)
          broke(cause)
          throw cause
        },
      )
    // Whoever needs the result awaits it; an unawaited failure was already told
    last.catch(() => undefined)
    return last
  }

  return {
    storage: 'durable',
    head: () => head,
    append(lines, at) {
      if (closed) return
      for (const line of lines) waiting.push(line)
      head = { ...head, life: at.life, n: at.n, seq: at.seq }
      if (waiting.length >= recordsPerSegment) void commit('relaxed').catch(() => undefined)
      else timer ??= setTimeout(() => void commit('relaxed').catch(() => undefined), waitMs)
    },
    mark(care) {
      head = { ...head, care }
      marked = true
    },
    flush: durability => (waiting.length > 0 || marked || durability === 'strict' ? commit(durability) : last),
    async lines() {
      await (waiting.length > 0 ? commit('relaxed') : last).catch(() => undefined)
      const [segments, stored] = await log.run(async db => {
        const tx = db.transaction(['seg', 'head'])
        const [all, at] = await Promise.all([
          tx.objectStore('seg').getAll(),
          tx.objectStore('head').get('head'),
          tx.done,
        ])
        return [all, at ?? emptyHead] as const
      })
      if (stored.segment < committed.segment) throw moved(committed, stored)
      const written = segments.flatMap(segment => decoder.decode(segment).split('\n').slice(0, -1))
      return unwritten.length === 0 ? written : [...written, ...unwritten]
    },
    close() {
      closed = true
      waiting = []
      clearTimeout(timer)
      log.close()
    },
  }
}

/** A journal for when storage is denied: it forgets everything, and money waits for a durable one. */
export function memoryJournal(
  begun: { head: Head; lines: readonly string[] } = { head: emptyHead, lines: [] },
): Journal {
  let head = { ...begun.head }
  const kept = [...begun.lines]
  return {
    storage: 'memory',
    head: () => head,
    append(lines, at) {
      for (const line of lines) kept.push(line)
      head = { ...head, life: at.life, n: at.n, seq: at.seq }
    },
    mark: () => undefined,
    flush: async () => undefined,
    lines: async () => [...kept],
    close: () => undefined,
  }
}

function isSame(a: Head, b: Head): boolean {
  return a.life === b.life && a.n === b.n && a.seq === b.seq && a.segment === b.segment
}

function moved(expected: Head, got: Head): Fault {
  return new Fault(
    'storage_down',
    `the log on disk expected to stand at segment ${expected.segment}, got segment ${got.segment}: it was erased or written by another`,
  )
}
