/** The sale as this device knows it now: the page shows it, and the core's gate decides by it. */
import { own } from '../../runtime/schema/own.ts'
import type { Invoice } from '../subjects/sale/invoice.ts'
import { builtOf, isOpen, isPaid, isSigned, type OrderView } from '../subjects/order/order.ts'
import type { Purchase, PurchaseView } from '../subjects/sale/purchase.ts'
import type { SaleView } from '../subjects/sale/sale.ts'
import { lesser, toUnits } from '../values/amount.ts'
import { curveOf } from './price.ts'
import { readSale, type Sale } from './sale.ts'
import { creditsOf, type RefusedStatus, refusals } from './payments/payments.ts'

type Known = { sale: SaleView; purchase: PurchaseView }

/** @returns ms of chain time at `now` of this device's clock; undefined before the first reading */
export function chainTimeAt({ reading }: SaleView, now: number): number | undefined {
  return reading ? reading.chainTime + Math.max(0, now - reading.readAt) : undefined
}

/**
 * @param now ms of this device's clock
 * @returns the sale; undefined while its terms, notices or treasury are unread, and without a checkpoint, because the raised
 *   part of the treasury's money is unknown then
 */
export function saleNow(model: Known, now: number): Sale | undefined {
  const { terms, reading, notices } = model.sale
  const time = chainTimeAt(model.sale, now)
  if (terms.phase !== 'read' || !reading || time === undefined || !notices?.checkpoint) return undefined
  const { checkpoint } = notices
  const ofAccounts = Object.entries(model.purchase).map(([account, { purchases }]) => {
    const refused = refusedPayments(model, account)
    const since = purchases.filter(payment => payment.slot > checkpoint.slot && mayCount(payment, refused))
    const sum = since.reduce((all, payment) => all + creditsOf(terms.terms, payment), 0n)
    // The ledger accepts no more of one account
    return lesser(sum, BigInt(terms.terms.maxBuyer))
  })
  const credits = ofAccounts.reduce((sum, one) => sum + one, 0n)
  return readSale(terms.terms, checkpoint, reading.balances, time, notices, credits)
}

/** @returns the refusals of an account's payments, by signature, as far as they are certain without the ledger */
export function refusedPayments({ sale, purchase }: Known, account: string): Map<string, RefusedStatus> {
  const { terms, notices, reading, access } = sale
  const known = own(purchase, account)
  if (terms.phase !== 'read' || !known) return new Map()
  const mark = notices?.checkpoint
  // Without a reading the position is unknown
  const mostPos = mark && reading ? readSale(terms.terms, mark, reading.balances, reading.chainTime) : undefined
  return refusals(known.purchases, {
    terms: terms.terms,
    termsHash: terms.termsHash,
    changes: notices?.changes,
    ...(notices?.partial && { toldUntil: notices.asOf ?? 0 }),
    ...(notices?.unlisted && { unlisted: notices.unlisted }),
    allowed: terms.terms.access.mode === 'open' || own(access ?? {}, account)?.allowed !== false,
    mostPos: mostPos?.received == null ? toUnits(curveOf(terms.terms).hardCap) : mostPos.mostPos,
  })
}

/** @returns why the payment of a code is certainly refused; undefined while unpaid or unjudged */
export function invoiceRefusal(
  model: Known,
  { buyer, payment }: Pick<Invoice, 'buyer' | 'payment'>,
): RefusedStatus | undefined {
  if (buyer === undefined || !payment) return undefined
  return refusedPayments(model, buyer).get(payment.signature)
}

function mayCount({ status, signature }: Purchase, refused: ReadonlyMap<string, RefusedStatus>): boolean {
  return status !== 'failed' && !refused.has(signature)
}

/**
 * An account's credits against the limit per wallet: payments that landed without a refusal, and orders under way.
 *
 * @param exceptOrder the order being judged
 */
export function committedCredits(model: Known & { order: OrderView }, account: string, exceptOrder = ''): bigint {
  const { terms } = model.sale
  if (terms.phase !== 'read') return 0n
  const refused = refusedPayments(model, account)
  const landed = own(model.purchase, account)?.purchases ?? []
  const told = new Set(landed.map(({ signature }) => signature))
  const orders = Object.values(model.order).filter(order => {
    if (order.account !== account || order.orderId === exceptOrder || order.send) return false
    const [ofSale = terms.presaleRef] = builtOf(order)?.transfer.references ?? []
    if (ofSale !== terms.presaleRef) return false
    if (isSigned(order) && told.has(order.signed.signature)) return false
    return isOpen(order) || isPaid(order)
  })
  const counted = [...landed.filter(payment => mayCount(payment, refused)), ...orders]
  return counted.reduce((sum, payment) => sum + creditsOf(terms.terms, payment), 0n)
}
