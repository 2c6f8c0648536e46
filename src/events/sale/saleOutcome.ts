import type { Terms } from './terms/termsShape.ts'
import { curveOf, stageAt } from './price.ts'

/** A sale that is over succeeded or failed; after a failure every accepted amount is owed back. */
export type SaleOutcome = 'open' | 'success' | 'failed'

/**
 * Applies the success rule: a sale is over at its end, when everything is sold or forfeited, or when its authority closed it.
 *
 * @param sale `pos` and `raised` in credits; `seconds` is chain time, Unix seconds
 * @see reference "Presale", §7
 */
export function saleOutcomeOf(
  terms: Terms,
  sale: { pos: bigint; raised: bigint; closed: boolean; seconds: number },
): SaleOutcome {
  // The last stage's time may be up before any order moves the position
  const isOver = sale.closed || sale.seconds >= terms.end || !stageAt(curveOf(terms), sale.pos, sale.seconds).stage
  if (!isOver) return 'open'
  return sale.raised >= BigInt(terms.softCap) ? 'success' : 'failed'
}
