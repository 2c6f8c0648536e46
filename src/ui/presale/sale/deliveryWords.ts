/** Delivery of the tokens, from the terms. */
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { deliveriesOf } from '../../../events/sale/vesting.ts'
import type { SaleWords } from '../saleWords.ts'

/** @returns `25% on 7 Feb 2027, the rest in 3 parts until 8 May 2027` */
export function deliveryWords({ sale, figures }: SaleWords, terms: Terms): string {
  const [first, ...later] = deliveriesOf(terms)
  const day = figures.dayOf(first)
  const last = later.at(-1)
  if (last === undefined) return sale.deliveryAll(day)
  const lastDay = figures.dayOf(last)
  const { tgeBps, periods } = terms.vesting
  if (tgeBps === 0) return sale.deliveryFrom(sale.deliveryRestParts(periods, lastDay), day)
  const rest = periods === 1 ? sale.deliveryRestOnce(lastDay) : sale.deliveryRestParts(periods, lastDay)
  return sale.deliveryFirst(figures.share(BigInt(tgeBps), 10_000n), day, rest)
}
