/**
 * Compute limits and fees, in exact integers.
 * @see reference "Presale", §6 and §9
 */
import { lamportsPerSignature, maxPriorityFee } from '../../events/values/solana/fees.ts'

export const minComputeLimit = 20_000
export const maxComputeLimit = 200_000
/** The chain's own limit: for a transaction that `maxComputeLimit` was too low for. */
export const raisedComputeLimit = 1_400_000
/** Used when the simulation gives no units. */
export const fallbackComputeLimit = 120_000

/**
 * @param most units that the kind of transaction may have
 * @returns the compute limit of a transaction whose simulation consumed `consumed` units
 */
export function computeLimit(consumed: number, most = maxComputeLimit): number {
  const wanted = Math.ceil((consumed * 115) / 100) + 2000
  return Math.min(Math.max(wanted, minComputeLimit), most)
}

/**
 * @param recent µlamports a unit that others paid recently
 * @returns their 75th percentile, 0 when there are none
 */
export function priorityPrice(recent: readonly number[]): bigint {
  const sorted = [...recent].sort((a, b) => a - b)
  return BigInt(sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0)
}

/** @returns the price, lowered so that `limit` units cost at most `maxPriorityFee` */
export function cappedPrice(price: bigint, limit: number): bigint {
  const highest = (maxPriorityFee * 1_000_000n) / BigInt(limit)
  return price < highest ? price : highest
}

/** @returns total fee of a transaction with one signature, lamports */
export function feeOf(limit: number, price: bigint): bigint {
  return lamportsPerSignature + (BigInt(limit) * price + 999_999n) / 1_000_000n
}
