/**
 * The key that a retry takes. A wallet that was shown an order or a code may still pay it; the next one of either kind reuses its key,
 * so that the sale accepts one payment of an account and refunds the other.
 */
import { isSettled, sameKey } from '../../../events/subjects/invoice.ts'
import { isAsked, isPaid } from '../../../events/subjects/order.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx } from '../../core/context.ts'

/** @returns the key of the account's order that may still land, else of a code that may be paid; undefined when there is none */
export function keyForOrder(ctx: Ctx, account: string): string | undefined {
  const paid = usedBy(ctx, account)
  return orderOut(ctx, account) ?? codeOut(ctx, orderKey => paid.has(orderKey))
}

/** @returns the key of a code that may still be paid, else of the newest order that may land, whichever account's */
export function keyForCode(ctx: Ctx): string | undefined {
  const orders = Object.values(ctx.model.order).filter(isAsked)
  const isUsed = (orderKey: string) =>
    orders.some(({ account, accepted }) => accepted.orderKey === orderKey && usedBy(ctx, account).has(orderKey))
  return codeOut(ctx, isUsed) ?? orderOut(ctx)
}

/** The key of the newest order that a wallet was asked to sign and that is not final: its transaction may still land. */
function orderOut(ctx: Ctx, account?: string): string | undefined {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return undefined
  const out = Object.values(ctx.model.order)
    .filter(isAsked)
    .filter(order => account === undefined || order.account === account)
    .filter(order => order.built.transfer.references[0] === terms.presaleRef)
    .filter(order => !usedBy(ctx, order.account).has(order.accepted.orderKey))
  return out.sort((a, b) => b.times.drafted - a.times.drafted)[0]?.accepted.orderKey
}

/** The key of the newest code, unless its own order is final. The key of an earlier code is this one or used up. */
function codeOut({ model }: Ctx, isUsed: (orderKey: string) => boolean): string | undefined {
  const { invoice, sale } = model
  const { terms } = sale
  if (!invoice || terms.phase !== 'read') return undefined
  const newest = invoice.all.find(one => one.presaleRef === terms.presaleRef)
  if (!newest || isUsed(newest.orderKey) || sameKey(invoice, newest).some(isSettled)) return undefined
  return newest.orderKey
}

/** The keys under which a payment of the account is final, and those of all paid orders. */
function usedBy({ model }: Ctx, account: string): ReadonlySet<string> {
  return new Set([
    // With a split vote on finality, the transaction may still be another one
    ...Object.values(model.order).flatMap(order =>
      isPaid(order) && order.finalBy === undefined ? order.accepted.orderKey : [],
    ),
    // A payment that is not an order of the sale does not use up its key
    ...(own(model.purchase, account)?.purchases ?? []).flatMap(({ status, orderId, fault }) =>
      status === 'final' && fault === undefined ? orderId : [],
    ),
  ])
}
