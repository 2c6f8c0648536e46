import type { Locks } from './locks.ts'

/** Resolves when whoever holds the lock is gone. */
export async function lockReleased(locks: Locks, name: string): Promise<void> {
  await locks.request(name, () => undefined)
}
