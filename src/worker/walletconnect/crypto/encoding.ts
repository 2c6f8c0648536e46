import { Fault } from '../../../runtime/failure.ts'
import { decode64, standard, valuesOf } from './base64.ts'

/**
 * Text encodings of bytes, as WalletConnect writes them. Base64 decoding is a file of its own, as chain answers need it
 * first.
 */

const urlSafe = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const urlSafeValues = valuesOf(urlSafe)
const standardCodes = toUtf8(standard)
const urlSafeCodes = toUtf8(urlSafe)

/**
 * @param text hex without prefix, either case, an even number of digits
 * @param name names the text in the error; the text itself may be a key and is never quoted
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
  const text = encode64(bytes, standardCodes)
  return text + '='.repeat((4 - (text.length % 4)) % 4)
}

/** @returns base64url without padding (RFC 4648 §5) */
export function toBase64url(bytes: Uint8Array): string {
  return encode64(bytes, urlSafeCodes)
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

/** @throws Fault `bad_input` when the bytes are not UTF-8; a byte order mark is preserved */
export function fromUtf8(bytes: Uint8Array, name = 'text'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Fault('bad_input', `${name} expected UTF-8, got ${bytes.length} bytes that are not`)
  }
}

/** Turns a decoder's `bad_input` into `bad_response`: the text came from the peer. */
export function asResponse<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof Fault ? new Fault('bad_response', cause.message) : cause
  }
}

function hexValue(code: number, name: string): number {
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw new Fault('bad_input', `${name} expected hex digits, got another character`)
}

function encode64(bytes: Uint8Array, alphabet: Uint8Array): string {
  const codes = new Uint8Array(Math.ceil((bytes.length * 4) / 3))
  const codeOf = (value: number) => alphabet[value & 63] ?? 0
  const whole = bytes.length - (bytes.length % 3)
  let to = 0
  for (let from = 0; from < whole; from += 3) {
    const group = ((bytes[from] ?? 0) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0)
    codes[to++] = codeOf(group >> 18)
    codes[to++] = codeOf(group >> 12)
    codes[to++] = codeOf(group >> 6)
    codes[to++] = codeOf(group)
  }
  if (whole < bytes.length) {
    const group = ((bytes[whole] ?? 0) << 16) | ((bytes[whole + 1] ?? 0) << 8)
    codes[to++] = codeOf(group >> 18)
    codes[to++] = codeOf(group >> 12)
    if (whole + 1 < bytes.length) codes[to] = codeOf(group >> 6)
  }
  return textOf(codes)
}

const ascii = /* @__PURE__ */ new TextDecoder()

/** @returns the text of these ASCII codes, as one flat string */
function textOf(codes: Uint8Array): string {
  return ascii.decode(codes)
}
