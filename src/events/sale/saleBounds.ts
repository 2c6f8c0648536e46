/** Limits, from a sale's terms, at which the core's decisions change: a stand-in stays on its value's side of each. */
import { type Curve, curveOf } from './price.ts'
import type { Terms } from './terms/termsShape.ts'

export type SaleBounds = {
  /** chain times at which the sale begins, ends or changes its stage, ms, ascending */
  times: readonly number[]
  /** fewest and most base units an order may pay, by asset symbol */
  paid: ReadonlyMap<string, { least: bigint; most: bigint }>
  /** most that the treasury may hold of each asset, by symbol; the whole sale in credits and tokens, by field */
  totals: ReadonlyMap<string, bigint>
  /** token base units that every order gets at least */
  leastTokens: bigint
  /** the position from which on everything is sold */
  soldOutAt?: bigint
  /** the curve, credits of one base unit by asset symbol, and most credits of an order */
  prices?: { curve: Curve; rates: ReadonlyMap<string, bigint>; mostCredits: bigint }
}

/** @param all terms in the order in which they were read; the times are of all, other limits of the last */
export function saleBounds(all: readonly Terms[]): SaleBounds {
  const times = all.flatMap(({ start, end, stages }) => [start, end, ...stages.flatMap(({ endsAt }) => endsAt ?? [])])
  const terms = all.at(-1)
  const totals = new Map<string, bigint>()
  const paid = new Map<string, { least: bigint; most: bigint }>()
  const rates = new Map<string, bigint>()
  if (!terms) return { times: [], paid, totals, leastTokens: 1_000_000_000n }
  const curve = curveOf(terms)
  for (const { symbol, creditsPerUnit } of terms.assets) {
    const rate = BigInt(creditsPerUnit)
    const least = (BigInt(terms.minOrder) + rate - 1n) / rate
    rates.set(symbol, rate)
    paid.set(symbol, { least, most: BigInt(terms.maxBuyer) / rate })
    totals.set(symbol, curve.hardCap / rate / BigInt(terms.assets.length))
  }
  for (const name of ['raised', 'pos']) totals.set(name, curve.hardCap)
  totals.set('tokens', curve.tokens)
  const dearest = curve.stages.reduce((most, { price }) => (price > most ? price : most), 1n)
  const leastTokens = (BigInt(terms.minOrder) * curve.whole) / dearest
  const finest = [...rates.values()].reduce((least, rate) => (rate < least ? rate : least))
  return {
    times: [...new Set(times)].sort((a, b) => a - b).map(time => time * 1000),
    paid,
    totals,
    leastTokens,
    soldOutAt: curve.hardCap - finest + 1n,
    prices: { curve, rates, mostCredits: BigInt(terms.maxBuyer) },
  }
}
