import { x25519 } from '@noble/curves/ed25519.js'
import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Fault } from '../../events/failure.ts'
import { toHex, toUtf8 } from './encoding.ts'

/**
 * Keys and topics. Everything here is a pure function of the bytes it is given; secrets come from the vault.
 *
 * @see WalletConnect specs, "Crypto" (clients core)
 */

export type KeyPair = {
  /** 32 bytes, secret */
  readonly privateKey: Uint8Array
  /** 32 bytes */
  readonly publicKey: Uint8Array
}

/**
 * @param privateKey 32 random bytes from the vault
 * @returns the X25519 pair
 * @throws Fault `bad_input` when the length is another
 */
export function keyPairFrom(privateKey: Uint8Array): KeyPair {
  requireLength(privateKey, 32, 'X25519 private key')
  return { privateKey, publicKey: x25519.getPublicKey(privateKey) }
}

/**
 * The key two clients share: HKDF-SHA-256 of the X25519 secret, empty salt, empty info.
 *
 * @param privateKey own X25519 key, 32 bytes
 * @param peerPublicKey the other side's, 32 bytes
 * @returns 32-byte symmetric key
 * @throws Fault `bad_input` on a wrong length, `bad_response` when the peer's key is of low order, so that the secret
 *   would be all zero and known to everybody (RFC 7748 §6.1)
 */
export function deriveSymKey(privateKey: Uint8Array, peerPublicKey: Uint8Array): Uint8Array {
  return hkdf(sha256, sharedSecret(privateKey, peerPublicKey), undefined, undefined, 32)
}

/** @returns the bare X25519 secret, 32 bytes, never all zero; use `deriveSymKey` for a key. Throws as it does. */
export function sharedSecret(privateKey: Uint8Array, peerPublicKey: Uint8Array): Uint8Array {
  requireLength(privateKey, 32, 'X25519 private key')
  requireLength(peerPublicKey, 32, 'X25519 public key of the peer')
  let secret: Uint8Array
  try {
    secret = x25519.getSharedSecret(privateKey, peerPublicKey)
  } catch {
    throw lowOrder()
  }
  if (secret.every(byte => byte === 0)) throw lowOrder()
  return secret
}

/**
 * @param key the 32 bytes of a symmetric key, or of a public key for the response topic of one-click auth
 * @returns topic: hex of SHA-256 of the bytes
 * @throws Fault `bad_input` when the length is another
 */
export function topicOf(key: Uint8Array): string {
  requireLength(key, 32, 'key of a topic')
  return toHex(sha256(key))
}

/** @returns hex of SHA-256 of the UTF-8 of an envelope's text: what duplicates are known by */
export function hashMessage(text: string): string {
  return toHex(sha256(toUtf8(text)))
}

/** Refuses bytes of another length; the sentence tells lengths only. */
export function requireLength(bytes: Uint8Array, length: number, name: string): void {
  if (bytes.length !== length) throw new Fault('bad_input', `${name} expected ${length} bytes, got ${bytes.length}`)
}

function lowOrder(): Fault {
  return new Fault('bad_response', 'X25519 public key of the peer gives an all-zero shared secret')
}
