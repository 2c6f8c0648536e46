/** Formats amounts, times and lists in a language. */
import { type BaseUnits, creditDecimals, formatAmount } from '../../../events/values/amount.ts'
import { unprovedMint } from '../../../events/sale/terms/knownMints.ts'
import { averagePrice, curveOf } from '../../../events/sale/price.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import type { Language } from '../../texts/language.tsx'
import { type Numbers, numbersIn } from '../../texts/numbers.ts'
import type { SaleTexts } from '../../texts/sale/en.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** The asset of network fees, for every order. */
export const sol = { symbol: 'SOL', decimals: 9 }

type Units = BaseUnits | bigint

/** Formats of one language. */
export type Figures = Pick<Numbers, 'amount' | 'percent'> & {
  /** `$163,587.50`, always with cents */
  exactDollars(credits: Units, round?: 'floor' | 'ceil'): string
  /** Its whole part, and the cents with their point, as they are set. */
  dollarParts(credits: BaseUnits): { text: string; isCents: boolean }[]
  /** `$150,000`, or with cents where there are any */
  dollars(credits: Units): string
  /** `$200k`, `$1.5M`, or in full if shortening would lose digits */
  shortDollars(credits: BaseUnits): string
  /** a price per whole token: `$0.0012` */
  price(credits: Units): string
  /** a price that is decimal text already */
  priceText(decimal: string): string
  /** token base units with at most three decimals, rounded down: `333,333.333` */
  tokens(units: Units, terms: Terms, maxDecimals?: number): string
  /** base units of an asset in full: `2.500006 SOL` */
  paid(units: Units, asset: Pick<TermsAsset, 'symbol' | 'decimals'>): string
  /** like `paid`, with the asset `named` */
  paidNamed(units: Units, asset: TermsAsset, terms: Pick<Terms, 'cluster'>): string
  /** `$0.00096`, the average cost of one whole token; empty for none */
  averageOf(terms: Terms, credits: bigint, units: bigint): string
  /** `31 Jan 2027` @param at ms */
  dayOf(at: number): string
  /** `31 Jan 2027, 00:00 UTC` @param at ms */
  momentOf(at: number): string
  /** the largest unit that fits, rounded down: `2 min`, `41 s`, `3 h`, `12 d` */
  spanOf(ms: number): string
  /** `value` of `total`, rounded down: `45.4%` */
  share(value: bigint, total: bigint): string
  /** `Cuba, Iran or the United States` for ISO codes of regions; empty for none */
  regions(codes: readonly string[]): string
}

/** @returns the formats of a language, with its texts about the sale */
export function figuresIn(language: Language, texts: SaleTexts): Figures {
  const numbers = numbersIn(language)
  const cents = { maxDecimals: 2, minDecimals: 2 }
  const dayOf = (at: number) => numbers.day(at)
  const momentOf = (at: number) => texts.moment(dayOf(at), timeText(at))
  const price = (credits: Units) => numbers.money(credits.toString())
  const dollars = (credits: Units) =>
    BigInt(credits) % 10n ** BigInt(creditDecimals) < 10n ** BigInt(creditDecimals - 2)
      ? numbers.money(credits.toString(), { maxDecimals: 0 })
      : numbers.money(credits.toString(), cents)
  const paid = (units: Units, { symbol, decimals }: Pick<TermsAsset, 'symbol' | 'decimals'>) =>
    `${numbers.amount(units.toString(), decimals)} ${symbol}`
  return {
    amount: numbers.amount,
    percent: numbers.percent,
    exactDollars: (credits, round = 'floor') => numbers.money(credits.toString(), { ...cents, round }),
    dollarParts: credits =>
      numbers.moneyParts(credits, cents).map(({ type, value }) => ({
        text: value,
        isCents: type === 'decimal' || type === 'fraction',
      })),
    dollars,
    shortDollars(credits) {
      const whole = BigInt(credits) / 10n ** BigInt(creditDecimals)
      const isShort = (whole >= 1_000_000n && whole % 100_000n === 0n) || (whole >= 1000n && whole % 1000n === 0n)
      return isShort ? numbers.shortMoney(whole) : dollars(credits)
    },
    price,
    priceText: numbers.moneyText,
    tokens: (units, terms, maxDecimals = 3) => numbers.amount(units.toString(), terms.token.decimals, { maxDecimals }),
    paid,
    paidNamed: (units, asset, terms) => paid(units, { symbol: named(asset, terms), decimals: asset.decimals }),
    averageOf: (terms, credits, units) =>
      units > 0n && credits > 0n ? numbers.moneyText(averagePrice(curveOf(terms), credits, units)) : '',
    dayOf,
    momentOf,
    spanOf(ms) {
      const span = Math.max(0, ms)
      if (span < minute) return texts.seconds(Math.floor(span / second))
      if (span < hour) return texts.minutes(Math.floor(span / minute))
      return span < 2 * day ? texts.hours(Math.floor(span / hour)) : texts.days(Math.floor(span / day))
    },
    share: (value, total) =>
      numbers.percent(formatAmount((total > 0n ? (value * 1000n) / total : 0n).toString(), 3, { group: false })),
    regions: codes => (codes.length > 0 ? texts.oneOf(numbers.regions(codes)) : ''),
  }
}

/** @returns `USDC`, or `USDC (4zMM…cDU)` where only the mint identifies the token */
export function named(asset: TermsAsset, terms: Pick<Terms, 'cluster'>): string {
  const mint = unprovedMint(terms, asset)
  return mint === undefined ? asset.symbol : `${asset.symbol} (${shortAddress(mint)})`
}

/** @returns `09:40` @param at ms */
export function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 16)
}
/** @returns `09:40:12` @param at ms */
export function secondsText(at: number): string {
  return new Date(at).toISOString().slice(11, 19)
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
