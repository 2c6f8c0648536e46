/**
 * Base58 as Bitcoin and Solana write keys, hashes and signatures. The work grows with the square of the length, so that several
 * digits go at a time: 58^4 and 2^24 are the largest powers whose products a double holds exactly.
 */

/** Longest text that is decoded, in characters: more than a whole Solana transaction (1232 bytes) needs. */
const maxBase58Length = 2048

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const values = new Int8Array(128).fill(-1)
for (let value = 0; value < 58; value += 1) values[alphabet.charCodeAt(value)] = value

const fourDigits = 58 ** 4
const threeBytes = 2 ** 24

/** Multiplies a number by `factor` and adds to it. @param limbs the number in base `base`, least limb first; changes in place */
function multiplyAdd(limbs: number[], base: number, factor: number, added: number): void {
  let carry = added
  for (let at = 0; at < limbs.length; at += 1) {
    const sum = (limbs[at] as number) * factor + carry
    carry = Math.floor(sum / base)
    limbs[at] = sum - carry * base
  }
  for (; carry > 0; carry = Math.floor(carry / base)) limbs.push(carry % base)
}

/** @returns the bytes, or undefined when a character is outside the alphabet or the text is longer than 2048 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text
  if (length > maxBase58Length) return undefined
  const limbs: number[] = []
  for (let at = 0; at < length; ) {
    let [added, factor] = [0, 1]
    for (; at < length && factor < fourDigits; at += 1, factor *= 58) {
      const value = values[text.charCodeAt(at)] ?? -1
      if (value < 0) return undefined
      added = added * 58 + value
    }
    multiplyAdd(limbs, threeBytes, factor, added)
  }
  let zeros = 0
  while (text[zeros] === '1') zeros += 1
  const top = limbs.at(-1) ?? 0
  const count = limbs.length * 3 - (limbs.length > 0 ? (top < 256 ? 2 : top < 65_536 ? 1 : 0) : 0)
  const bytes = new Uint8Array(zeros + count)
  for (let at = 0; at < count; at += 1)
    bytes[zeros + count - 1 - at] = (limbs[Math.floor(at / 3)] as number) >> (8 * (at % 3))
  return bytes
}

/** @returns the text of `bytes`; each leading zero byte becomes one leading `1` */
export function encodeBase58(bytes: Uint8Array): string {
  const limbs: number[] = []
  // The first group is the shorter one
  let at = bytes.length % 3
  multiplyAdd(limbs, fourDigits, 1, bytes.subarray(0, at).reduce((sum, byte) => sum * 256 + byte, 0))
  for (; at < bytes.length; at += 3) {
    const added = (bytes[at] as number) * 65_536 + (bytes[at + 1] as number) * 256 + (bytes[at + 2] as number)
    multiplyAdd(limbs, fourDigits, threeBytes, added)
  }
  let text = ''
  for (const limb of limbs)
    for (let [rest, digit] = [limb, 0]; digit < 4; digit += 1, rest = Math.floor(rest / 58))
      text = (alphabet[rest % 58] as string) + text
  let [zeros, ones] = [0, 0]
  while (bytes[zeros] === 0) zeros += 1
  while (text[ones] === '1') ones += 1
  return '1'.repeat(zeros) + text.slice(ones)
}
