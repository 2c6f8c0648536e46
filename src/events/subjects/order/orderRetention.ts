/**
 * Retention of orders: a new draft evicts orders that ended long ago. Their payments stay in the account's purchases.
 * These stay:
 *
 * 1. the newest `endedKept` that ended, and all open ones;
 * 2. alarms, and refused orders whose expiry is not proved: the chain may still show a landing;
 * 3. a purchase that the account's purchases do not hold as final: it counts against the limit per wallet;
 * 4. orders that a wallet was asked to sign within the last day: a late landing is compared with them;
 * 5. all orders of a used key while one of them stays, else the key would seem unused;
 * 6. the newest order of a key that may still be out: the account's next order reuses the key.
 */
import { own } from '../../../runtime/schema/own.ts'
import { foldOrder } from './orderFold.ts'
import {
  askOf,
  isAsked,
  isDead,
  isMismatched,
  isOpen,
  isPaid,
  isProved,
  isRefused,
  isSend,
  type Order,
  orderKeyOf,
  type OrderView,
  type PaidOrder,
} from './order.ts'
import type { OrderFact } from './orderFacts.ts'
import type { PurchaseView } from '../sale/purchase.ts'

type Known = { order: OrderView; purchase: PurchaseView }

export const endedKept = 50
/** Far beyond any blockhash, ms. */
const askedMs = 86_400_000

export function foldOrders(model: Known, fact: OrderFact & { at: number }): void {
  foldOrder(model, fact)
  if (fact.type === 'order.drafted') evict(model, fact.at)
}

function evict(model: Known, at: number): void {
  if (Object.keys(model.order).length <= endedKept) return
  const ended = Object.values(model.order).filter(order => !isOpen(order))
  const old = ended.slice(0, Math.max(0, ended.length - endedKept)).filter(order => isIdle(model, order, at))
  const leaving = old.filter(order => !holdsKey(model.order, order, old))
  for (const { orderId } of leaving) delete model.order[orderId]
}

/** Whether neither the chain nor the limit per wallet needs the order itself. */
function isIdle(model: Known, order: Order, at: number): boolean {
  if (isMismatched(order)) return false
  if (isPaid(order)) return isSend(order) || isInHistory(model, order)
  if (!isAsked(order)) return true
  const mayLand = isRefused(order) && !isProved(order)
  return !mayLand && at - order.times.drafted > askedMs
}

function isInHistory({ purchase }: Known, { account, signed, accepted }: PaidOrder): boolean {
  return (own(purchase, account)?.purchases ?? []).some(
    paid =>
      paid.signature === signed.signature &&
      paid.status === 'final' &&
      paid.fault === undefined &&
      paid.orderId === accepted.orderKey,
  )
}

/** @param old orders that may leave, this one among them */
function holdsKey(orders: OrderView, order: Order, old: readonly Order[]): boolean {
  const orderKey = orderKeyOf(order)
  if (orderKey === undefined) return false
  const namesakes = Object.values(orders).filter(one => orderKeyOf(one) === orderKey)
  const isUsed = namesakes.some(one => !isDead(one) && !isOpen(one))
  if (isUsed) return namesakes.some(one => !old.includes(one))
  return askOf(order) !== undefined && namesakes.filter(askOf).at(-1)?.orderId === order.orderId
}
