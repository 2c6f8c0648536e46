import { vi } from 'vitest'

/**
 * Looks again until a check passes.
 *
 * @returns the value of the check; throws its last error when the test has run out of time
 */
export function soon<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 })
}
