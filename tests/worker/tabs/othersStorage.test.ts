/** Storage of other libraries in this origin: none of it is read, changed or migrated. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from 'node:path'
import { type Stack, startStack } from '../../stack/start.ts'
import { createLocks } from './locks.ts'
import { configFor, openPage } from './page.ts'
import { emptyDisk, install, live } from './world.ts'

let stack: Stack
beforeAll(async () => {
  install()
  stack = await startStack({
    clock: 'manual',
    seed: 'others',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
}, 60_000)
afterAll(() => stack?.close())

const database = 'WALLET_CONNECT_V2_INDEXED_DB'
const store = 'keyvaluestorage'
const kept: Record<string, unknown> = {
  'wc@2:core:0.3//keychain': { [`${'ab'.repeat(32)}`]: 'cd'.repeat(32), client_ed25519_seed: 'ef'.repeat(32) },
  'wc@2:client:0.3//session': [{ topic: 'ab'.repeat(32), expiry: 4_000_000_000, namespaces: {}, acknowledged: true }],
  'wc@2:core:0.3//pairing': [{ topic: '12'.repeat(32), expiry: 4_000_000_000, active: true }],
  WALLETCONNECT_DEEPLINK_CHOICE: { href: 'metamask://', name: 'MetaMask' },
}

const done = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function opened(): Promise<IDBDatabase> {
  const opening = indexedDB.open(database, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(store)
  return done(opening)
}

async function contents(): Promise<Record<string, unknown>> {
  const db = await opened()
  const reading = db.transaction(store).objectStore(store)
  const [keys, values] = await Promise.all([done(reading.getAllKeys()), done(reading.getAll())])
  db.close()
  return Object.fromEntries(keys.map((key, at) => [String(key), values[at]]))
}

test('others’ storage: a visitor with the official client’s storage connects as without it', async () => {
  emptyDisk()
  const db = await opened()
  for (const [key, value] of Object.entries(kept))
    await done(db.transaction(store, 'readwrite').objectStore(store).put(value, key))
  db.close()

  const names: string[] = []
  const { open } = indexedDB
  indexedDB.open = (name, ...rest) => {
    names.push(name)
    return open.call(indexedDB, name, ...rest)
  }
  const touched: string[] = []
  const local = new Proxy(
    Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, JSON.stringify(value)])),
    {
      get: (target, key) => (touched.push(String(key)), Reflect.get(target, key)),
      set: (_target, key) => (touched.push(String(key)), true),
      ownKeys: target => (touched.push('its keys'), Reflect.ownKeys(target)),
      deleteProperty: (_target, key) => (touched.push(String(key)), true),
    },
  )
  Object.defineProperty(globalThis, 'localStorage', { value: local, configurable: true })
  try {
    const life = await live(() => openPage({ config: configFor(stack), locks: createLocks() }), 'shared')
    const page = life.value
    await page.command({
      type: 'connection.connectWalletConnect',
      data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
    })
    await page.until('a code', model => model.pairing.shown !== null)
    expect(page.model().session).toEqual({})
    expect(Object.keys(page.model().pairing.open)).not.toContain('12'.repeat(32))
    await life.kill()
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage')
    indexedDB.open = open
  }
  expect(names.length).toBeGreaterThan(0)
  expect(names).not.toContain(database)
  expect(touched).toEqual([])
  expect(await contents()).toEqual(kept)
}, 30_000)
