import { Fault } from '../../events/failure.ts'

/**
 * Text forms of bytes. Decoding is strict and canonical: one text for one byte string, everything else is refused.
 * That matters for envelopes: if spare bits or missing padding were forgiven, a relay could change an envelope's text,
 * and so its hash, without changing what it opens to, and dedupe by hash would let a repeat through.
 */

const standard = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const urlSafe = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const hexDigits = '0123456789abcdef'

const standardValues = valuesOf(standard)
const urlSafeValues = valuesOf(urlSafe)

/** @returns lower-case hex without prefix, two digits a byte */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += hexDigits.charAt(byte >> 4) + hexDigits.charAt(byte & 15)
  return text
}

/**
 * @param text hex without prefix, either case, an even number of digits
 * @param name what the text is, for the sentence; the text itself may be a key and is never repeated
 * @throws Fault `bad_input`
 */
export function fromHex(text: string, name = 'hex text'): Uint8Array {
  if (text.length % 2 !== 0)
    throw new Fault('bad_input', `${name} expected an even number of digits, got ${text.length}`)
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (hexValue(text.charCodeAt(2 * i), name) << 4) | hexValue(text.charCodeAt(2 * i + 1), name)
  }
  return bytes
}

/** @returns base64, standard alphabet, padded (RFC 4648 §4) */
export function toBase64(bytes: Uint8Array): string {
  const text = encode64(bytes, standard)
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

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

/** @returns base64url without padding (RFC 4648 §5) */
export function toBase64url(bytes: Uint8Array): string {
  return encode64(bytes, urlSafe)
}

/**
 * @param text base64url without padding, spare bits zero
 * @throws Fault `bad_input`
 */
export function fromBase64url(text: string, name = 'base64url text'): Uint8Array {
  return decode64(text, urlSafeValues, name)
}

/** @returns the UTF-8 bytes of a text */
export function toUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** @throws Fault `bad_input` when the bytes are no UTF-8; a byte order mark is kept as what it is */
export function fromUtf8(bytes: Uint8Array, name = 'text'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Fault('bad_input', `${name} expected UTF-8, got ${bytes.length} bytes that are not`)
  }
}

function valuesOf(alphabet: string): Int8Array {
  const values = new Int8Array(128).fill(-1)
  for (let i = 0; i < alphabet.length; i++) values[alphabet.charCodeAt(i)] = i
  return values
}

function hexValue(code: number, name: string): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw new Fault('bad_input', `${name} expected hex digits, got another character`)
}

function encode64(bytes: Uint8Array, alphabet: string): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const left = bytes.length - i
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63)
    if (left > 1) text += alphabet.charAt((group >> 6) & 63)
    if (left > 2) text += alphabet.charAt(group & 63)
  }
  return text
}

function decode64(text: string, values: Int8Array, name: string): Uint8Array {
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
