/** One pass over local storage: the values as they are stored, with the changes so far. */
import type { StorageKey } from './formats.ts'

export type StorageChanges = {
  /** by name: the text to write, or null to remove it */
  writes: Map<string, string | null>
  /** values, or members of values, that did not fit */
  dropped: number
}

export type Pass = {
  get<T>(key: StorageKey<T>): T | undefined
  set<T>(key: StorageKey<T>, value: NoInfer<T> | undefined): void
}

/** Begins a pass that collects its writes, and the number of misfits by key. */
export function createPass(
  stored: (name: string) => string | null,
  writes: StorageChanges['writes'],
  misfits: Map<string, number>,
): Pass {
  return {
    get(key) {
      const text = writes.has(key.name) ? writes.get(key.name) : stored(key.name)
      // An empty text reads as absent, as by the other libraries
      if (!text) return undefined
      const { value, dropped } = key.read(text)
      if (dropped > 0) misfits.set(key.name, dropped)
      return value
    },
    set(key, value) {
      const text = value === undefined ? null : key.write(value)
      if (text === stored(key.name)) writes.delete(key.name)
      else writes.set(key.name, text)
    },
  }
}

export function isEmpty(table: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(table).length === 0
}
