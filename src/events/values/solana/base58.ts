/**
 * Base58 as Bitcoin and Solana write keys, hashes and signatures. The work grows with the square of the length, so four digits or
 * three bytes go at a time: a double holds their products exactly.
 */

/** Longest text that is decoded, in characters: more than a whole Solana transaction (1232 bytes) needs. */
const maxBase58Length = 2048

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const values = new Int8Array(128).fill(-1)
for (let value = 0; value < 58; value += 1) values[alphabet.charCodeAt(value)] = value

const fourDigits = 58 ** 4
const threeBytes = 2 ** 24

/** @param limbs a number in base `base`, least limb first: it is multiplied and added to */
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
  const bytes: number[] = []
  for (const limb of limbs) bytes.push(limb & 255, (limb >> 8) & 255, limb >> 16)
  while (bytes.at(-1) === 0) bytes.pop()
  for (let at = 0; text[at] === '1'; at += 1) bytes.push(0)
  return Uint8Array.from(bytes.reverse())
}

/** @returns the text of `bytes`; each leading zero byte becomes one leading `1` */
export function encodeBase58(bytes: Uint8Array): string {
  const limbs: number[] = []
  // The first group is the shorter one
  let at = bytes.length % 3
  multiplyAdd(
    limbs,
    fourDigits,
    1,
    bytes.subarray(0, at).reduce((sum, byte) => sum * 256 + byte, 0),
  )
  for (; at < bytes.length; at += 3) {
    const added = (bytes[at] as number) * 65_536 + (bytes[at + 1] as number) * 256 + (bytes[at + 2] as number)
    multiplyAdd(limbs, fourDigits, threeBytes, added)
  }
  let text = ''
  for (const limb of limbs)
    for (let [rest, digit] = [limb, 0]; digit < 4; digit += 1, rest = Math.floor(rest / 58))
      text = (alphabet[rest % 58] as string) + text
  text = text.replace(/^1+/, '')
  for (at = 0; bytes[at] === 0; at += 1) text = `1${text}`
  return text
}
