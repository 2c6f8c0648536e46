/**
 * What a transaction may compute and what that costs, in exact whole numbers.
 * @see reference "Presale", §6 and §9
 */

export const lamportsPerSignature = 5_000n
/** Lamports paid for priority at most. */
export const maxPriorityFee = 500_000n
export const minComputeLimit = 20_000
export const maxComputeLimit = 200_000
/** Assumed where the true use is not known. */
export const fallbackComputeLimit = 120_000

/** @returns the compute limit for a transaction that used `consumed` units when tried out */
export function computeLimit(consumed: number): number {
  const wanted = Math.ceil((consumed * 115) / 100) + 2000
  return Math.min(Math.max(wanted, minComputeLimit), maxComputeLimit)
}

/**
 * @param recent µlamports a unit that others paid lately
 * @returns the smallest of them that three quarters of them do not exceed, 0 without any
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

/** @returns lamports that a transaction with one signature costs */
export function feeOf(limit: number, price: bigint): bigint {
  return lamportsPerSignature + (BigInt(limit) * price + 999_999n) / 1_000_000n
}
