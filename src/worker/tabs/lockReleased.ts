import type { Locks } from './locks.ts'

/** Resolves when whoever holds the lock is gone. */
export async function whenFree(locks: Locks, name: string): Promise<void> {
  await locks.request(name, () => undefined)
}
