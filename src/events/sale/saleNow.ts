/** The sale as this device knows it now: the page shows it, and the core's gate decides by it. */
import { own } from '../../runtime/schema/own.ts'
import type { Invoice } from '../subjects/sale/invoice.ts'
import { builtOf, isOpen, isPaid, isSigned, type OrderView, quoteOf } from '../subjects/order/order.ts'
import type { AccountedRow, PurchaseView } from '../subjects/sale/purchase.ts'
import type { SaleView } from '../subjects/sale/sale.ts'
import { lesser, toUnits } from '../values/amount.ts'
import { curveOf } from './price.ts'
import { readSale, type Sale } from './sale.ts'
import {
  type CountedPayment,
  creditsOf,
  type KnownAtPayment,
  mostCreditsOf,
  type RefusedStatus,
  refusals,
} from './payments/payments.ts'

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
  const ofAccounts = Object.keys(model.purchase).map(account => {
    const since = countedPayments(model, account).filter(({ slot }) => slot > checkpoint.slot)
    const sum = since.reduce((all, payment) => all + creditsOf(terms.terms, payment), 0n)
    // The ledger accepts no more of one account
    return lesser(sum, BigInt(terms.terms.maxBuyer))
  })
  const credits = ofAccounts.reduce((sum, one) => sum + one, 0n)
  return readSale(terms.terms, checkpoint, reading.balances, time, notices, credits)
}

/** @returns the sale that an account's payments met, as far as known; undefined while the terms are unread */
function knownAtPayments(
  { terms, notices, noticesUnread, reading, access }: SaleView,
  account: string,
): KnownAtPayment | undefined {
  if (terms.phase !== 'read') return undefined
  const mark = notices?.checkpoint
  // Without a reading the position is unknown
  const met = mark && reading && readSale(terms.terms, mark, reading.balances, reading.chainTime)
  return {
    terms: terms.terms,
    termsHash: terms.termsHash,
    changes: notices?.changes,
    ...((notices?.partial || noticesUnread) && { toldUntil: toldUntil(notices, noticesUnread) }),
    ...(notices?.unlisted && { unlisted: notices.unlisted }),
    allowed: terms.terms.access.mode === 'open' || own(access ?? {}, account)?.allowed !== false,
    mostPos: met?.mostPos ?? toUnits(curveOf(terms.terms).hardCap),
  }
}

/** @returns the time up to which every notice is known, ms; 0 for none */
function toldUntil(notices: SaleView['notices'], unread: SaleView['noticesUnread']): number {
  const times = [...(notices?.partial ? [notices.asOf ?? 0] : []), ...(unread ? [unread.since ?? 0] : [])]
  return Math.min(...times)
}

/** @returns the refusals of an account's payments, by signature, as far as they are certain without the ledger */
export function refusedPayments({ sale, purchase }: Known, account: string): Map<string, RefusedStatus> {
  const met = knownAtPayments(sale, account)
  return met ? refusals(own(purchase, account)?.purchases ?? [], met) : new Map()
}

/** Verdicts on an account's payments, by signature: rows of audited books that got tokens, and refusals. */
export type Verdicts = { counted: ReadonlyMap<string, AccountedRow>; refused: ReadonlyMap<string, Refusal> }
export type Refusal = Exclude<AccountedRow['status'], 'accepted' | 'partial'>

/** @returns the audited books' verdicts on an account's payments, and other refusals that are certain without them */
export function verdictsOfAccount(model: Known, account: string): Verdicts {
  const counted = new Map<string, AccountedRow>()
  const refused = new Map<string, Refusal>(refusedPayments(model, account))
  for (const row of own(model.purchase, account)?.accounted?.rows ?? []) {
    const { signature, status } = row
    if (status !== 'accepted' && status !== 'partial') refused.set(signature, status)
    else {
      refused.delete(signature)
      counted.set(signature, row)
    }
  }
  return { counted, refused }
}

/** @returns the verdicts on the payment of a code; none while unpaid */
function verdictsOnCode(model: Known, { buyer }: Invoice): Verdicts {
  return buyer === undefined ? { counted: new Map(), refused: new Map() } : verdictsOfAccount(model, buyer)
}

/** @returns why the payment of a code is certainly refused; undefined while unpaid or unjudged */
export function invoiceRefusal(model: Known, invoice: Invoice): Refusal | undefined {
  return verdictsOnCode(model, invoice).refused.get(invoice.payment?.signature ?? '')
}

/** @returns the row of audited books that gives tokens for the payment of a code */
export function invoiceCounted(model: Known, invoice: Invoice): AccountedRow | undefined {
  return verdictsOnCode(model, invoice).counted.get(invoice.payment?.signature ?? '')
}

/** @returns an account's payments that count or may: of those in audited books the accepted part */
function countedPayments(model: Known, account: string): (CountedPayment & { slot: number })[] {
  const { purchases = [], accounted, rates } = own(model.purchase, account) ?? {}
  const rows = accounted?.rows ?? []
  const judged = new Set([...refusedPayments(model, account).keys(), ...rows.map(({ signature }) => signature)])
  return [
    ...rows.map((row, at) => ({ ...row, units: row.accepted, rate: rates?.[at] })),
    ...purchases.filter(({ status, signature }) => status !== 'failed' && !judged.has(signature)),
  ]
}

/**
 * An account's credits against the limit per wallet, at least as many as the ledger counts: payments that landed without a refusal, of
 * those in audited books the accepted part, and orders under way.
 *
 * @param exceptOrder the order being judged
 */
export function committedCredits(model: Known & { order: OrderView }, account: string, exceptOrder = ''): bigint {
  const { terms } = model.sale
  const met = knownAtPayments(model.sale, account)
  if (terms.phase !== 'read' || !met) return 0n
  const { purchases = [], accounted } = own(model.purchase, account) ?? {}
  const told = new Set([...purchases, ...(accounted?.rows ?? [])].map(({ signature }) => signature))
  const orders = Object.values(model.order).filter(order => {
    if (order.account !== account || order.orderId === exceptOrder || order.send) return false
    const [ofSale = terms.presaleRef] = builtOf(order)?.transfer.references ?? []
    if (ofSale !== terms.presaleRef) return false
    if (isSigned(order) && told.has(order.signed.signature)) return false
    return isOpen(order) || isPaid(order)
  })
  const ofOrders = orders.map(order => ({
    ...order,
    ...quoteOf(order),
    ...('accepted' in order && order.accepted),
  }))
  return [...countedPayments(model, account), ...ofOrders].reduce((sum, one) => sum + mostCreditsOf(met, one), 0n)
}
