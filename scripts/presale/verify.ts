import { createPublicKey, verify as verifyBytes } from 'node:crypto'
import type { Verify } from '../../src/worker/services/signatures.ts'

/** Checks Ed25519 signatures in this thread: WebCrypto's way through another one costs as much as the check. */
export const verify: Verify = async (signature, message, publicKey) => {
  if (publicKey.length !== 32 || signature.length !== 64) return false
  const x = Buffer.from(publicKey).toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verifyBytes(null, message, key, signature)
}
