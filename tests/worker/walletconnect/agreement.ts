import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import { symKeyFrom } from '../../../src/worker/walletconnect/crypto/crypto.ts'
import { openEnvelope, senderOf, type Way } from '../../../src/worker/walletconnect/crypto/envelope.ts'
import type { Signer } from '../../../src/worker/walletconnect/crypto/jwt.ts'

/** Synchronous curves, independent of the product's, which use the browser's. */

/** @param privateKey X25519, 32 bytes */
export const keyPairFrom = (privateKey: Uint8Array) => ({ privateKey, publicKey: x25519.getPublicKey(privateKey) })

/** @returns the key of two clients */
export const deriveSymKey = (privateKey: Uint8Array, publicKey: Uint8Array) =>
  symKeyFrom(x25519.getSharedSecret(privateKey, publicKey))

/** Opens an envelope of type 1 with the receiver's key. */
export function openWith(envelope: string, privateKey: Uint8Array, way?: Way): string {
  return openEnvelope(envelope, { agreedKey: deriveSymKey(privateKey, senderOf(envelope, way)) }, way)
}

/** @param seed Ed25519, 32 bytes */
export const signerOf = (seed: Uint8Array): Signer => ({
  publicKey: ed25519.getPublicKey(seed),
  sign: async message => ed25519.sign(message, seed),
})
