/**
 * The key that a retry takes. A wallet that was shown an order or a code may still pay it; the next one of either kind reuses its key,
 * so that the sale accepts one payment of an account and refunds the other.
 */
import { type Invoice, isSettled, sameKey } from '../../../events/subjects/sale/invoice.ts'
import {
  type AcceptedOrder,
  type AskedOrder,
  builtOf,
  isAccepted,
  isAsked,
  isOpen,
  isPaid,
  isSend,
  type Order,
  orderSignatureOf,
  type PaidOrder,
} from '../../../events/subjects/order/order.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx } from '../../core/context.ts'
import { outlivedMs } from '../../../events/subjects/order/watchedOrder.ts'

/**
 * @returns the key of the account's order that may still land, else of a code that may be paid; undefined when there is none.
 *   `code`: the code with this key whose payment is looked for
 */
export function keyForOrder(ctx: Ctx, account: string): { orderKey: string; code?: string } | undefined {
  const paid = usedBy(ctx, account)
  const code = codeOut(ctx, orderKey => paid.has(orderKey))
  const asked = Object.values(ctx.model.order).filter(isAsked)
  const ofAccount = asked.filter(order => order.account === account)
  const orderKey = orderOut(ctx, ofAccount) ?? code?.orderKey
  if (orderKey === undefined) return undefined
  return { orderKey, ...(code?.orderKey === orderKey && { code: code.invoiceId }) }
}

/**
 * @returns the key of a code that may still be paid, else of the newest order that may land, whichever account's; no key under which
 *   a code or an order has its final payment
 */
export function keyForCode(ctx: Ctx): string | undefined {
  const { invoice, order } = ctx.model
  const orders = Object.values(order).filter(isAsked)
  const isUsed = (orderKey: string) =>
    orders.some(({ account, accepted }) => accepted.orderKey === orderKey && usedBy(ctx, account).has(orderKey)) ||
    invoice?.all.some(code => code.orderKey === orderKey && isSettled(code)) === true
  // A wallet that is about to be asked to sign counts, too
  const mayBeAsked = (one: Order): one is AskedOrder | AcceptedOrder =>
    isAsked(one) || (isAccepted(one) && !isSend(one))
  const unused = Object.values(order)
    .filter(mayBeAsked)
    .filter(({ accepted }) => !isUsed(accepted.orderKey))
  return codeOut(ctx, isUsed)?.orderKey ?? orderOut(ctx, unused)
}

/** The key of the newest of the orders whose payment is not final: its transaction may still land. */
function orderOut(ctx: Ctx, orders: (AskedOrder | AcceptedOrder)[]): string | undefined {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return undefined
  const out = orders
    .filter(order => (builtOf(order)?.transfer.references[0] ?? terms.presaleRef) === terms.presaleRef)
    .filter(order => !usedBy(ctx, order.account).has(order.accepted.orderKey))
  return out.sort((a, b) => b.times.drafted - a.times.drafted)[0]?.accepted.orderKey
}

/** The newest code, unless its own order is final. The key of an earlier code is this one, or some account has used it up. */
function codeOut({ model }: Ctx, isUsed: (orderKey: string) => boolean): Invoice | undefined {
  const { invoice, sale } = model
  const { terms } = sale
  if (!invoice || terms.phase !== 'read') return undefined
  const newest = invoice.all.find(one => one.presaleRef === terms.presaleRef)
  if (!newest || isUsed(newest.orderKey) || sameKey(invoice, newest).some(isSettled)) return undefined
  return newest
}

/** The keys under which a payment of the account is final. */
function usedBy({ model, at }: Ctx, account: string): ReadonlySet<string> {
  const orders = Object.values(model.order).filter(order => order.account === account)
  const isSure = (order: PaidOrder) => order.finalBy === undefined || at - (order.times.finalised ?? 0) > outlivedMs
  // Its own order says more about a payment than one node's list
  const unsure = orders.filter(order => (isPaid(order) ? !isSure(order) : isOpen(order)))
  const unsureSignatures = new Set(unsure.flatMap(order => orderSignatureOf(order) ?? []))
  return new Set([
    // With a split vote on finality, the transaction may still be another one, until its blockhash has expired
    ...orders.flatMap(order => (isPaid(order) && isSure(order) ? order.accepted.orderKey : [])),
    // A payment that is not an order of the sale does not use up its key
    ...(own(model.purchase, account)?.purchases ?? []).flatMap(({ signature, status, orderId, fault }) =>
      status === 'final' && fault === undefined && !unsureSignatures.has(signature) ? orderId : [],
    ),
  ])
}
