/**
 * IndexedDB as the log needs it.
 *
 * 1. A transaction that fails anywhere changes nothing.
 * 2. A database closes when another tab wants to upgrade or delete it.
 */
import { deleteDB, openDB } from 'idb'

type Schema = { [store: string]: { key: number | string; value: unknown } }
type Name<S> = keyof S & string

export type ObjectStore<K, V> = {
  get(key: K): Promise<V | undefined>
  getAll(range?: IDBKeyRange): Promise<V[]>
  getAllKeys(range?: IDBKeyRange): Promise<K[]>
  count(): Promise<number>
  put(value: V, key: K): Promise<unknown>
  delete(key: K | IDBKeyRange): Promise<unknown>
}
type Stores<S extends Schema, N extends Name<S>> = <M extends N>(name: M) => ObjectStore<S[M]['key'], S[M]['value']>

export type Database<S extends Schema> = {
  /**
   * Runs a task within one transaction; resolves once it is committed, with `strict` once it is on the disk itself. The task
   * awaits nothing but its stores. When it throws, the transaction is aborted.
   */
  transact<N extends Name<S>, T>(
    names: readonly N[],
    durability: 'reading' | 'relaxed' | 'strict',
    task: (store: Stores<S, N>) => Promise<T>,
  ): Promise<T>
  get<N extends Name<S>>(name: N, key: S[N]['key']): Promise<S[N]['value'] | undefined>
  put<N extends Name<S>>(name: N, value: S[N]['value'], key: S[N]['key']): Promise<unknown>
  has(name: Name<S>): boolean
  close(): void
}

/**
 * Opens a database.
 *
 * @param made.version default: the present one
 * @param made.stores names of new stores by version, first to last
 * @param made.blocked called when another tab keeps an older version open
 */
export async function openDatabase<S extends Schema>(
  name: string,
  made: { version?: number; stores?: readonly (readonly Name<S>[])[]; blocked?: () => void } = {},
): Promise<Database<S>> {
  const db = await openDB(name, made.version, {
    upgrade(opened, oldVersion) {
      for (const stores of made.stores?.slice(oldVersion) ?? [])
        for (const store of stores) opened.createObjectStore(store)
    },
    blocked: () => made.blocked?.(),
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })

  const transact: Database<S>['transact'] = async (names, durability, task) => {
    const isReading = durability === 'reading'
    const tx = db.transaction([...names], isReading ? 'readonly' : 'readwrite', isReading ? {} : { durability })
    const done = heard(tx.done)
    try {
      const result = await task(name => storeOf(tx.objectStore(name)))
      if (!isReading) tx.commit()
      await done
      return result
    } catch (cause) {
      giveUp(tx)
      throw cause
    }
  }
  return {
    transact,
    get: (name, key) => transact([name], 'reading', store => store(name).get(key)),
    put: (name, value, key) => transact([name], 'relaxed', store => store(name).put(value, key)),
    has: store => db.objectStoreNames.contains(store),
    close: () => db.close(),
  }
}

/** Deletes a database. */
export async function deleteDatabase(name: string): Promise<void> {
  await deleteDB(name)
}

type Opened = { [K in 'get' | 'getAll' | 'getAllKeys' | 'count' | 'put' | 'delete']?: unknown }

/** A store whose unawaited requests report no failure: one failed request aborts the transaction, which reports it. */
function storeOf(opened: Opened): ObjectStore<never, never> {
  const store = opened as ObjectStore<never, never>
  return {
    get: key => heard(store.get(key)),
    getAll: range => heard(store.getAll(range)),
    getAllKeys: range => heard(store.getAllKeys(range)),
    count: () => heard(store.count()),
    put: (value, key) => heard(store.put(value, key)),
    delete: key => heard(store.delete(key)),
  }
}

/** @returns the same promise, marked as handled */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function giveUp(tx: { abort(): void }): void {
  try {
    tx.abort()
  } catch {
    // It has ended already
  }
}

/** @returns whether a failure says that the device has no room left for this page */
export function isStorageFull(cause: unknown): boolean {
  return cause instanceof Error && cause.name === 'QuotaExceededError'
}
