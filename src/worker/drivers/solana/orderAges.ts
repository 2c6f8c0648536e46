import { outlivingBlocks } from '../../../events/subjects/order.ts'
import type { Endpoint } from './rpc.ts'

/** What this life of the worker has measured since an order's bytes were built, by nothing that anybody can set. */
export type OrderAges = {
  /** The bytes are built now: all that was measured before is of other bytes. */
  begin(orderId: string): void
  /** @returns ms since then, or since this was first asked where an earlier life built them */
  of(orderId: string): number
  /** @returns whether the endpoint's finalised height has grown since by more than a blockhash lives, whatever it is said to be */
  outlives(orderId: string, from: Endpoint, height: number): boolean
}

type Age = { since: number; heights: Map<Endpoint, number> }

/** @param passed ms since some moment, whatever the clock is set to */
export function createOrderAges(passed: () => number): OrderAges {
  const ages = new Map<string, Age>()
  const ageOf = (orderId: string): Age => {
    const age = ages.get(orderId) ?? { since: passed(), heights: new Map() }
    ages.set(orderId, age)
    return age
  }
  return {
    begin(orderId) {
      ages.delete(orderId)
      ageOf(orderId)
    },
    of: orderId => Math.max(0, Math.floor(passed() - ageOf(orderId).since)),
    outlives(orderId, from, height) {
      const { heights } = ageOf(orderId)
      const first = Math.min(heights.get(from) ?? height, height)
      heights.set(from, first)
      return height - first > outlivingBlocks
    },
  }
}
