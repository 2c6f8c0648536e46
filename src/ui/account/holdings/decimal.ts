/** Arithmetic on decimal text such as `12.5`. Money is never a float. */

type Decimal = { units: bigint; scale: number }

function decimalOf(text: string): Decimal | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,78})(?:\.([0-9]{1,36}))?$/.exec(text) ?? []
  return whole === undefined ? undefined : { units: BigInt(whole + fraction), scale: fraction.length }
}

/** @returns the sum as decimal text; texts of another form count as nothing */
export function sumOf(texts: readonly string[]): string {
  const all = texts.flatMap(text => decimalOf(text) ?? [])
  const scale = Math.max(0, ...all.map(one => one.scale))
  const units = all.reduce((sum, one) => sum + one.units * 10n ** BigInt(scale - one.scale), 0n)
  return written(units, scale)
}

/** @returns the product of two numbers as decimal text; undefined when one is of another form */
export function productOf(one: string, other: string): string | undefined {
  const [a, b] = [decimalOf(one), decimalOf(other)]
  return a && b && written(a.units * b.units, a.scale + b.scale)
}

/** @returns the text with exactly this many digits after the point, rounded down; undefined when it is no decimal number */
export function floored(text: string, digits: number): string | undefined {
  const number = decimalOf(text)
  if (!number) return undefined
  const { units, scale } = number
  const kept = scale > digits ? units / 10n ** BigInt(scale - digits) : units * 10n ** BigInt(digits - scale)
  return written(kept, digits)
}

/** @returns below 0 when the first number is smaller; a text of another form is the smallest */
export function compared(one: string, other: string): number {
  const [a, b] = [decimalOf(one), decimalOf(other)]
  if (!a || !b) return Number(a !== undefined) - Number(b !== undefined)
  const [left, right] = [a.units * 10n ** BigInt(b.scale), b.units * 10n ** BigInt(a.scale)]
  return left < right ? -1 : Number(left > right)
}

/** Dollars and their two digits of cents, apart because they are shown apart. */
export type Dollars = { dollars: string; cents: string }

/** @returns a value in dollars, rounded down; undefined when it is no decimal number */
export function dollarsOf(text: string): Dollars | undefined {
  const [dollars, cents] = floored(text, 2)?.split('.') ?? []
  return dollars === undefined || cents === undefined ? undefined : { dollars, cents }
}

function written(units: bigint, scale: number): string {
  const digits = units.toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  return scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`
}
