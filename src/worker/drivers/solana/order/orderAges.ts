import { outlivingBlocks } from '../../../../events/subjects/order/order.ts'
import type { Endpoint } from '../rpc.ts'

/** Ages of orders, measured in this life since their bytes were built, independent of the settable clock. */
export type OrderAges = {
  /** Restarts the measures: the order has new bytes. */
  begin(orderId: string): void
  /** @returns ms since `begin`, or since the first call where an earlier life built the bytes */
  of(orderId: string): number
  /** @returns whether the endpoint's finalised height has grown since then by more than a blockhash lives */
  outlives(orderId: string, from: Endpoint, height: number): boolean
}

type Age = { since: number; heights: Map<Endpoint, number> }

/** @param passed monotonic time, ms */
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
