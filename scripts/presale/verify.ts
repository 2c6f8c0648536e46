import { createPublicKey, type KeyObject, verify as verifyBytes } from 'node:crypto'
import type { Verify } from '../../src/worker/services/signatures.ts'

/** Keys that are kept: most buyers of a sale sign more than once. */
const mostKeys = 20_000
const keys = new Map<string, KeyObject>()

/** Checks Ed25519 signatures in this thread: WebCrypto's way through another one costs as much as the check. */
export const verify: Verify = async (signature, message, publicKey) => isValid(signature, message, publicKey)

/** As `verify`, at once. */
export function isValid(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  return verifyBytes(null, message, keyOf(publicKey), signature)
}

function keyOf(publicKey: Uint8Array): KeyObject {
  const x = Buffer.from(publicKey).toString('base64url')
  const known = keys.get(x)
  if (known) return known
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  if (keys.size >= mostKeys) keys.clear()
  keys.set(x, key)
  return key
}
