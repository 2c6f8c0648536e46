/** Decimals of SOL. */
export const solDecimals = 9
/** Fee of a transaction with one signature, lamports. */
export const lamportsPerSignature = 5_000n
/** Highest priority fee, lamports: prices of the chain's rush hours end here. */
export const maxPriorityFee = 500_000n
/** Fee of one signature and a purchase's compute budget, lamports: the page shows it until an order is built. */
export const feeEstimate = 6_000n
/** Fees differ from day to day: a purchase may cost this many times the one shown before the person is asked again. */
const feeSpread = 3n

/** @returns the highest fee that needs no other press, where `shown` was shown; lamports */
export function mostFeeOf(shown: bigint): bigint {
  return shown * feeSpread
}
