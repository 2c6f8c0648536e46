import { Fault } from '../../events/failure.ts'

/**
 * Reading base64. Decoding is strict and canonical: one text for one byte string, everything else is refused.
 * That matters for envelopes: if spare bits or missing padding were forgiven, a relay could change an envelope's text,
 * and so its hash, without changing what it opens to, and dedupe by hash would let a repeat through.
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

/** @returns the value of each character of an alphabet by its code, -1 for all others */
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
  if (text.length % 4 === 1) {
    throw new Fault('bad_input', `${name} expected base64, got a length of ${text.length} that no bytes give`)
  }
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let group = 0
  let bits = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const value = values[text.charCodeAt(i)] ?? -1
    if (value < 0) throw new Fault('bad_input', `${name} expected base64, got another character at position ${i}`)
    group = ((group << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (group >> bits) & 255
    }
  }
  if ((group & ((1 << bits) - 1)) !== 0) throw new Fault('bad_input', `${name} expected base64 with zero spare bits`)
  return bytes
}
