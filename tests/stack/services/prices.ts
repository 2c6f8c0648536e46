/** Prices in millionths of a dollar, by symbol. A token without an entry has the price 0. */
const base: Record<string, bigint> = {
  SOL: 160_000_000n,
  WSOL: 160_000_000n,
  ETH: 2_456_100_000n,
  POL: 412_000n,
  USDC: 1_000_000n,
  USDT: 1_000_000n,
  DAI: 1_000_000n,
}
const stable = ['USDC', 'USDT', 'DAI']

/** Millionths of a unit of each currency for one dollar. */
const rates: Record<string, bigint> = {
  usd: 1_000_000n,
  eur: 920_000n,
  gbp: 790_000n,
  aud: 1_520_000n,
  cad: 1_370_000n,
  inr: 83_500_000n,
  jpy: 151_000_000n,
  btc: 15n,
  eth: 407n,
}

export const isCurrency = (text: unknown): text is string => typeof text === 'string' && Object.hasOwn(rates, text)

const stepMs = 15_000
const steps = 480
const amplitude = 120
const scale = 6_000

/**
 * The price of one whole token, in millionths of the currency. It moves every 15 s, up and down by 2 % within two hours; stable
 * coins stand still.
 */
export function priceOf(symbol: string, nowMs: number, currency = 'usd'): bigint {
  const step = Math.floor(nowMs / stepMs) % steps
  const swing = Math.min(step, steps - step) - amplitude
  const dollars = Object.hasOwn(base, symbol) ? (base[symbol] as bigint) : 0n
  const moved = stable.includes(symbol) ? dollars : (dollars * BigInt(scale + swing)) / BigInt(scale)
  return (moved * (rates[currency] ?? 0n)) / 1_000_000n
}

/** The value of base units, in millionths of the price's currency, rounded down. */
export const valueOf = (amount: bigint, decimals: number, price: bigint): bigint =>
  (amount * price) / 10n ** BigInt(decimals)

/** Millionths as the JSON number that the wire has. */
export const onWire = (millionths: bigint): number => Number(millionths) / 1_000_000
