/** The runtime's own journal in a simulated world, on a database that counts durability by transaction. */
import { createJournal, type Journal, type JournalPorts, type LogStore } from '../../../src/runtime/journal/journal.ts'
import type { Care, Head } from '../../../src/runtime/journal/head.ts'
import type { KnownLog, LogMeans } from '../../../src/runtime/journal/known.ts'
import { readLog } from '../../../src/runtime/journal/readLog.ts'
import { linesOf } from '../../../src/runtime/journal/segmentLines.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import type { Dice } from './dice.ts'
import { addLines, type Decode, type DiskJournal, emptyLog, type Log, sync } from './disk.ts'
import { diskWrongs } from './diskWrongs.ts'
import { createLogDatabase, type LogDatabase } from './logStore.ts'
import type { Queue } from './queue.ts'

/** A log, and its database on disk. */
export type RealLog = {
  log: Log
  database: LogDatabase
  /** number of the format of the build that has it open */
  format: number
  /** inputs between two checkpoints */
  checkpointEvery: number
}

/** Inputs between two checkpoints; more often on a small disk, whose old segments may go only behind them. */
const checkpointEvery = { usual: 120, small: 50 }

/** An open log, its content, and the database under the journal. */
export type OpenedDisk<Model> = { journal: DiskJournal; own: Journal; known: KnownLog<Model>; store: LogStore }

type Ports = {
  queue: Queue
  dice: Dice
  /** of the running build's log */
  format: number
  decode: Decode
  wrong(what: string): void
  loads(): void
}

/** @param ports `loads`: the journal loads code, in real time */
export function createRealLog({ queue, dice, format, decode, wrong, loads }: Ports): RealLog {
  const log = emptyLog()
  const isSmall = dice.chance('the disk is small', 0.4)
  const database = createLogDatabase({
    queue,
    dice,
    room: isSmall ? dice.between('room', 40_000, 110_000) : Infinity,
    full: loads,
    committed({ writes, durability }) {
      if ((log.head.format ?? 0) > real.format) wrong('an older build writes the log of a newer one')
      // A task that is run again writes the same segment again
      for (const { store, key, value } of writes)
        if (store === 'seg' && value && Number(key) > log.head.segment) addLines(log, linesOf(value as Segment), decode)
      for (const { store, value } of writes) if (store === 'head') log.head = value as Head
      if (durability === 'strict') sync(log)
    },
    undone() {
      log.lines.length = log.strict.lines
      log.facts.length = log.strict.facts
      log.head = log.strict.head
    },
  })
  const real: RealLog = {
    log,
    database,
    format,
    checkpointEvery: isSmall ? checkpointEvery.small : checkpointEvery.usual,
  }
  return real
}

type Life = {
  life: number
  /** of this core: its own checkpoints are verified down to the model */
  build: { name: string; format: number }
  /** the crash guard's state at its start */
  care: Care
  failed(message: string): void
  /** the disk is full: the log holds at most so many records */
  shrunk(records: number): void
  wrong(what: string): void
}

/** Opens the log for a life, as the product does: reads it, then commits the life's number strictly. */
export async function openReal<Model>(
  real: RealLog,
  means: Pick<LogMeans<Model>, 'codec' | 'snapshots'>,
  { life, build, care, failed, shrunk, wrong }: Life,
): Promise<OpenedDisk<Model>> {
  const { log, database } = real
  real.format = build.format
  for (const what of diskWrongs(database)) wrong(what)
  const store = database.open()
  const known = await readLog(store, { ...means, format: build.format, build: build.name })
  const { n, seq } = known.head
  if (n !== log.head.n || seq !== log.head.seq)
    wrong(`the log was committed up to input ${log.head.n} and is read up to input ${n}`)
  let closed = false
  const ports: JournalPorts = {
    failed: message => closed || failed(message),
    taken: () => wrong('a log with one writer was taken over'),
    shrunk: records => closed || shrunk(records),
  }
  const own = createJournal(store, known.head, ports, build.format)
  own.append([], { life, n, seq })
  own.mark(care)
  await own.flush('strict')
  let broken = false
  /** A flush that ends has committed all that came before it, and the crash guard's notes. */
  const flush: Journal['flush'] = durability => {
    const { n, care } = own.head()
    const ended = own.flush(durability)
    const judge = () => {
      if (closed || own.storage !== 'durable') return
      const on = durability === 'strict' ? log.strict : log.head
      if (on.n < n) wrong(`a ${durability} flush ends at input ${on.n}, ${n} was taken before it`)
      // Deep equality, as another life reads what was written
      if (JSON.stringify(log.head.care) !== JSON.stringify(care) && log.head.n === n && own.head().n === n)
        wrong(`a ${durability} flush ends, and the crash guard’s notes are not on disk`)
    }
    ended.then(judge, () => undefined)
    return ended
  }
  /** Nothing of a life that has ended goes on. */
  const gated = <T>(promise: Promise<T>) =>
    new Promise<T>((resolve, reject) =>
      promise.then(
        value => closed || resolve(value),
        (cause: unknown) => {
          broken = true
          if (!closed) reject(cause instanceof Error ? cause : new Error(String(cause)))
        },
      ),
    )
  const journal: DiskJournal = {
    ...own,
    get storage() {
      return own.storage
    },
    onDisk: () => ({ stored: log.strict.n, written: log.head.n, durable: !broken && own.storage === 'durable' }),
    flush: durability => gated(flush(durability)),
    seam: () => gated(own.seam()),
    keep: (seam, bytes) => gated(own.keep(seam, bytes)),
    lose() {
      closed = true
      own.close()
      database.kill()
    },
    ruin: () => database.ruin(),
    revoke: () => undefined,
  }
  return { journal, own, known, store }
}
