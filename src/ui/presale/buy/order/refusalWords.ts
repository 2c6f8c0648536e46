/** Explains when a refused payment is refunded. */
import { own } from '../../../../runtime/schema/own.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import type { SaleWords } from '../../saleWords.ts'

/** A payment: asset, base units, and the time, in ms of chain time. */
type Returned = { asset: string; units: string; at: number }

/** @returns the end of a refund's time, ms @param at arrival of the payment, in ms of chain time */
export function lastRefundTime(terms: Terms, at = 0): number {
  return Math.max(at, terms.end * 1000) + terms.refund.withinDays * 86_400_000
}

/** @returns `5 Jan 2027`, the latest day of a refund @param at arrival of the payment, in ms of chain time */
export function refundDay({ figures }: SaleWords, terms: Terms, at?: number): string {
  return figures.dayOf(lastRefundTime(terms, at))
}

/**
 * The terms' minimum is for all that a payee is owed of an asset: payments below it by themselves may come back together.
 *
 * @returns the base units that are sure to come back for this payment; 0 below the minimum
 */
export function refundUnits({ asset, units }: Omit<Returned, 'at'>, { refund }: Terms): string {
  return BigInt(units) < BigInt(own(refund.minUnits, asset) ?? '0') ? '0' : units
}

/** @returns `3 SOL come back by 5 Jan 2027.`, why nothing does, or when they did @param back chain time of the refund, ms */
export function refundWords(t: SaleWords, returned: Returned, terms: Terms, back?: number): string {
  const { asset: symbol, units, at } = returned
  const asset = terms.assets.find(listed => listed.symbol === symbol)
  if (asset && back !== undefined) return t.order.cameBack(t.figures.paid(units, asset), t.figures.dayOf(back))
  const day = refundDay(t, terms, at)
  if (!asset) return t.order.assetComesBack(symbol, day)
  if (refundUnits(returned, terms) === '0')
    return t.order.nothingBelow(t.figures.paid(own(terms.refund.minUnits, symbol) ?? '0', asset))
  return t.order.comesBack(t.figures.paid(units, asset), day)
}
