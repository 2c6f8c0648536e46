import type { Memory } from './memory.ts'

/** @returns the memory with these keys */
export function memoryOf(newest: readonly string[], older: readonly string[]): Memory {
  const keys = (list: readonly string[]): Record<string, true> => Object.fromEntries(list.map(key => [key, true]))
  return { newest: keys(newest), older: keys(older), count: newest.length }
}
