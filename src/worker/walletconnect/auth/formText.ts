import { Fault } from '../../../events/failure.ts'
import { fromUtf8, toUtf8 } from '../crypto/encoding.ts'

/**
 * Form encoding (`application/x-www-form-urlencoded`, WHATWG URL §5) of query values, without a browser's help:
 * letters, digits and `*-._` stand, a blank is `+`, everything else is percent-encoded UTF-8.
 */

/** @returns a value fit for a query; half a surrogate pair becomes U+FFFD; never fails */
function toForm(value: string): string {
  const percent = (char: string) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`
  return encodeURIComponent(fromUtf8(toUtf8(value)))
    .replace(/[!'()~]/g, percent)
    .replace(/%20/g, '+')
}

/**
 * @param name what is read, for the sentence
 * @throws Fault `bad_input` when a percent sign stands before no hex, the bytes are no UTF-8, or the text is none itself
 */
export function fromForm(value: string, name: string): string {
  if (/\p{Surrogate}/u.test(value)) throw new Fault('bad_input', `${name} expected text, got half a character`)
  try {
    return decodeURIComponent(value.replace(/\+/g, ' '))
  } catch {
    throw new Fault('bad_input', `${name} expected form encoding, got a broken percent sign`)
  }
}

/** @returns `a=1&b=2` with the names sorted; absent values are left out */
export function toQuery(values: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(values)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${toForm(name)}=${toForm(value)}`)
    .join('&')
}
