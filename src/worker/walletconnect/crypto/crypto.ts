import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Fault } from '../../../events/failure.ts'
import { toHex, toUtf8 } from './encoding.ts'

/**
 * Keys and topics. Everything here is a pure function of the bytes it is given; secrets come from the vault, curves are the
 * browser’s.
 *
 * @see WalletConnect specs, "Crypto" (clients core)
 */

/**
 * @param secret what two X25519 key pairs agree on, 32 bytes
 * @returns the 32-byte symmetric key two clients share: HKDF-SHA-256, empty salt, empty info
 * @throws Fault `bad_input` when the length is another
 */
export function symKeyFrom(secret: Uint8Array): Uint8Array {
  requireLength(secret, 32, 'shared secret')
  return hkdf(sha256, secret, undefined, undefined, 32)
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
