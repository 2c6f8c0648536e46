/**
 * Fewest lamports a Solana account without data can hold, unless it holds none: rent exemption, which is two years of 3,480
 * lamports a byte for 128 bytes of overhead.
 *
 * @see Agave `solana-rent`: `DEFAULT_LAMPORTS_PER_BYTE_YEAR`, `DEFAULT_EXEMPTION_THRESHOLD`, `ACCOUNT_STORAGE_OVERHEAD`
 */
export const rentMinimum = 890_880n
