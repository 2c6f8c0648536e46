/** A log as the device's disk holds it, and a journal that writes every group at once. */
import { type FactRecord, lineKind, type LogRecord } from '../../../src/runtime/log/record.ts'
import type { Journal } from '../../../src/runtime/journal/journal.ts'
import { emptyHead, type Head } from '../../../src/runtime/journal/head.ts'

/** A log on disk. */
export type Log = {
  lines: string[]
  facts: FactRecord[]
  head: Head
  /** the last input that survives a loss of power, and the number of lines up to it */
  strict: { n: number; lines: number; facts: number; head: Head }
}

/** The last input that is strictly on disk, the last that is committed, and whether the log still takes more. */
export type OnDisk = { stored: number; written: number; durable: boolean }

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

/** Everything appended so far is committed, strictly. */
export function sync(log: Log): void {
  log.strict = { n: log.head.n, lines: log.lines.length, facts: log.facts.length, head: log.head }
}

export type DiskJournal = Journal & {
  onDisk(): OnDisk
  /** The worker died; part of the commits in flight may have reached the disk. */
  lose(): void
  /** Ends all writing. */
  ruin(): void
  /** Removes the newest group from a disk that writes at once: the worker died before the write. */
  revoke(): void
}

/** A promise that has settled: its callbacks run at once, without a turn of the engine. */
function settled(isKept: boolean): Promise<void> {
  const ended = {
    // oxlint-disable-next-line unicorn/no-thenable
    then(kept?: (() => void) | null, failing?: (() => void) | null) {
      if (isKept) kept?.()
      else failing?.()
      return ended
    },
  }
  return ended as unknown as Promise<void>
}

/** @param isOnDisk not in a life in memory, which refuses a strict flush as the product's journal does */
export function openAtOnce(log: Log, { isOnDisk, decode }: { isOnDisk: boolean; decode: Decode }): DiskJournal {
  let isClosed = false
  return {
    storage: isOnDisk ? 'durable' : 'memory',
    head: () => log.head,
    carry: () => undefined,
    carried: () => undefined,
    onDisk: () => ({ stored: log.strict.n, written: log.head.n, durable: isOnDisk }),
    append(lines, { life, n, seq }) {
      if (isClosed) return
      addLines(log, lines, decode)
      log.head = { ...log.head, life, n, seq }
      sync(log)
    },
    mark: care => void (log.head = { ...log.head, care }),
    seam: async () => log.head,
    keep: async () => undefined,
    flush: durability => settled(isOnDisk || durability === 'relaxed'),
    lose: () => void (isClosed = true),
    ruin: () => undefined,
    revoke() {
      const { n } = log.head
      const from = log.lines.findIndex(line => line.startsWith(`{"k":"i","n":${n},`))
      if (from >= 0) log.lines.length = from
      log.facts = log.facts.filter(fact => fact.n < n)
      log.head = { ...log.head, n: n - 1, seq: log.facts.at(-1)?.seq ?? 0 }
    },
    lines: async () => [...log.lines],
    close: () => undefined,
  }
}
