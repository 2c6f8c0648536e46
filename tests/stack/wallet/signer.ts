import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import bs58 from 'bs58'
import { readWalletTransaction, transactionId, withOtherAmount, withOtherSigner, withSignature } from './transaction.ts'

/** One Solana key. `address` is base58; `sign` gives 64 bytes. */
export type Signer = { address: string; publicKey: Uint8Array; sign(bytes: Uint8Array): Uint8Array }

/** Manner of signing: as requested, with a changed amount, or with another of its accounts. */
export type Manner = 'plain' | 'alter' | 'other'

/** A signed transaction: wire bytes, this wallet's signature and the id the chain will know it by, both base58. */
export type Signed = { bytes: Uint8Array; signature: string; txId: string; address: string }

/** @param key the 32-byte seed, or 64 bytes of seed and public key as Solana tools write them */
export function createSigner(key: Uint8Array): Signer {
  if (key.length !== 32 && key.length !== 64) throw new Error(`secret key expected 32 or 64 bytes, got ${key.length}`)
  const seed = key.slice(0, 32)
  const publicKey = ed25519.getPublicKey(seed)
  return { address: bs58.encode(publicKey), publicKey, sign: bytes => ed25519.sign(bytes, seed) }
}

/** The key made from a word: the same word gives the same address each time. */
export function signerFromWord(word: string): Signer {
  return createSigner(sha256(new TextEncoder().encode(`wallet key ${word}`)))
}

/**
 * Signs wire bytes.
 *
 * @param accounts the requested account, then the one a confused wallet would use
 * @throws Error when the bytes are no transaction or the account need not sign
 */
export function signTransaction(bytes: Uint8Array, accounts: [Signer, Signer], manner: Manner = 'plain'): Signed {
  const [asked, other] = accounts
  const signer = manner === 'other' ? other : asked
  const read = readWalletTransaction(bytes)
  const wanted =
    manner === 'alter'
      ? withOtherAmount(read)
      : manner === 'other'
        ? withOtherSigner(read, asked.address, other.address)
        : bytes
  const transaction = readWalletTransaction(wanted)
  const signature = signer.sign(transaction.bytes.subarray(transaction.messageAt))
  const signed = withSignature(transaction, signer.address, signature)
  const txId = transactionId(readWalletTransaction(signed))
  return { bytes: signed, signature: bs58.encode(signature), txId, address: signer.address }
}
