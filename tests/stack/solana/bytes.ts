import { createHash } from 'node:crypto'
import bs58 from 'bs58'

/** SHA-256 over the given parts, joined; text parts count as UTF-8. */
export function sha256(...parts: (Uint8Array | string)[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return new Uint8Array(hash.digest())
}

/** Lower-case hex of bytes. */
export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Base58 text of bytes (Bitcoin alphabet). */
export const base58 = (bytes: Uint8Array): string => bs58.encode(bytes)

/** Base64 text of bytes. */
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Bytes of base58 text, or undefined when a character is outside the alphabet or the text is over `maxLength`. */
export function fromBase58(text: string, maxLength = 2000): Uint8Array | undefined {
  if (text.length > maxLength) return undefined
  return bs58.decodeUnsafe(text)
}

/** Bytes of strict, padded base64, or undefined. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  return new Uint8Array(Buffer.from(text, 'base64'))
}

/** Unsigned little-endian bytes of a whole number; `size` is 1, 2, 4 or 8 bytes. */
export function littleEndian(value: bigint | number, size: number): Uint8Array {
  const out = new Uint8Array(size)
  let rest = BigInt.asUintN(size * 8, BigInt(value))
  for (let i = 0; i < size; i++) {
    out[i] = Number(rest & 255n)
    rest >>= 8n
  }
  return out
}

/** Reads an unsigned little-endian number of `size` bytes at `offset`; bytes past the end count as zero. */
export function readLittleEndian(bytes: Uint8Array, offset: number, size: number): bigint {
  let value = 0n
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[offset + i] ?? 0)
  return value
}

/** One array of all parts after one another. */
export function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}

/** Compact-u16: the length prefix of every list in a Solana transaction. */
export function compactLength(length: number): Uint8Array {
  const out: number[] = []
  let rest = length
  do {
    out.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0))
    rest >>= 7
  } while (rest > 0)
  return Uint8Array.from(out)
}

/**
 * JSON text that writes bigint as a plain number literal, as validators do for u64 values such as
 * 18446744073709551615, which JSON.stringify cannot.
 */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map(item => (item === undefined ? 'null' : toJson(item))).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined)
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${toJson(field)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** Canonical JSON: keys sorted by UTF-16 code unit, no white space. Takes strings, integers, booleans, null, lists, records. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`).join(',')}}`
  }
  return JSON.stringify(value)
}
