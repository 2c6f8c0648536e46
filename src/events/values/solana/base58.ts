/** Base58 as Bitcoin and Solana write keys, hashes and signatures. The work grows with the square of the length. */
import bs58 from 'bs58'

/** Longest text that is decoded, in characters: more than a whole Solana transaction (1232 bytes) needs. */
const maxBase58Length = 2048

/** @returns the bytes, or undefined when a character is outside the alphabet or the text is longer than 2048 */
export function decodeBase58(text: string): Uint8Array<ArrayBuffer> | undefined {
  const bytes = text.length > maxBase58Length ? undefined : bs58.decodeUnsafe(text)
  return bytes && new Uint8Array(bytes)
}

/** @returns the text of `bytes`; each leading zero byte becomes one leading `1` */
export function encodeBase58(bytes: Uint8Array): string {
  return bs58.encode(bytes)
}
