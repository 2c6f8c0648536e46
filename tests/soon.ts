import { vi } from 'vitest'

/**
 * Repeats a check until it passes.
 * @returns the value of the check; throws its last error when the test runs out of time
 */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 })
}
