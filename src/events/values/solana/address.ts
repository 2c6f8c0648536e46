import { decodeBase58 } from './base58.ts'

/** @returns whether `text` is base58 of exactly 32 bytes: a Solana public key, mint, program or hash */
export function isSolanaAddress(text: unknown): text is string {
  if (typeof text !== 'string' || text.length < 32 || text.length > 44) return false
  return decodeBase58(text)?.length === 32
}
