/**
 * The database of the official WalletConnect client. At its first use the client moves every value of local storage with its
 * names into this database, unless `wc_storage_version` says that this was done. The link that this mirror wrote would go
 * with them, out of sight of other readers.
 * @see reference "Client-side storage", §6
 */
import { storageKeys } from './keys.ts'

const database = 'WALLET_CONNECT_V2_INDEXED_DB'
const objectStore = 'keyvaluestorage'
const versionKey = 'wc_storage_version'
/** The client stores values as JSON text. */
const version = '1'
const moved = ['wc@', 'walletconnect', 'wc_', 'wallet_connect']

/** @returns whether local storage has values of the client's own to move */
function hasValuesToMove(names: readonly string[]): boolean {
  return names.some(name => name !== storageKeys.deepLink.name && moved.some(part => name.toLowerCase().includes(part)))
}

/**
 * Marks the client's storage as moved, unless it is marked or has values to move: those are the client's to carry over.
 *
 * @param names of the values in local storage
 * @throws DOMException when the browser refuses the database
 */
export async function markMoved(databases: IDBFactory, names: readonly string[]): Promise<void> {
  if (hasValuesToMove(names)) return
  const opening = databases.open(database)
  opening.onupgradeneeded = () => opening.result.createObjectStore(objectStore)
  const db = await done(opening)
  try {
    if (!db.objectStoreNames.contains(objectStore)) return
    const values = db.transaction(objectStore, 'readwrite').objectStore(objectStore)
    if ((await done(values.get(versionKey))) === undefined) await done(values.put(version, versionKey))
  } finally {
    db.close()
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new DOMException('the request failed'))
  })
}
