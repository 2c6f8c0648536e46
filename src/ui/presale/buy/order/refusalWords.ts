/** Explains why a landed payment is refunded, and when. */
import { own } from '../../../../runtime/schema/own.ts'
import type { RefusedStatus } from '../../../../events/sale/payments/payments.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { dayOf, paid } from '../../sale/figures.ts'

/** One verdict per finding. */
export const refusalVerdicts: Record<RefusedStatus, string> = {
  early: 'It arrived before the sale opened.',
  late: 'It arrived after the sale had ended.',
  paused: 'The team had paused the sale.',
  not_allowed: 'This wallet is not on the list of this sale.',
  duplicate: 'This order was paid twice. The first payment counts.',
  under_min: 'It is less than the smallest order.',
  mismatch: 'It pays another amount than its order says.',
  malformed: 'Its order cannot be read.',
  no_memo: 'It names no order.',
  unknown_terms: 'It names terms the team never published.',
}

/** A payment: asset, base units, and the time, in ms of chain time. */
type Returned = { asset: string; units: string; at: number }

/** @returns `5 Jan 2027`, the latest day of a refund @param at arrival of the payment, in ms of chain time */
export function refundDay(terms: Terms, at = 0): string {
  return dayOf(Math.max(at, terms.end * 1000) + terms.refund.withinDays * 86_400_000)
}

/** @returns the base units of a refund; 0 below the minimum of the terms */
export function refundUnits({ asset, units }: Omit<Returned, 'at'>, { refund }: Terms): string {
  return BigInt(units) < BigInt(own(refund.minUnits, asset) ?? '0') ? '0' : units
}

/** @returns `3 SOL come back by 5 Jan 2027.`, or why nothing does */
export function refundWords(returned: Returned, terms: Terms): string {
  const { asset: symbol, units, at } = returned
  const asset = terms.assets.find(listed => listed.symbol === symbol)
  if (asset && refundUnits(returned, terms) === '0')
    return `The terms return nothing below ${paid(own(terms.refund.minUnits, symbol) ?? '0', asset)}.`
  const amount = asset ? paid(units, asset) : `The ${symbol}`
  const verb = amount === `1 ${symbol}` ? 'comes' : 'come'
  return `${amount} ${verb} back by ${refundDay(terms, at)}.`
}
