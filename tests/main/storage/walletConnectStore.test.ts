import { IDBFactory } from 'fake-indexeddb'
import { describe, expect, test } from 'vitest'
import { markMoved } from '../../../src/main/storage/walletConnectStore.ts'

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
const key = 'wc_storage_version'

/** The official client's database. */
async function opened(databases: IDBFactory, stores = ['keyvaluestorage']): Promise<IDBDatabase> {
  const opening = databases.open('WALLET_CONNECT_V2_INDEXED_DB')
  opening.onupgradeneeded = () => stores.forEach(name => opening.result.createObjectStore(name))
  return done(opening)
}

async function versionIn(databases: IDBFactory): Promise<unknown> {
  const db = await opened(databases)
  const found = await done(db.transaction('keyvaluestorage').objectStore('keyvaluestorage').get(key))
  db.close()
  return found
}

describe('client storage: the official client’s database', () => {
  test('is marked as moved, in JSON text', async () => {
    const databases = new IDBFactory()
    await markMoved(databases, ['@appkit/connections', 'WALLETCONNECT_DEEPLINK_CHOICE'])
    expect(await versionIn(databases)).toBe('1')
  })

  test.each(['wc@2:client:0.3//session', 'WALLETCONNECT_CLIENT_ID', 'wc_storage_version', 'wallet_connect'])(
    'is left to the client while local storage has its %s',
    async name => {
      const databases = new IDBFactory()
      await markMoved(databases, ['@appkit/connections', name])
      expect(await databases.databases()).toEqual([])
    },
  )

  test('keeps the mark that the client made', async () => {
    const databases = new IDBFactory()
    const db = await opened(databases)
    await done(db.transaction('keyvaluestorage', 'readwrite').objectStore('keyvaluestorage').put('2', key))
    db.close()
    await markMoved(databases, [])
    expect(await versionIn(databases)).toBe('2')
  })

  test('of another make stays as it is', async () => {
    const databases = new IDBFactory()
    const db = await opened(databases, ['other'])
    db.close()
    await markMoved(databases, [])
    const after = await opened(databases)
    expect([...after.objectStoreNames]).toEqual(['other'])
    after.close()
  })
})
