/**
 * A log's database in memory and in virtual time, under the real journal.
 *
 * 1. Transactions run one after the other; one that is committed is whole, one that is not has changed nothing.
 * 2. A kill ends the transaction in flight: it is committed, or it is not. Nothing of a killed life goes on.
 * 3. A loss of power undoes relaxed commits, newest first, down to the last strict one at most.
 * 4. A small disk refuses a commit for which it has no room.
 */
import type { Database, ObjectStore } from '../../../src/runtime/journal/database.ts'
import type { JournalSchema, LogStore, StoredCheckpoint } from '../../../src/runtime/journal/journal.ts'
import type { Segment } from '../../../src/runtime/journal/segments.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './queue.ts'

type Name = keyof JournalSchema
type Key = number | string
type Write = { store: Name; key: Key; value?: unknown }
type Commit = { writes: readonly Write[]; durability: 'relaxed' | 'strict' }

export type LogDatabase = {
  /** Opens it for one life. */
  open(): LogStore
  /** The life has ended; its transaction in flight may have reached the disk. */
  kill(): void
  losePower(): void
  /** Every write fails from now on. */
  ruin(): void
  /** A byte of the newest checkpoint is lost. */
  damageCheckpoint(): void
  value(store: Name, key: Key): unknown
  keys(store: Name): Key[]
}

/** `room`: bytes of segments; `full` hears that a commit found none, `committed` hears every commit, `undone` that the power was lost and relaxed commits with it. */
export function createLogDatabase({
  queue,
  dice,
  room,
  full,
  committed,
  undone,
}: {
  queue: Queue
  dice: Dice
  room: number
  full(): void
  committed(commit: Commit): void
  undone(): void
}): LogDatabase {
  const stores: Record<Name, Map<Key, unknown>> = {
    seg: new Map(),
    head: new Map(),
    ckpt: new Map(),
    keys: new Map(),
    bytes: new Map(),
  }
  /** what relaxed commits since the last strict one replaced */
  let relaxed: Write[][] = []
  let inFlight: Commit | undefined
  let life = 0
  let ruined = false

  function apply(commit: Commit): void {
    const before = commit.writes.map(({ store, key }) => ({ store, key, value: stores[store].get(key) }))
    for (const write of commit.writes) put(write)
    if (commit.durability === 'strict') relaxed = []
    else relaxed.push(before)
    committed(commit)
  }

  function put({ store, key, value }: Write): void {
    if (value === undefined) stores[store].delete(key)
    else stores[store].set(key, value)
  }

  /** Only a commit that takes more room may find none. */
  function hasRoomFor({ writes }: Commit): boolean {
    const grown = writes.reduce((sum, { store, key, value }) => {
      const sizeOf = (one: unknown) => (store === 'seg' && one ? (one as Segment).bytes.length : 0)
      return sum + sizeOf(value) - sizeOf(stores[store].get(key))
    }, 0)
    if (grown <= 0 || dice.isCalm()) return true
    const all = [...stores.seg.values()].reduce<number>((sum, one) => sum + (one as Segment).bytes.length, 0)
    return all + grown <= room
  }

  const broken = () => new DOMException('the disk failed', 'UnknownError')

  /** Resolves once the commit is on disk, in virtual time. */
  function commit(one: Commit): Promise<void> {
    inFlight = one
    const usual = dice.between('commit', 1, 6)
    const inMs = dice.strikes('storage.slow') ? dice.between('slow commit', 100, 4000) : usual
    return new Promise((resolve, reject) => {
      queue.after(inMs, 'worker', () => {
        inFlight = undefined
        if (ruined) return reject(broken())
        if (!hasRoomFor(one)) {
          full()
          return reject(new DOMException('the disk is full', 'QuotaExceededError'))
        }
        if (!dice.strikes('storage.fails')) {
          apply(one)
          return resolve()
        }
        const how = dice.oneOf('storage fails', ['for ever', 'before', 'behind'] as const)
        // A connection may be lost behind a commit: the next try finds its own writes
        if (how === 'behind') apply(one)
        if (how === 'for ever') ruined = true
        reject(broken())
      })
    })
  }

  function databaseOf(own: number): Database<JournalSchema> {
    let last: Promise<unknown> = Promise.resolve()
    /** Never ends once this life has. */
    const alive = () => (own === life ? undefined : new Promise<never>(() => undefined))
    const transact: Database<JournalSchema>['transact'] = (_names, durability, task) => {
      const run = async () => {
        const writes: Write[] = []
        const result = await task(name => storeOf(name, writes) as never)
        await alive()
        // The life may have ended in the turn before
        if (durability !== 'reading') await (alive() ?? commit({ writes, durability }))
        await alive()
        return result
      }
      const ended = last.then(run)
      last = ended.catch(() => undefined)
      return ended
    }
    return {
      transact,
      get: (name, key) => transact([name], 'reading', store => store(name).get(key)),
      put: (name, value, key) => transact([name], 'relaxed', store => store(name).put(value, key)),
      has: name => name in stores,
      close: () => undefined,
    }
  }

  /** Reads see what is committed and what this transaction wrote. */
  function storeOf(name: Name, writes: Write[]): ObjectStore<Key, unknown> {
    const seen = (): [Key, unknown][] => {
      const now = new Map(stores[name])
      for (const { store, key, value } of writes) {
        if (store !== name) continue
        if (value === undefined) now.delete(key)
        else now.set(key, value)
      }
      return [...now].sort(([a], [b]) => (a < b ? -1 : 1))
    }
    const within = (range?: IDBKeyRange) => seen().filter(([key]) => !range || range.includes(key))
    return {
      get: async key => seen().find(([one]) => one === key)?.[1],
      getAll: async range => within(range).map(([, value]) => value),
      getAllKeys: async range => within(range).map(([key]) => key),
      count: async () => seen().length,
      put: async (value, key) => void writes.push({ store: name, key, value }),
      delete: async key => {
        const all = typeof key === 'object' ? within(key).map(([one]) => one) : [key]
        for (const one of all) writes.push({ store: name, key: one })
      },
    }
  }

  return {
    open() {
      life += 1
      ruined = false
      const db = databaseOf(life)
      let closed = false
      const attempt = <T>(task: (db: Database<JournalSchema>) => Promise<T>) =>
        closed ? Promise.reject(new Error('the log was closed')) : task(db)
      return {
        // As the product does: a task that failed is run once more on a newly opened database
        run: task => attempt(task).catch((cause: unknown) => (isLost(cause) ? attempt(task) : Promise.reject(cause))),
        close: () => void (closed = true),
      }
    },
    kill() {
      life += 1
      if (inFlight && !ruined && hasRoomFor(inFlight) && dice.chance('commit survives', 0.5)) apply(inFlight)
      inFlight = undefined
    },
    losePower() {
      if (dice.chance('relaxed survives', 0.4)) return
      for (const batch of relaxed.reverse()) for (const write of batch.reverse()) put(write)
      relaxed = []
      undone()
    },
    ruin: () => void (ruined = true),
    damageCheckpoint() {
      const newest = [...stores.ckpt.keys()].map(Number).sort((a, b) => b - a)[0]
      const row = newest === undefined ? undefined : (stores.ckpt.get(newest) as StoredCheckpoint)
      if (newest === undefined || !row) return
      // A log that begins at its only checkpoint is lost with it
      if (stores.ckpt.size < 2 && !stores.seg.has(firstSegment)) return
      const bytes = Uint8Array.from(row.bytes)
      bytes[bytes.length >> 1] = 0x20
      stores.ckpt.set(newest, { ...row, bytes })
    },
    value: (store, key) => stores[store].get(key),
    keys: store => [...stores[store].keys()],
  }
}

const firstSegment = 1

function isLost(cause: unknown): boolean {
  return cause instanceof DOMException && cause.name === 'UnknownError'
}
