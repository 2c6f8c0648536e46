/** Most accounts whose readings are kept. An evicted account is read again once it is active. */
export const accountsKept = 100

/** Evicts the account that was read longest ago, beyond `accountsKept`. @param newest stays */
export function evictAccount(table: Record<string, { readAt: number }>, newest: string): void {
  const others = Object.entries(table).filter(([account]) => account !== newest)
  if (others.length < accountsKept) return
  const [oldest] = others.reduce((one, other) => (other[1].readAt < one[1].readAt ? other : one))
  delete table[oldest]
}
