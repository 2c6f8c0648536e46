import { describe, expect, test } from 'vitest'
import { budget, spend, waitBefore } from '../../../src/worker/rpc/retry.ts'

const longest = (below: number) => below - 1
const shortest = () => 0

describe('the delay before a retry', () => {
  test('doubles from 150 ms', () => {
    expect([0, 1, 2].map(retry => waitBefore(retry, undefined, longest))).toEqual([150, 300, 600])
  })

  test('is spread over half of itself', () => {
    expect(waitBefore(0, undefined, shortest)).toBe(75)
    expect(waitBefore(2, undefined, below => (below - 1) / 2)).toBe(450)
  })

  test("is the server's, whatever its length", () => {
    expect(waitBefore(0, 2_000, shortest)).toBe(2_000)
    expect(waitBefore(3, 3_600_000, longest)).toBe(3_600_000)
  })
})

describe('a budget', () => {
  test('allows a burst, then one request after another', () => {
    const endpoint = { paidUntil: 0 }
    const free = Array.from({ length: budget.burst + 3 }, () => spend(endpoint, 1000, 100_000))
    expect(free.slice(0, budget.burst).every(at => at === 1000)).toBe(true)
    expect(free.slice(budget.burst)).toEqual([1, 2, 3].map(nth => 1000 + nth * budget.everyMs))
  })

  test('is whole again after a while, and never more than whole', () => {
    const endpoint = { paidUntil: 0 }
    for (let nth = 0; nth < budget.burst; nth += 1) spend(endpoint, 0, 0)
    const later = 1_000_000
    const free = Array.from({ length: budget.burst + 1 }, () => spend(endpoint, later, later + 1000))
    expect(free.at(-2)).toBe(later)
    expect(free.at(-1)).toBe(later + budget.everyMs)
  })

  test('is not touched by a request that would come too late', () => {
    const endpoint = { paidUntil: 5000 }
    expect(spend(endpoint, 1000, 1500)).toBeGreaterThan(1500)
    expect(endpoint).toEqual({ paidUntil: 5000 })
  })
})
