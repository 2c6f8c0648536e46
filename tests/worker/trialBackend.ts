/** A second backend for tests: it stands in the product's own tables while one test runs. */
import { onTestFinished } from 'vitest'
import type { BackendName } from '../../src/events/sale/backend.ts'

export const trial = 'trial'

/** Registers the backend's member of one table until the test ends. */
export function register<M>(members: Record<BackendName, M>, member: M): void {
  const table: Record<string, M> = members
  table[trial] = member
  onTestFinished(() => {
    delete table[trial]
  })
}
