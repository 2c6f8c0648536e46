import type { Locks } from './locks.ts'

/** Resolves when the lock's holder has released it or ended. */
export async function lockReleased(locks: Locks, name: string): Promise<void> {
  await locks.request(name, () => undefined)
}
