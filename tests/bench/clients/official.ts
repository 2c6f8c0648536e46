/**
 * The official client. Its storage is a database as in a browser, one transaction for each value, kept in memory as ours is.
 *
 *   node official.mjs RELAY PROJECT CHAIN disk|none
 */
import 'fake-indexeddb/auto'
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { openDB } from 'idb'
import { proposed } from './proposed.ts'
import { liveAs } from './life.ts'

const [, , relayUrl = '', projectId = '', chainId = '', disk = ''] = process.argv

/** Weighed, what is on a disk is not to count. */
const nowhere = {
  getKeys: async () => [],
  getEntries: async () => [],
  getItem: async () => undefined,
  setItem: async () => undefined,
  removeItem: async () => undefined,
}

async function database() {
  const name = 'keyvaluestorage'
  const db = await openDB(name, 1, { upgrade: made => void made.createObjectStore(name) })
  return {
    getKeys: async () => (await db.getAllKeys(name)).map(String),
    getEntries: async <T>() =>
      Promise.all((await db.getAllKeys(name)).map(async key => [String(key), await db.get(name, key)] as [string, T])),
    getItem: async <T>(key: string) => (await db.get(name, key)) as T | undefined,
    setItem: async (key: string, value: unknown) => void (await db.put(name, value, key)),
    removeItem: async (key: string) => db.delete(name, key),
  }
}

const storage = disk === 'none' ? nowhere : await database()
const core = new Core({ projectId, relayUrl, storage, logger: 'silent', telemetryEnabled: false })
const metadata = { name: 'MAI presale', description: 'bench', url: 'http://127.0.0.1', icons: [] }
const client = await SignClient.init({ core: core as never, metadata, logger: 'silent' })

liveAs({
  async pair() {
    const { uri = '', approval } = await client.connect({ optionalNamespaces: proposed(chainId) })
    return { uri, settled: approval().then(session => session.topic) }
  },
  sign: (topic, params) => client.request({ topic, chainId, request: { method: 'solana_signMessage', params } }),
})
