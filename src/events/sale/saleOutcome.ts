import type { Terms } from './terms/termsShape.ts'
import { curveOf } from './price.ts'

/** A sale that is over succeeded or failed; after a failure every accepted amount is owed back. */
export type SaleOutcome = 'open' | 'success' | 'failed'

/**
 * Applies the success rule: a sale is over at its end, when everything is sold, or when its authority closed it.
 *
 * @param sale `pos` and `raised` in credits; `seconds` is chain time, Unix seconds
 * @see reference "Presale", §7
 */
export function saleOutcomeOf(
  terms: Terms,
  sale: { pos: bigint; raised: bigint; closed: boolean; seconds: number },
): SaleOutcome {
  const isOver = sale.closed || sale.seconds >= terms.end || sale.pos >= curveOf(terms).hardCap
  if (!isOver) return 'open'
  return sale.raised >= BigInt(terms.softCap) ? 'success' : 'failed'
}
