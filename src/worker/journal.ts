/**
 * The log on disk. Segments of lines and the head that tells where the log stands are written in one transaction, so after
 * any kill the log is a whole prefix of what was appended. A group (an input with its facts) is never split.
 */
import type { DBSchema, IDBPDatabase } from 'idb'

/** Where the log stands: the next life, input, fact and segment numbers are one more. */
export type Head = { life: number; n: number; seq: number; segment: number }
export const emptyHead: Head = { life: 0, n: 0, seq: 0, segment: 0 }

export type Journal = {
  readonly storage: 'durable' | 'memory'
  head(): Head
  /** Queues a group of lines; `head` is where the log stands after them. */
  append(lines: readonly string[], head: { life: number; n: number; seq: number }): void
  /**
   * Resolves when everything appended so far is committed, `strict` when it is on the disk itself.
   * @throws when it cannot be written
   */
  flush(durability: 'strict' | 'relaxed'): Promise<void>
  /** Every committed line, oldest first. */
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

const recordsPerSegment = 100
const waitMs = 250

/**
 * A journal over an open database.
 *
 * @param failed hears once when the log can no longer be written
 */
export async function openJournal(
  db: IDBPDatabase<JournalSchema>,
  failed: (message: string) => void,
): Promise<Journal> {
  const stored = (await db.get('head', 'head')) ?? emptyHead
  let head: Head = { ...stored }
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let broken = false
  let last: Promise<void> = Promise.resolve()
  const encoder = new TextEncoder()

  async function write(lines: string[], at: Head, durability: 'strict' | 'relaxed'): Promise<void> {
    const tx = db.transaction(['seg', 'head'], 'readwrite', { durability })
    if (lines.length > 0) void tx.objectStore('seg').put(encoder.encode(`${lines.join('\n')}\n`), at.segment)
    void tx.objectStore('head').put(at, 'head')
    await tx.done
  }

  function commit(durability: 'strict' | 'relaxed'): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const lines = waiting
    waiting = []
    if (lines.length > 0) head = { ...head, segment: head.segment + 1 }
    const at = head
    const before = last
    last = before
      .then(() => write(lines, at, durability))
      .catch((cause: unknown) => {
        if (!broken) {
          broken = true
          failed(
            cause instanceof Error ? `the log could not be written: ${cause.name}` : 'the log could not be written',
          )
        }
        throw cause
      })
    // Whoever needs the result awaits it; an unawaited failure was already told
    last.catch(() => undefined)
    return last
  }

  return {
    storage: 'durable',
    head: () => head,
    append(lines, at) {
      waiting.push(...lines)
      head = { ...head, ...at }
      if (waiting.length >= recordsPerSegment) void commit('relaxed').catch(() => undefined)
      else timer ??= setTimeout(() => void commit('relaxed').catch(() => undefined), waitMs)
    },
    flush: durability => (waiting.length > 0 || durability === 'strict' ? commit(durability) : last),
    async lines() {
      await (waiting.length > 0 ? commit('relaxed') : last)
      const decoder = new TextDecoder()
      const segments = await db.getAll('seg')
      return segments.flatMap(segment => decoder.decode(segment).split('\n').slice(0, -1))
    },
    close() {
      clearTimeout(timer)
      db.close()
    },
  }
}

/** A journal for when storage is denied: it forgets everything, and money waits for a durable one. */
export function memoryJournal(): Journal {
  let head = { ...emptyHead }
  const kept: string[] = []
  return {
    storage: 'memory',
    head: () => head,
    append(lines, at) {
      kept.push(...lines)
      head = { ...head, ...at }
    },
    flush: async () => undefined,
    lines: async () => [...kept],
    close: () => undefined,
  }
}
