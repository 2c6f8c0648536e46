/** Compares the payments on the chain with the log, order by order. */
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { isDead, isOpen, type Order, orderKeyOf } from '../../src/events/subjects/order/order.ts'

/**
 * @param facts of a log whose visit is at rest
 * @param landed order keys of the payments on the chain, one entry per payment
 * @returns one sentence for each disagreement
 */
export function unpaidOrPaidTwice(facts: readonly FactRecord[], landed: readonly string[]): string[] {
  const model = emptyCoreModel()
  for (const fact of facts) foldCoreFact(model, fact)
  const times = new Map<string, number>()
  for (const key of landed) times.set(key, (times.get(key) ?? 0) + 1)
  const orders = Object.values(model.order)
  const known = new Set(orders.map(orderKeyOf))
  return [
    ...[...times].filter(([, count]) => count > 1).map(([key, count]) => `order ${key} was paid ${count} times`),
    ...[...times.keys()]
      .filter(key => !known.has(key))
      .map(key => `order ${key} was paid, and the log does not know it`),
    ...orders.filter(isOpen).map(order => `order ${orderKeyOf(order)} is still open at rest: ${order.phase}`),
    ...[...known].flatMap(key =>
      disagreement(
        orders.filter(order => orderKeyOf(order) === key),
        times.get(key ?? '') ?? 0,
      ),
    ),
  ]
}

/** A retry reuses the order key: any one of them may have been paid. */
function disagreement(orders: readonly Order[], paid: number): string[] {
  if (orders.some(isOpen) || orders.every(isDead) === (paid === 0)) return []
  return orders.slice(-1).map(order => `order ${orderKeyOf(order)} is ${order.phase} and was paid ${paid} times`)
}
