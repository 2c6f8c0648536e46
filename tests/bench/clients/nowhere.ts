import type { KitStorage } from '../../stack/wallet/memoryStorage.ts'

/**
 * A storage for the official packages that keeps nothing: what is on a disk is not to count, and one that copies all sessions
 * at each change makes a thousand of them take minutes. What they hold in memory is the same.
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
