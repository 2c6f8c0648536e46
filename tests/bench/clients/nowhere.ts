import type { KitStorage } from '../../stack/wallet/memoryStorage.ts'

/**
 * A storage for the official packages that stores nothing: disk use does not count, and copying all sessions at each change
 * makes a thousand of them take minutes. Memory use is the same.
 */
export function nowhere(): KitStorage {
  return {
    prefix: crypto.randomUUID(),
    getKeys: async () => [],
    getEntries: async () => [],
    getItem: async () => undefined,
    setItem: async () => undefined,
    removeItem: async () => undefined,
  }
}
