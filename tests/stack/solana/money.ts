/**
 * Base units of an amount in whole units: decimal text, or a JSON number that is written without an exponent.
 *
 * @throws Error with a sentence when the text is no amount or has more digits after the point than the unit
 */
export function baseUnits(name: string, value: unknown, decimals: number): bigint {
  if (value === undefined || value === null) return 0n
  const text = typeof value === 'number' ? String(value) : value
  const found = typeof text === 'string' ? /^(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,12}))?$/.exec(text) : null
  const fraction = found?.[2] ?? ''
  if (!found || fraction.length > decimals) {
    const got = JSON.stringify(value) ?? String(value)
    throw new Error(
      `${name} expected a decimal amount with at most ${decimals} digits after the point, got ${got.slice(0, 60)}`,
    )
  }
  return BigInt((found[1] ?? '0') + fraction.padEnd(decimals, '0'))
}
