/** IndexedDB with promises: just what a log needs of it, and a transaction that fails anywhere changes nothing. */

type Schema = { [store: string]: { key: number | string; value: unknown } }
type Name<S> = keyof S & string

export type Store<K, V> = {
  get(key: K): Promise<V | undefined>
  getAll(range?: IDBKeyRange): Promise<V[]>
  getAllKeys(range?: IDBKeyRange): Promise<K[]>
  count(): Promise<number>
  put(value: V, key: K): Promise<unknown>
  delete(key: K | IDBKeyRange): Promise<unknown>
}
type Stores<S extends Schema, N extends Name<S>> = <M extends N>(name: M) => Store<S[M]['key'], S[M]['value']>

export type Database<S extends Schema> = {
  /**
   * Runs a task within one transaction; resolves once it is committed, `strict` when it is on the disk itself. The task may
   * wait for nothing but its stores. When it throws, nothing of it is written.
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
 * Opens a database. It closes by itself when another tab wants another version of it or its end.
 *
 * @param made.version default: the one it has
 * @param made.stores of each version so far, first to last
 * @param made.blocked hears that another tab does not let go of an older version
 */
export async function openDatabase<S extends Schema>(
  name: string,
  made: { version?: number; stores?: readonly (readonly Name<S>[])[]; blocked?: () => void } = {},
): Promise<Database<S>> {
  const opening = indexedDB.open(name, made.version)
  opening.onupgradeneeded = ({ oldVersion }) => {
    for (const stores of made.stores?.slice(oldVersion) ?? [])
      for (const store of stores) opening.result.createObjectStore(store)
  }
  opening.onblocked = () => made.blocked?.()
  const db = await answerOf(opening)
  db.onversionchange = () => db.close()

  const transact: Database<S>['transact'] = async (names, durability, task) => {
    const isReading = durability === 'reading'
    const tx = db.transaction([...names], isReading ? 'readonly' : 'readwrite', isReading ? {} : { durability })
    const done = new Promise<void>((resolve, reject) => {
      tx.oncomplete = () => resolve()
      tx.onabort = () => reject(tx.error ?? new DOMException('the transaction was given up', 'AbortError'))
    })
    done.catch(() => undefined)
    try {
      const result = await task(store => storeOf(tx.objectStore(store)))
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
  await answerOf(indexedDB.deleteDatabase(name))
}

function storeOf(store: IDBObjectStore): Store<never, never> {
  return {
    get: key => answerOf(store.get(key)),
    getAll: range => answerOf(store.getAll(range)) as Promise<never[]>,
    getAllKeys: range => answerOf(store.getAllKeys(range)) as Promise<never[]>,
    count: () => answerOf(store.count()),
    put: (value, key) => answerOf(store.put(value, key)),
    delete: key => answerOf(store.delete(key)),
  }
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
  const answer = new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  // When one request of a transaction fails all do, and only the first is waited for
  answer.catch(() => undefined)
  return answer
}

function giveUp(tx: IDBTransaction): void {
  try {
    tx.abort()
  } catch {
    // It is over already
  }
}
