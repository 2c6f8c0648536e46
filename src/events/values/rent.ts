/** Fewest lamports a Solana account can hold, unless it holds none. */
export const rentMinimum = 890_880n
