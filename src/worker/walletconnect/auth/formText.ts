import { Fault } from '../../../runtime/failure.ts'
import { fromUtf8, toUtf8 } from '../crypto/encoding.ts'

/**
 * Form encoding (`application/x-www-form-urlencoded`, WHATWG URL §5) of query values without `URLSearchParams`:
 * letters, digits and `*-._` are literal, a blank is `+`, everything else is percent-encoded UTF-8.
 */

/** @returns the encoded value; half a surrogate pair becomes U+FFFD. Never throws */
function toForm(value: string): string {
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(fromUtf8(toUtf8(value)))
    .replace(/[!'()~]/g, percent)
    .replace(/%20/g, '+')
}

/**
 * @param name names the value in the error
 * @throws Fault `bad_input` on a percent sign without hex, bytes that are not UTF-8, or half a surrogate pair
 */
export function fromForm(value: string, name: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new Fault('bad_input', `${name} expected text, got half a character`)
  try {
    return decodeURIComponent(value.replace(/\+/g, ' '))
  } catch {
    throw new Fault('bad_input', `${name} expected form encoding, got a broken percent sign`)
  }
}

/** @returns `a=1&b=2`, sorted by name; undefined values are omitted */
export function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${toForm(name)}=${toForm(value)}`)
    .join('&')
}
