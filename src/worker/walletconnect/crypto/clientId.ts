import { Fault } from '../../../runtime/failure.ts'
import { decodeBase58, encodeBase58 } from '../../../events/values/solana/base58.ts'
import { requireLength } from './crypto.ts'

/**
 * A client's identity at the relay: an Ed25519 key as `did:key`. The seed is made once and persisted: another seed owns
 * another mailbox, so undelivered messages of the old one are lost.
 *
 * @see W3C did:key, Ed25519: multicodec `ed 01`, multibase `z` (base58btc)
 */

const prefix = 'did:key:z'
const multicodec = [0xed, 0x01] as const

/**
 * @param publicKey Ed25519, 32 bytes
 * @returns `did:key:z6Mk…`
 * @throws Fault `bad_input` on another length
 */
export function clientIdOf(publicKey: Uint8Array): string {
  requireLength(publicKey, 32, 'Ed25519 public key')
  return prefix + encodeBase58(Uint8Array.of(...multicodec, ...publicKey))
}

/**
 * @returns the 32-byte Ed25519 public key in a client id
 * @throws Fault `bad_input` when the text is not an Ed25519 `did:key`
 */
export function publicKeyOf(did: string): Uint8Array {
  const bytes = did.startsWith(prefix) && did.length <= 64 ? decodeBase58(did.slice(prefix.length)) : undefined
  if (!bytes || bytes.length !== 34 || bytes[0] !== multicodec[0] || bytes[1] !== multicodec[1]) {
    throw new Fault('bad_input', 'client id expected did:key of an Ed25519 key, got another text')
  }
  return bytes.slice(2)
}
