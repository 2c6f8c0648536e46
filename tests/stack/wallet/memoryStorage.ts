import { randomBytes } from 'node:crypto'

/** Storage of one wallet; `prefix` separates wallets of one process. */
export type KitStorage = ReturnType<typeof memoryStorage>

/** In-memory key-value storage for the official client; copies values as its own storage does. */
export function memoryStorage() {
  const values = new Map<string, unknown>()
  return {
    prefix: randomBytes(8).toString('hex'),
    getKeys: async () => [...values.keys()],
    getEntries: async <T>() =>
      [...values.entries()].map(([key, value]) => [key, structuredClone(value)] as [string, T]),
    getItem: async <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
    setItem: async <T>(key: string, value: T) => void values.set(key, structuredClone(value)),
    removeItem: async (key: string) => void values.delete(key),
  }
}
