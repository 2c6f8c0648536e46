/** Delivery of the tokens, from the terms. */
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { dayOf, percent } from './figures.ts'

/** @returns `25% on 7 Feb 2027, the rest in 3 parts until 8 May 2027` */
export function deliveryWords({ vesting }: Terms): string {
  const { tgeAt, tgeBps, cliffSeconds, periodSeconds, periods } = vesting
  const first = dayOf(tgeAt * 1000)
  if (tgeBps === 10_000 || periods === 0) return `all of it on ${first}`
  const last = dayOf((tgeAt + cliffSeconds + periods * periodSeconds) * 1000)
  const rest = periods === 1 ? `on ${last}` : `in ${periods} parts until ${last}`
  return tgeBps === 0 ? `${rest}, from ${first}` : `${percent(BigInt(tgeBps), 10_000n)} on ${first}, the rest ${rest}`
}
