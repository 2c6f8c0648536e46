import { Fault } from '../../runtime/failure.ts'

/**
 * Whole base units (lamports, micro-USDC, MAI base units, credits) as decimal text: no sign, no leading zero, at most 39
 * digits. Facts and the model hold this text; arithmetic goes through bigint.
 */
export type BaseUnits = string

const baseUnitsPattern = /^(0|[1-9][0-9]{0,38})$/

/** @returns whether `text` is decimal text of whole base units */
export function isBaseUnits(text: unknown): text is BaseUnits {
  return typeof text === 'string' && baseUnitsPattern.test(text)
}

/**
 * @returns the number that `units` writes
 * @throws Fault `bad_input` when it is not decimal text of whole base units
 */
export function toBigint(units: BaseUnits): bigint {
  if (!isBaseUnits(units)) {
    throw new Fault(
      'bad_input',
      `an amount expected 1 to 39 digits without sign or leading zero, got ${describe(units)}`,
    )
  }
  return BigInt(units)
}

/**
 * @returns `value` as base units
 * @throws Fault `bad_input` when it is negative or has more than 39 digits
 */
export function toUnits(value: bigint): BaseUnits {
  const text = value.toString()
  if (!baseUnitsPattern.test(text)) {
    throw new Fault('bad_input', `an amount expected 0 to 10^39 - 1 base units, got ${text.slice(0, 60)}`)
  }
  return text
}

/** Result of parsing a typed amount. `decimals` is how many digits the asset has after the point, `got` how many were typed. */
type ParsedAmount =
  | { ok: true; units: BaseUnits }
  | { ok: false; reason: 'empty' | 'not_a_number' | 'too_large' }
  | { ok: false; reason: 'too_many_decimals'; decimals: number; got: number }

/**
 * Reads an amount as a person types it: ASCII digits, at most 18 before the point, at most `decimals` after it.
 * `1e3`, `1,5`, `+1`, `01`, `.5`, `1.` and digits of other scripts are not numbers here: guessing would risk a wrong payment.
 *
 * @param decimals digits after the point that the asset knows, 9 for SOL
 */
export function parseAmount(text: string, decimals: number): ParsedAmount {
  if (text === '') return { ok: false, reason: 'empty' }
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text)
  if (!match) return { ok: false, reason: 'not_a_number' }
  const whole = match[1] ?? ''
  const fraction = match[2] ?? ''
  if (whole.length > 18) return { ok: false, reason: 'too_large' }
  if (fraction.length > decimals) return { ok: false, reason: 'too_many_decimals', decimals, got: fraction.length }
  return { ok: true, units: BigInt(whole + fraction.padEnd(decimals, '0')).toString() }
}

/** @returns the typed number with a point; one comma is a point too, unless three digits follow it, as between thousands */
export function plainNumber(text: string): string {
  const typed = text.trim()
  const pointed = /^\d*,(?:\d{0,2}|\d{4,})$/.test(typed) || /^0,\d*$/.test(typed) ? typed.replace(',', '.') : typed
  return pointed.replace(/^\./, '0.').replace(/\.$/, '')
}

/** Options of `formatAmount`. */
export type AmountFormat = {
  /** digits after the point at most; the rest is rounded; default: all the asset has */
  maxDecimals?: number
  /** digits after the point at least, filled with zeros; default 0 */
  minDecimals?: number
  /** `floor` (default) for amounts received or held, `ceil` for amounts paid */
  round?: 'floor' | 'ceil'
  /** `,` between thousands; default true; false for text that goes back into an input */
  group?: boolean
}

/**
 * Writes base units for people: `1,234.5`. Same in every language, so that a replay shows the same text.
 *
 * @param decimals digits after the point of the asset
 * @throws Fault `bad_input` when `units` is not whole base units
 */
export function formatAmount(units: BaseUnits, decimals: number, format: AmountFormat = {}): string {
  const { round = 'floor', group = true, minDecimals = 0 } = format
  const shown = Math.max(Math.min(format.maxDecimals ?? decimals, decimals), 0)
  const step = 10n ** BigInt(decimals - shown)
  const value = toBigint(units)
  const rounded = round === 'ceil' ? (value + step - 1n) / step : value / step
  const digits = rounded.toString().padStart(shown + 1, '0')
  const whole = digits.slice(0, digits.length - shown)
  const fraction = digits
    .slice(digits.length - shown)
    .replace(/0+$/, '')
    .padEnd(minDecimals, '0')
  const left = group ? groupThousands(whole) : whole
  return fraction === '' ? left : `${left}.${fraction}`
}

/** Decimals of a credit, the unit of account: 1 credit = 10^-12 US dollars. */
export const creditDecimals = 12

function groupThousands(digits: string): string {
  return digits.replace(/\B(?=(?:[0-9]{3})+$)/g, ',')
}

function describe(value: unknown): string {
  return typeof value === 'string' ? `"${value.slice(0, 60)}"` : typeof value
}

export function lesser(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

export function greater(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
