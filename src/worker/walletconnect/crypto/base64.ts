import { Fault } from '../../../runtime/failure.ts'

/**
 * Base64 decoding, strict and canonical: each byte string has one text, every other text is refused.
 * Envelopes need this: if spare bits or missing padding were accepted, a relay could change an envelope's text and hash
 * without changing its content, and a replay would pass deduplication by hash.
 */

/** The standard alphabet (RFC 4648 §4). */
export const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const standardValues = valuesOf(standard)

/**
 * @param text base64, standard alphabet, padding required, spare bits zero
 * @throws Fault `bad_input`
 */
export function fromBase64(text: string, name = 'base64 text'): Uint8Array {
  if (text.length % 4 !== 0) {
    throw new Fault('bad_input', `${name} expected base64 in groups of 4, got ${text.length} characters`)
  }
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return decode64(text.slice(0, text.length - padding), standardValues, name)
}

/** @returns the value of each character code of an alphabet, -1 for others */
export function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1)
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i
  return values
}

/**
 * @param text without padding, spare bits zero
 * @throws Fault `bad_input`
 */
export function decode64(text: string, values: Int8Array, name: string): Uint8Array {
  const rest = text.length % 4
  if (rest === 1)
    throw new Fault('bad_input', `${name} expected base64, got a length of ${text.length} that no bytes give`)
  const valueAt = (at: number) => values[text.charCodeAt(at)] ?? -1
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  const whole = text.length - rest
  let to = 0
  for (let at = 0; at < whole; at += 4) {
    // One invalid character (-1) makes the whole group negative
    const group = (valueAt(at) << 18) | (valueAt(at + 1) << 12) | (valueAt(at + 2) << 6) | valueAt(at + 3)
    if (group < 0) throw strange(text, values, name)
    bytes[to++] = group >> 16
    bytes[to++] = group >> 8
    bytes[to++] = group
  }
  if (rest === 0) return bytes
  const last = (valueAt(whole) << 12) | (valueAt(whole + 1) << 6) | (rest === 3 ? valueAt(whole + 2) : 0)
  if (last < 0) throw strange(text, values, name)
  if ((last & (rest === 3 ? 3 : 1023)) !== 0)
    throw new Fault('bad_input', `${name} expected base64 with zero spare bits`)
  bytes[to++] = last >> 10
  if (rest === 3) bytes[to] = last >> 2
  return bytes
}

function strange(text: string, values: Int8Array, name: string): Fault {
  const at = Array.from(text, (_, index) => values[text.charCodeAt(index)] ?? -1).findIndex(value => value < 0)
  return new Fault('bad_input', `${name} expected base64, got another character at position ${at}`)
}
