import { hkdf } from '@noble/hashes/hkdf.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { Fault } from '../../../runtime/failure.ts'
import { toUtf8 } from './encoding.ts'
import { toHex } from '../../../runtime/hex.ts'

/**
 * Keys and topics. Pure functions of bytes; secrets come from the vault, curves from the browser.
 *
 * @see WalletConnect specs, "Crypto" (clients core)
 */

/**
 * @param secret X25519 shared secret, 32 bytes
 * @returns the 32-byte symmetric key two clients share: HKDF-SHA-256, empty salt, empty info
 * @throws Fault `bad_input` on another length
 */
export function symKeyFrom(secret: Uint8Array): Uint8Array {
  requireLength(secret, 32, 'shared secret')
  return hkdf(sha256, secret, undefined, undefined, 32)
}

/**
 * @param key 32 bytes: a symmetric key, or a public key for the response topic of one-click auth
 * @returns topic: hex of SHA-256 of the key
 * @throws Fault `bad_input` on another length
 */
export function topicOf(key: Uint8Array): string {
  requireLength(key, 32, 'key of a topic')
  return toHex(sha256(key))
}

/** @returns hex of SHA-256 of the UTF-8 of an envelope's text; messages are deduplicated by it */
export function hashMessage(text: string): string {
  return toHex(sha256(toUtf8(text)))
}

/** @throws Fault `bad_input` on another length; its message has the lengths only */
export function requireLength(bytes: Uint8Array, length: number, name: string): void {
  if (bytes.length !== length) throw new Fault('bad_input', `${name} expected ${length} bytes, got ${bytes.length}`)
}
