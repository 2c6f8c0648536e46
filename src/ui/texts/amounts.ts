/** Amounts in the separators of a language. Exact: decimal text goes in, no float. */
import { type AmountFormat, type BaseUnits, formatAmount } from '../../events/values/amount.ts'
import type { Language } from './language.tsx'

export type Decimal = `${number}`

/** @returns the language's locale: Arabic with the digits that wallets and addresses have */
export function localeOf(language: Language): string {
  return language === 'ar' ? 'ar-u-nu-latn' : language
}

/** Digits after the point of a balance. Rounded down, so that no balance appears larger than it is. */
export const balanceDecimals = 3

/** @returns the number of digits after the point, at most the 20 that every engine formats */
export function fractionDigits(text: string): number {
  return Math.min(text.split('.')[1]?.length ?? 0, 20)
}

/** @returns the function that writes decimal text in a language: `1,234.5` for `1234.5`; an empty text stays empty */
export function decimalsIn(language: Language) {
  const formats = new Map<number, Intl.NumberFormat>()
  return (text: string): string => {
    if (text === '') return ''
    const digits = fractionDigits(text)
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits }
    const format = formats.get(digits) ?? new Intl.NumberFormat(localeOf(language), fraction)
    formats.set(digits, format)
    return format.format(text as Decimal)
  }
}

/** @returns the function that writes whole numbers in a language: `1,234` */
export function countsIn(language: Language): (count: number) => string {
  let format: Intl.NumberFormat | undefined
  return count => {
    format ??= new Intl.NumberFormat(localeOf(language))
    return format.format(count)
  }
}

/** @returns the function that writes base units in a language: `1,234.5` */
export function amountsIn(language: Language) {
  const written = decimalsIn(language)
  return (units: BaseUnits, decimals: number, options: Omit<AmountFormat, 'group'> = {}): string =>
    written(formatAmount(units, decimals, { ...options, group: false }))
}
