/** Delivery of the tokens, from the terms. */
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import type { SaleWords } from '../saleWords.ts'

/** @returns `25% on 7 Feb 2027, the rest in 3 parts until 8 May 2027` */
export function deliveryWords({ sale, figures }: SaleWords, { vesting }: Terms): string {
  const { tgeAt, tgeBps, cliffSeconds, periodSeconds, periods } = vesting
  const first = figures.dayOf(tgeAt * 1000)
  if (tgeBps === 10_000 || periods === 0) return sale.deliveryAll(first)
  const last = figures.dayOf((tgeAt + cliffSeconds + periods * periodSeconds) * 1000)
  const rest = periods === 1 ? sale.deliveryRestOnce(last) : sale.deliveryRestParts(periods, last)
  if (tgeBps === 0) return sale.deliveryFrom(rest, first)
  return sale.deliveryFirst(figures.share(BigInt(tgeBps), 10_000n), first, rest)
}
