/** The proof of a visitor's calls, small; and a poll that costs one call more, which it finds. */
import { expect, test } from 'vitest'
import { leastOrders } from './filledSale.ts'
import { provePolls } from './polls.ts'

test('polls: one call at each size of a sale, and a buyer’s history by its new payments', async () => {
  const { holds, figures } = await provePolls({ seed: 2, orders: leastOrders + 40 })
  expect(figures.sales).toMatchObject([
    { calls: 1, requests: 1, again: 1 },
    { calls: 1, requests: 1, again: 1 },
  ])
  expect(holds).toBe(true)
})

test('polls: a call more is found', async () => {
  expect((await provePolls({ seed: 2, orders: leastOrders, more: 1 })).holds).toBe(false)
})
