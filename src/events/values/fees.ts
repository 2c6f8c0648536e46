/** Decimals of SOL. */
export const solDecimals = 9
/** Fee of a transaction with one signature, lamports. */
export const lamportsPerSignature = 5_000n
/** Highest priority fee, lamports: prices of the chain's rush hours end here. */
export const maxPriorityFee = 500_000n
