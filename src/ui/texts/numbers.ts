/** Numbers, money and dates of a language. Exact: decimal text goes in, no float. */
import { type AmountFormat, type BaseUnits, creditDecimals, formatAmount } from '../../events/values/amount.ts'
import { amountsIn, type Decimal, fractionDigits, localeOf } from './amounts.ts'
import type { Language } from './language.tsx'

/** Formats of one language. */
export type Numbers = {
  /** @returns base units with the language's separators: `1,234.5` */
  amount: ReturnType<typeof amountsIn>
  /** The parts of `money`, as `Intl` names them. */
  moneyParts(credits: BaseUnits, format?: Omit<AmountFormat, 'group'>): Intl.NumberFormatPart[]
  /** @returns credits as dollars: `$1,234.50` */
  money(credits: BaseUnits, format?: Omit<AmountFormat, 'group'>): string
  /** @returns dollars that are decimal text already: `$0.00096` */
  moneyText(dollars: string): string
  /** The parts of `moneyText`, as `Intl` names them. */
  moneyTextParts(dollars: string): Intl.NumberFormatPart[]
  /** @returns whole dollars, shortened: `$200k` */
  shortMoney(dollars: bigint): string
  /** @param text a share of one as decimal text @returns `45.4%` */
  percent(text: string): string
  /** @returns `31 Jan 2027` @param at ms */
  day(at: number): string
  /** @returns names of regions by their ISO codes */
  regions(codes: readonly string[]): string[]
}

const known = new Map<Language, Numbers>()

/** @returns the formats of a language, made once */
export function numbersIn(language: Language): Numbers {
  const before = known.get(language)
  if (before) return before
  const made = makeNumbers(language)
  known.set(language, made)
  return made
}

const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const

function makeNumbers(language: Language): Numbers {
  const locale = localeOf(language)
  // Arabic's own form has marks of direction and letters, which part in a chart and before a figure of another size
  const moneyLocale = language === 'ar' ? 'en' : locale
  const formats = new Map<number, Intl.NumberFormat>()
  const ofText = (text: string) => {
    const digits = fractionDigits(text)
    const options = { ...dollars, minimumFractionDigits: digits, maximumFractionDigits: digits }
    const format = formats.get(digits) ?? new Intl.NumberFormat(moneyLocale, options)
    formats.set(digits, format)
    return { text: text as Decimal, format }
  }
  const credits = (units: BaseUnits, format: AmountFormat = {}) =>
    ofText(formatAmount(units, creditDecimals, { ...format, group: false }))
  let date: Intl.DateTimeFormat | undefined
  return {
    amount: amountsIn(language),
    moneyParts(units, options) {
      const { text, format } = credits(units, options)
      return format.formatToParts(text)
    },
    money(units, options) {
      const { text, format } = credits(units, options)
      return format.format(text)
    },
    moneyText(amount) {
      const { text, format } = ofText(amount)
      return format.format(text)
    },
    moneyTextParts(amount) {
      const { text, format } = ofText(amount)
      return format.formatToParts(text)
    },
    shortMoney(amount) {
      const options = { ...dollars, notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 6 } as const
      return new Intl.NumberFormat(moneyLocale, options).format(amount).replace('K', 'k')
    },
    percent: text =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(text as Decimal),
    day(at) {
      date ??= new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
      // In English the day comes first, as in the published documents
      return date.format(at).replace(/^(\w+) (\d+), (\d+)$/, '$2 $1 $3')
    },
    regions(codes) {
      const names = new Intl.DisplayNames(locale, { type: 'region' })
      return codes.map(code => names.of(code) ?? code)
    },
  }
}
