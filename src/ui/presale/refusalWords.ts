/** Why a payment that landed is returned, in a sentence, and when. */
import type { RefusedStatus } from '../../events/sale/payments.ts'
import type { Terms } from '../../events/values/termsShape.ts'
import { dayOf, paid } from './figures.ts'

/** The verdict of each finding. */
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

/** A payment: what was paid, and when, in ms of chain time. */
type Returned = { asset: string; units: string; at: number }

/** @returns `5 Jan 2027`, the day by which a payment is returned @param at when it landed, in ms of chain time */
export function refundDay(terms: Terms, at = 0): string {
  return dayOf(Math.max(at, terms.end * 1000) + terms.refund.withinDays * 86_400_000)
}

/** @returns `3 SOL come back by 5 Jan 2027.` */
export function refundWords({ asset: symbol, units, at }: Returned, terms: Terms): string {
  const asset = terms.assets.find(listed => listed.symbol === symbol)
  const amount = asset ? paid(units, asset) : `The ${symbol}`
  const verb = amount === `1 ${symbol}` ? 'comes' : 'come'
  return `${amount} ${verb} back by ${refundDay(terms, at)}.`
}
