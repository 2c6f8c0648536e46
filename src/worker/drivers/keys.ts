/** Where the vault's sealed entries lie: a store of the log's database, or memory when nothing may be stored. */
import type { IDBPDatabase } from 'idb'
import type { JournalSchema } from '../journal.ts'
import type { KeyStore } from './vault.ts'

/** A key is on the disk itself before anything that needs it goes on. */
export function keyStore(db: IDBPDatabase<JournalSchema>): KeyStore {
  return {
    get: name => db.get('keys', name),
    async put(name, value) {
      const tx = db.transaction('keys', 'readwrite', { durability: 'strict' })
      await Promise.all([tx.store.put(value, name), tx.done])
    },
    async delete(names) {
      if (names.length === 0) return
      const tx = db.transaction('keys', 'readwrite')
      await Promise.all([...names.map(name => tx.store.delete(name)), tx.done])
    },
    names: () => db.getAllKeys('keys'),
  }
}

export function memoryKeys(): KeyStore {
  const kept = new Map<string, unknown>()
  return {
    get: async name => kept.get(name),
    put: async (name, value) => void kept.set(name, value),
    delete: async names => names.forEach(name => void kept.delete(name)),
    names: async () => [...kept.keys()],
  }
}
