/**
 * Base58 as Bitcoin and Solana write keys, hashes and signatures.
 * The work grows with the square of the length, so both directions refuse long input instead of hanging on it.
 */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longest text that is decoded, in characters: more than a whole Solana transaction (1232 bytes) needs. */
export const maxBase58Length = 2048

/** @returns the bytes, or undefined when a character is outside the alphabet or the text is longer than 2048 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > maxBase58Length) return undefined
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros += 1
  // Little-endian bytes of the number read so far.
  const digits: number[] = []
  for (let i = zeros; i < text.length; i += 1) {
    let carry = alphabet.indexOf(text.charAt(i))
    if (carry < 0) return undefined
    for (let j = 0; j < digits.length; j += 1) {
      carry += (digits[j] ?? 0) * 58
      digits[j] = carry & 0xff
      carry >>= 8
    }
    while (carry > 0) {
      digits.push(carry & 0xff)
      carry >>= 8
    }
  }
  const bytes = new Uint8Array(zeros + digits.length)
  for (let i = 0; i < digits.length; i += 1) bytes[zeros + i] = digits[digits.length - 1 - i] ?? 0
  return bytes
}

/** @returns the text of `bytes`; each leading zero byte becomes one leading `1` */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1
  const digits: number[] = []
  for (let i = zeros; i < bytes.length; i += 1) {
    let carry = bytes[i] ?? 0
    for (let j = 0; j < digits.length; j += 1) {
      carry += (digits[j] ?? 0) << 8
      digits[j] = carry % 58
      carry = (carry / 58) | 0
    }
    while (carry > 0) {
      digits.push(carry % 58)
      carry = (carry / 58) | 0
    }
  }
  let text = '1'.repeat(zeros)
  for (let i = digits.length - 1; i >= 0; i -= 1) text += alphabet.charAt(digits[i] ?? 0)
  return text
}
