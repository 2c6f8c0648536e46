/** Stores of keys and bytes in memory: for tests, and for a device that denies storage. */
import { type BytesStore, refOf } from '../drivers/bytes.ts'
import type { KeyStore } from '../drivers/walletconnect/keys.ts'

export function memoryBytes(): BytesStore {
  const kept = new Map<string, Uint8Array>()
  return {
    async put(bytes, owner) {
      const ref = refOf(bytes, owner)
      kept.set(ref, bytes.slice())
      return ref
    },
    async get(ref) {
      return kept.get(ref)?.slice()
    },
    async forget(refs) {
      for (const ref of refs) kept.delete(ref)
    },
    refs: async () => [...kept.keys()],
  }
}

export function memoryKeys(): KeyStore {
  const kept = new Map<string, unknown>()
  return {
    get: async name => kept.get(name),
    put: (name, value) => void kept.set(name, value),
    delete: async names => names.forEach(name => void kept.delete(name)),
    names: async () => [...kept.keys()],
  }
}
