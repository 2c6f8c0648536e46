/**
 * IndexedDB for a Node process to be killed: the in-memory one, backed by a file. A transaction's changes are written in one
 * piece before its `complete` event, so a process that opens the file after a kill finds every acknowledged transaction and no
 * part of any other.
 */
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { existsSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'

type Range = { lower: unknown; upper: unknown; lowerOpen: boolean; upperOpen: boolean }
type Change =
  | { did: 'create' | 'clear'; store: string }
  | { did: 'put'; store: string; key: IDBValidKey; value: Uint8Array }
  | { did: 'delete'; store: string; range: Range }
/** Changes of one transaction. */
type Commit = { database: string; version: number; changes: Change[] }
type Contents = Map<string, { version: number; stores: Map<string, Map<IDBValidKey, Uint8Array>> }>

/** bytes of a commit's length and of its hash prefix */
const headBytes = 8

/**
 * Fills the process's IndexedDB from the file, and writes changes to it from now on. Call once, before any database is opened.
 */
export async function openFileDisk(file: string): Promise<void> {
  const { commits, wholeBytes } = readCommits(existsSync(file) ? readFileSync(file) : Buffer.alloc(0))
  await fill(contentsOf(commits))
  const descriptor = openSync(file, 'a')
  // A truncated commit was never acknowledged
  ftruncateSync(descriptor, wholeBytes)
  // A kill loses nothing the system has received; only a loss of power would, which these tests exclude
  keep(commit => writeSync(descriptor, framed(serialize(commit))))
}

function framed(body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32BE(body.length, 0)
  createHash('sha256').update(body).digest().copy(head, 4, 0, 4)
  return Buffer.concat([head, body])
}

/** @returns the complete commits at the beginning, and their size in bytes */
export function readCommits(bytes: Buffer): { commits: Commit[]; wholeBytes: number } {
  const commits: Commit[] = []
  let at = 0
  while (at + headBytes <= bytes.length) {
    const end = at + headBytes + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    const body = bytes.subarray(at + headBytes, end)
    const mark = createHash('sha256').update(body).digest().subarray(0, 4)
    if (!mark.equals(bytes.subarray(at + 4, at + headBytes))) break
    commits.push(deserialize(body) as Commit)
    at = end
  }
  return { commits, wholeBytes: at }
}

function contentsOf(commits: readonly Commit[]): Contents {
  const contents: Contents = new Map()
  for (const { database, version, changes } of commits) {
    const known = contents.get(database) ?? { version, stores: new Map() }
    known.version = version
    contents.set(database, known)
    for (const change of changes) {
      const store = known.stores.get(change.store) ?? new Map<IDBValidKey, Uint8Array>()
      known.stores.set(change.store, store)
      if (change.did === 'clear') store.clear()
      if (change.did === 'put') store.set(change.key, change.value)
      if (change.did === 'delete') for (const key of store.keys()) if (isWithin(key, change.range)) store.delete(key)
    }
  }
  return contents
}

function isWithin(key: IDBValidKey, { lower, upper, lowerOpen, upperOpen }: Range): boolean {
  const isAbove = lower === undefined || indexedDB.cmp(key, lower) >= (lowerOpen ? 1 : 0)
  return isAbove && (upper === undefined || indexedDB.cmp(key, upper) <= (upperOpen ? -1 : 0))
}

async function fill(contents: Contents): Promise<void> {
  for (const [name, { version, stores }] of contents) {
    await new Promise<void>((resolve, reject) => {
      const opening = indexedDB.open(name, version)
      opening.onupgradeneeded = () => {
        for (const [store, records] of stores) {
          const made = opening.result.createObjectStore(store)
          // Deserialised values are views of the whole buffer, which a store would clone entirely
          for (const [key, value] of records) made.put(deserialize(new Uint8Array(value)), key)
        }
      }
      opening.onsuccess = () => {
        opening.result.close()
        resolve()
      }
      opening.onerror = () => reject(opening.error ?? new Error(`the database ${name} could not be filled`))
    })
  }
}

/** Passes on each transaction's changes before its `complete` event. */
function keep(write: (commit: Commit) => void): void {
  const pending = new WeakMap<IDBTransaction, Change[]>()
  const note = (transaction: IDBTransaction, change: Change) => {
    const changes = pending.get(transaction)
    if (changes) changes.push(change)
    else pending.set(transaction, [change])
  }

  const store = IDBObjectStore.prototype
  const { put, delete: remove, clear } = store
  store.put = function (value, key) {
    // Serialised now: the caller may change it later
    if (key !== undefined) note(this.transaction, { did: 'put', store: this.name, key, value: serialize(value) })
    return put.call(this, value, key)
  }
  store.delete = function (query) {
    const { lower, upper, lowerOpen, upperOpen } = query instanceof IDBKeyRange ? query : IDBKeyRange.only(query)
    const range = { lower: lower as unknown, upper: upper as unknown, lowerOpen, upperOpen }
    note(this.transaction, { did: 'delete', store: this.name, range })
    return remove.call(this, query)
  }
  store.clear = function () {
    note(this.transaction, { did: 'clear', store: this.name })
    return clear.call(this)
  }
  const { createObjectStore } = IDBDatabase.prototype
  IDBDatabase.prototype.createObjectStore = function (name, options) {
    const made = createObjectStore.call(this, name, options)
    note(made.transaction, { did: 'create', store: name })
    return made
  }
  refuse(IDBObjectStore.prototype, 'add')
  refuse(IDBCursor.prototype, 'update', 'delete')
  refuse(IDBFactory.prototype, 'deleteDatabase')

  const { dispatchEvent } = IDBTransaction.prototype
  IDBTransaction.prototype.dispatchEvent = function (event) {
    const changes = pending.get(this)
    if (event.type === 'complete' && changes) write({ database: this.db.name, version: this.db.version, changes })
    return dispatchEvent.call(this, event)
  }
}

/** Unsupported methods throw: their changes would not reach the file. */
function refuse(on: object, ...names: string[]): void {
  for (const name of names) {
    Object.assign(on, {
      [name]() {
        throw new Error(`the disk of a Node process does not keep what ${name} does`)
      },
    })
  }
}
