/** Judges an order by the current sale: at the press, and again at the gate. */
import type { Failure } from '../../../runtime/failure.ts'
import { chainTimeAt, committedCredits, saleNow } from '../../../events/sale/saleNow.ts'
import { memberIn, saleQuotes } from '../../../events/sale/backend.ts'
import { leastCredits, stillHolds } from '../../../events/sale/quote.ts'
import {
  type AcceptedOrder,
  isAsked,
  isPaid,
  isProved,
  isRefused,
  isSend,
  type Order,
  type OrderIn,
  orderSignatureOf,
  type ReadyOrder,
} from '../../../events/subjects/order/order.ts'
import { soughtMs } from '../../../events/subjects/sale/invoice.ts'
import { mayLandBeside } from '../../../events/subjects/order/watchedOrder.ts'
import { own } from '../../../runtime/schema/own.ts'
import { isOfThisLife } from '../../../events/subjects/sale/sale.ts'
import type { Ctx } from '../../core/context.ts'
import { documentRefusal } from '../sale/saleDocuments.ts'
import { trustRefusal } from '../sale/saleNotices.ts'

export const saleUnread: Failure = {
  code: 'unreachable',
  message: 'an order expected the sale and its checkpoint to be read, they are not',
}

/** @param account the buyer. @returns why the sale takes no order now, or undefined */
export function saleRefusal(ctx: Ctx, account: string): Failure | undefined {
  const refused = trustRefusal(ctx) ?? documentRefusal(ctx, account)
  if (refused) return refused
  const sale = saleNow(ctx.model, ctx.at)
  if (!sale) return saleUnread
  switch (sale.state) {
    case 'live':
      return undefined
    case 'soon':
      return { code: 'not_started', message: 'the sale has not begun' }
    case 'paused':
      return { code: 'paused', message: 'the team paused the sale' }
    case 'soldOut':
      return { code: 'sold_out', message: 'the sale is sold out' }
    default:
      return { code: 'ended', message: 'the sale is over' }
  }
}

/**
 * @returns why an accepted order may not go on, or undefined: its terms are distrusted, or not those in force any more. It pays
 *   the treasury of the terms it was accepted under, and a person may have confirmed others meanwhile. A transfer has none
 */
export function termsRefusal(
  ctx: Ctx,
  { accepted, send }: Pick<AcceptedOrder, 'accepted' | 'send'>,
): Failure | undefined {
  if (send) return undefined
  const { terms } = ctx.model.sale
  const refused = trustRefusal(ctx)
  if (refused || terms.phase !== 'read' || terms.termsHash === accepted.termsHash) return refused
  const { termsHash } = terms
  const message = `a payment expected the terms it was accepted under, ${accepted.termsHash}, got ${termsHash}`
  return { code: 'terms_changed', message, facts: { expected: accepted.termsHash, got: termsHash } }
}

/** @returns why this amount is refused, or undefined: too little, too much, or fewer tokens than agreed */
export function quoteRefusal(
  ctx: Ctx,
  order: { asset: string; units: string; min: string; account: string; orderId?: string },
): Failure | undefined {
  const { terms } = ctx.model.sale
  const sale = saleNow(ctx.model, ctx.at)
  if (terms.phase !== 'read' || !sale) return saleUnread
  const { asset, units, min, account, orderId } = order
  const { assets, maxBuyer } = terms.terms
  const listed = assets.find(({ symbol }) => symbol === asset)
  if (!listed) {
    return { code: 'bad_input', message: `an order expected an asset of the terms, got ${asset.slice(0, 10)}` }
  }
  const quote = memberIn(saleQuotes, terms.terms)?.quote(terms.terms, sale, asset, units)
  if (!quote) return saleUnread
  const credits = BigInt(quote.credits)
  const least = leastCredits(terms.terms, listed, sale.remaining)
  if (credits < least) {
    return { code: 'bad_input', message: `an order expected at least ${least} credits, got ${quote.credits}` }
  }
  const before = committedCredits(ctx.model, account, orderId)
  if (before + credits > BigInt(maxBuyer)) {
    const message = `the orders of an account expected at most ${maxBuyer} credits, got ${before} and ${credits} more`
    return { code: 'bad_input', message, facts: { rule: 'MAX_BUYER', left: `${BigInt(maxBuyer) - before}` } }
  }
  if (!stillHolds(quote, { units, min })) {
    const message = `the quote expected at least ${min} tokens, the sale gives ${quote.least.tokens} now`
    return { code: 'stale_quote', message, facts: { tokens: quote.least.tokens, min } }
  }
  return undefined
}

/**
 * @returns why an order of this key would be a second payment, or undefined: the ledger refunds it. A payment that some provider denies
 *   for an hour holds nothing back any more
 */
export function keyRefusal(
  { model, at }: Ctx,
  { account, orderKey, signature }: { account: string; orderKey: string; signature?: string | undefined },
): Failure | undefined {
  const now = chainTimeAt(model.sale, at) ?? 0
  // A fork may have dropped a payment that was seen
  const dropped = Object.values(model.order).flatMap(order => (isProved(order) && orderSignatureOf(order)) || [])
  const paid = own(model.purchase, account)?.purchases.find(
    one =>
      one.orderId === orderKey &&
      one.signature !== signature &&
      one.fault === undefined &&
      (one.status === 'final' ||
        (one.status === 'confirmed' && !dropped.includes(one.signature) && Math.abs(now - one.paidAt) < soughtMs)),
  )
  const order = Object.values(model.order)
    .filter(isPaid)
    .find(
      one =>
        !one.send &&
        one.account === account &&
        one.accepted.orderKey === orderKey &&
        orderSignatureOf(one) !== signature,
    )
  const known = order ? orderSignatureOf(order) : paid?.signature
  if (known === undefined) return undefined
  const message = `an order expected no payment under its key, there is ${known}`
  return { code: 'busy', message, facts: { rule: order?.finalBy === undefined ? 'PAID_BESIDE' : 'PAID_UNSURE' } }
}

/** @returns why a purchase may not be paid now, or undefined. A press may rely on readings of an earlier life; a payment may not */
export function purchaseRefusal(ctx: Ctx, order: ReadyOrder | OrderIn<'signed'>): Failure | undefined {
  return (
    readingRefusal(ctx) ??
    termsRefusal(ctx, order) ??
    saleRefusal(ctx, order.account) ??
    keyRefusal(ctx, { ...order.accepted, account: order.account, signature: orderSignatureOf(order) }) ??
    quoteRefusal(ctx, { ...order, min: order.quote.min })
  )
}

function readingRefusal(ctx: Ctx): Failure | undefined {
  if (isOfThisLife(ctx.model.sale.reading, ctx.model.core)) return undefined
  return { code: 'unreachable', message: 'a payment expected the sale to be read since the start, it is not' }
}

/** @returns why an account may not make a transfer now, or undefined: no ledger refunds a second one */
export function earlierRefusal({ model, at }: Ctx, account: string): Failure | undefined {
  const mayLand = Object.values(model.order).some(
    one => isSend(one) && one.account === account && isAsked(one) && !isProved(one) && mayStillLand(one, at),
  )
  if (!mayLand) return undefined
  const message = 'a transfer expected proof that the one before cannot land'
  return { code: 'busy', message, facts: { rule: 'EARLIER' } }
}

function mayStillLand(order: Order, at: number): boolean {
  if (isRefused(order)) return order.phase === 'gateRefused' || order.signed !== undefined
  return mayLandBeside(order, at)
}
