import { randomBytes } from 'node:crypto'

/** A storage of one wallet; `prefix` keeps wallets of one process apart. */
export type KitStorage = ReturnType<typeof memoryStorage>

/** The key-value storage the official client asks for, kept in memory; values are copied as its own storage would. */
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
