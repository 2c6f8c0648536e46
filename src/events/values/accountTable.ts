/** Most accounts whose readings are kept. An evicted account is read again once it is active. */
export const accountsKept = 100

/** Stores an account's reading; where the account is new and the table full, the one read longest ago is evicted. */
export function storeReading<R extends { readAt: number }>(
  table: Record<string, R>,
  account: string,
  reading: NoInfer<R>,
): void {
  // A known account is the usual case: looking through the table would draft every reading in it
  if (!Object.hasOwn(table, account)) evictOldest(table)
  table[account] = reading
}

function evictOldest(table: Record<string, { readAt: number }>): void {
  const all = Object.entries(table)
  if (all.length < accountsKept) return
  const [oldest] = all.reduce((one, other) => (other[1].readAt < one[1].readAt ? other : one))
  delete table[oldest]
}
