/** Formats amounts, times and lists. Independent of the locale, so that a replay shows the same text. */
import { type BaseUnits, creditDecimals, formatAmount, formatDollars } from '../../../events/values/amount.ts'
import { unprovedMint } from '../../../events/sale/terms/knownMints.ts'
import { averagePrice, curveOf } from '../../../events/sale/price.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { shortAddress } from '../../../events/values/shortAddress.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** @returns `$163,587.50`, always with cents */
export function exactDollars(credits: BaseUnits | bigint, round: 'floor' | 'ceil' = 'floor'): string {
  const { whole, cents } = formatDollars(credits.toString(), round)
  return `$${whole}.${cents}`
}

/** @returns `$150,000`, or with cents where there are any */
export function dollars(credits: BaseUnits | bigint): string {
  return exactDollars(credits).replace(/\.00$/, '')
}

/** @returns `$200k`, `$1.5M`, or in full if shortening would lose digits */
export function shortDollars(credits: BaseUnits): string {
  const whole = BigInt(credits) / 10n ** BigInt(creditDecimals)
  if (whole >= 1_000_000n && whole % 100_000n === 0n) return `$${formatAmount(whole.toString(), 6)}M`
  if (whole >= 1000n && whole % 1000n === 0n) return `$${whole / 1000n}k`
  return dollars(credits)
}

/** @returns a price per whole token: `$0.0012` */
export function price(credits: BaseUnits | bigint): string {
  return `$${formatAmount(credits.toString(), creditDecimals)}`
}

/** @returns token base units with at most three decimals, rounded down: `333,333.333` */
export function tokens(units: BaseUnits | bigint, terms: Terms, maxDecimals = 3): string {
  return formatAmount(units.toString(), terms.token.decimals, { maxDecimals })
}

/** @returns base units of an asset in full: `2.500006 SOL` */
export function paid(units: BaseUnits | bigint, asset: Pick<TermsAsset, 'symbol' | 'decimals'>): string {
  return `${formatAmount(units.toString(), asset.decimals)} ${asset.symbol}`
}

/** The asset of network fees, for every order. */
export const sol = { symbol: 'SOL', decimals: 9 }

/** @returns `USDC`, or `USDC (4zMM…cDU)` where only the mint identifies the token */
export function named(asset: TermsAsset, terms: Pick<Terms, 'cluster'>): string {
  const mint = unprovedMint(terms, asset)
  return mint === undefined ? asset.symbol : `${asset.symbol} (${shortAddress(mint)})`
}

/** @returns like `paid`, with the asset `named` */
export function paidNamed(units: BaseUnits | bigint, asset: TermsAsset, terms: Pick<Terms, 'cluster'>): string {
  return paid(units, { symbol: named(asset, terms), decimals: asset.decimals })
}

/** @returns `31 Jan 2027` @param at ms */
export function dayOf(at: number): string {
  const date = new Date(at)
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`
}
/** @returns `09:40` @param at ms */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 16)
}
/** @returns `09:40:12` @param at ms */
export function secondsText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
}
/** @returns `31 Jan 2027, 00:00 UTC` @param at ms */
export function momentOf(at: number): string {
  return `${dayOf(at)}, ${timeText(at)} UTC`
}

/** @returns the largest unit that fits, rounded down: `2 min`, `41 s`, `3 h`, `12 d` */
export function spanOf(ms: number): string {
  const span = Math.max(0, ms)
  if (span < minute) return `${Math.floor(span / second)} s`
  if (span < hour) return `${Math.floor(span / minute)} min`
  return span < 2 * day ? `${Math.floor(span / hour)} h` : `${Math.floor(span / day)} d`
}

type TimeLeft = { days: number; hours: number; minutes: number; seconds: number }
/** @returns the parts of `ms`, a started second counted whole; zero for none */
export function timeLeft(ms: number): TimeLeft {
  const left = Math.max(0, Math.ceil(ms / second)) * second
  return {
    days: Math.floor(left / day),
    hours: Math.floor((left % day) / hour),
    minutes: Math.floor((left % hour) / minute),
    seconds: Math.floor((left % minute) / second),
  }
}

/** @returns `value` of `total` in percent, for widths of drawings only; 0 without a total */
export function share(value: bigint, total: bigint): number {
  return total > 0n ? Number((value * 100_000n) / total) / 1000 : 0
}

/** @returns `45.4%`, rounded down */
export function percent(value: bigint, total: bigint): string {
  const tenths = total > 0n ? (value * 1000n) / total : 0n
  return `${formatAmount(tenths.toString(), 1)}%`
}

/** @returns `Cuba, Iran or the United States` for ISO codes of regions; empty for none */
export function regions(codes: readonly string[]): string {
  const known = new Intl.DisplayNames('en', { type: 'region' })
  const named = codes.map(code => {
    const name = known.of(code) ?? code
    return name.startsWith('United') ? `the ${name}` : name
  })
  const last = named.pop()
  return named.length > 0 ? `${named.join(', ')} or ${last}` : (last ?? '')
}

/** @returns `$0.00096`, the average cost of one whole token; empty for none */
export function averageOf(terms: Terms, credits: bigint, units: bigint): string {
  return units > 0n && credits > 0n ? `$${averagePrice(curveOf(terms), credits, units)}` : ''
}
