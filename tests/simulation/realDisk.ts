/** The product's own journal in a simulated world, on a database that counts durability by transaction. */
import { snapshots } from '../../src/events/checkpoint/snapshot.ts'
import { codec } from '../../src/events/log/codec.ts'
import { decode } from '../../src/events/log/decode.ts'
import { logFormat } from '../../src/events/log/logFormat.ts'
import { keyStore, type KeyStore } from '../../src/worker/drivers/walletconnect/keys.ts'
import {
  createJournal,
  type Head,
  type Journal,
  type JournalPorts,
  type Care,
} from '../../src/runtime/journal/journal.ts'
import type { LogState } from '../../src/worker/journal/logState.ts'
import { readLog } from '../../src/runtime/journal/readLog.ts'
import type { Segment } from '../../src/runtime/journal/segments.ts'
import { linesOf } from '../../src/runtime/journal/segmentLines.ts'
import type { Build } from './builds.ts'
import type { Dice } from './dice.ts'
import { type DiskJournal, emptyLog, type Log } from './disk.ts'
import { diskWrongs } from './diskWrongs.ts'
import { createLogDatabase, type LogDatabase } from './logStore.ts'
import type { Queue } from './queue.ts'
import type { Vault } from './relay.ts'

/** A chain's log, and its database on disk. */
export type RealLog = {
  log: Log
  database: LogDatabase
  /** number of the format of the build that has it open */
  format: number
}

export type Opened = { journal: DiskJournal; known: LogState; vault: Vault }

type Ports = { queue: Queue; dice: Dice; wrong(what: string): void; loads(): void }

/** @param ports `loads`: the journal loads code, in real time */
export function createRealLog({ queue, dice, wrong, loads }: Ports): RealLog {
  const log = emptyLog()
  const database = createLogDatabase({
    queue,
    dice,
    room: dice.chance('the disk is small', 0.4) ? dice.between('room', 40_000, 110_000) : Infinity,
    full: loads,
    committed({ writes, durability }) {
      if ((log.head.format ?? 0) > real.format) wrong('an older build writes the log of a newer one')
      // A task that is run again writes the same segment again
      for (const { store, key, value } of writes)
        if (store === 'seg' && value && Number(key) > log.head.segment) addLines(log, linesOf(value as Segment))
      for (const { store, value } of writes) if (store === 'head') log.head = value as Head
      if (durability === 'strict')
        log.strict = { n: log.head.n, lines: log.lines.length, facts: log.facts.length, head: log.head }
    },
    undone() {
      log.lines.length = log.strict.lines
      log.facts.length = log.strict.facts
      log.head = log.strict.head
    },
  })
  const real: RealLog = { log, database, format: logFormat }
  return real
}

function addLines(log: Log, lines: readonly string[]): void {
  for (const line of lines) {
    log.lines.push(line)
    const record = line.startsWith('{"k":"f"') ? decode(line) : undefined
    if (record?.k === 'f') log.facts.push(record)
  }
}

type Life = {
  life: number
  /** of this core: its own checkpoints are verified down to the model */
  build: Build
  /** the crash guard's state at its start */
  care: Care
  failed(message: string): void
  /** the disk is full: the log holds at most so many records */
  shrunk(records: number): void
  wrong(what: string): void
}

/** Opens the log for a life, as `openRecord` does: reads it, then commits the life's number strictly. */
export async function openReal(real: RealLog, { life, build, care, failed, shrunk, wrong }: Life): Promise<Opened> {
  const { log, database } = real
  real.format = build.format
  for (const what of diskWrongs(database)) wrong(what)
  const store = database.open()
  const known = await readLog(store, { codec, snapshots, format: build.format, build: build.name })
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
    settle: () => undefined,
    lose() {
      closed = true
      own.close()
      database.kill()
    },
    ruin: () => database.ruin(),
    revoke: () => undefined,
  }
  return { journal, known, vault: vaultOn(keyStore(store, own), database) }
}

/** The vault's store: readable at once, committed with the facts that name its entries. */
function vaultOn(keys: KeyStore, database: LogDatabase): Vault {
  const names = database.keys('keys').map(String)
  const of = (kind: string) => names.flatMap(name => (name.startsWith(kind) ? name.slice(kind.length) : []))
  const forget = (name: string) => void keys.delete([name]).catch(() => undefined)
  const topics = new Set(of('topic:'))
  const sealed: Vault['sealed'] = new Map()
  for (const ref of of('message:')) sealed.set(ref, database.value('keys', `message:${ref}`) as never)
  return {
    keys: Object.assign(topics, {
      add(topic: string) {
        keys.put(`topic:${topic}`, {})
        return Set.prototype.add.call(topics, topic)
      },
      delete(topic: string) {
        forget(`topic:${topic}`)
        return Set.prototype.delete.call(topics, topic)
      },
    }) as Vault['keys'],
    sealed: Object.assign(sealed, {
      set(ref: string, message: unknown) {
        keys.put(`message:${ref}`, message)
        return Map.prototype.set.call(sealed, ref, message)
      },
      delete(ref: string) {
        forget(`message:${ref}`)
        return Map.prototype.delete.call(sealed, ref)
      },
    }) as Vault['sealed'],
  }
}
