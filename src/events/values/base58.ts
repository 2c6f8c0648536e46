/**
 * Base58 as Bitcoin and Solana write keys, hashes and signatures.
 * The work grows with the square of the length, so decoding refuses long input instead of hanging on it.
 */
const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Longest text that is decoded, in characters: more than a whole Solana transaction (1232 bytes) needs. */
const maxBase58Length = 2048

/** @returns the bytes, or undefined when a character is outside the alphabet or the text is longer than 2048 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > maxBase58Length) return undefined
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros += 1
  // The number read so far in limbs of three bytes, least first: a limb times 58 still fits 31 bits.
  const limbs: number[] = []
  for (let i = zeros; i < text.length; i += 1) {
    let carry = alphabet.indexOf(text.charAt(i))
    if (carry < 0) return undefined
    for (let j = 0; j < limbs.length; j += 1) {
      carry += (limbs[j] ?? 0) * 58
      limbs[j] = carry & 0xffffff
      carry >>>= 24
    }
    if (carry > 0) limbs.push(carry)
  }
  const last = limbs.at(-1) ?? 0
  const length = limbs.length * 3 - (last === 0 ? 0 : last < 0x100 ? 2 : last < 0x10000 ? 1 : 0)
  const bytes = new Uint8Array(zeros + length)
  for (let i = 0; i < length; i += 1) {
    bytes[bytes.length - 1 - i] = (limbs[Math.floor(i / 3)] ?? 0) >>> ((i % 3) * 8)
  }
  return bytes
}

/** @returns the text of `bytes`; each leading zero byte becomes one leading `1` */
export function encodeBase58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros += 1
  // Limbs of five digits, least first: a limb times 256 stays exact in a double.
  const base = 58 ** 5
  const limbs: number[] = []
  for (let i = zeros; i < bytes.length; i += 1) {
    let carry = bytes[i] ?? 0
    for (let j = 0; j < limbs.length; j += 1) {
      const value = (limbs[j] ?? 0) * 256 + carry
      carry = Math.floor(value / base)
      limbs[j] = value - carry * base
    }
    if (carry > 0) limbs.push(carry)
  }
  let text = ''
  limbs.forEach((limb, index) => {
    let rest = limb
    const most = index === limbs.length - 1
    for (let digit = 0; digit < 5 && (rest > 0 || !most); digit += 1) {
      text = alphabet.charAt(rest % 58) + text
      rest = Math.floor(rest / 58)
    }
  })
  return '1'.repeat(zeros) + text
}
