import { describe, expect, test } from 'vitest'
import { waitBefore } from '../../../src/worker/rpc/retry.ts'

describe('the delay before a retry', () => {
  test('doubles from 150 ms and ends after three tries', () => {
    const longest = [0, 1, 2, 3].map(retry => waitBefore(retry, undefined, 1))
    expect(longest).toEqual([150, 300, 600, undefined])
  })

  test('is spread over half of itself', () => {
    expect(waitBefore(0, undefined, 0)).toBe(75)
    expect(waitBefore(2, undefined, 0.5)).toBe(450)
  })

  test("is the server's, up to 10 s; a longer pause ends the tries", () => {
    expect(waitBefore(0, 2_000, 0.3)).toBe(2_000)
    expect(waitBefore(0, 10_000, 0.3)).toBe(10_000)
    expect(waitBefore(0, 10_001, 0.3)).toBeUndefined()
    expect(waitBefore(3, 0, 0.3)).toBeUndefined()
  })
})
