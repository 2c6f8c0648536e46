import { Fault } from '../../events/failure.ts'
import { decode64, standard, valuesOf } from './base64.ts'

/** Text forms of bytes, as WalletConnect writes them; reading base64 stands apart, for the chain's answers need it first. */

const urlSafe = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const hexDigits = '0123456789abcdef'

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
