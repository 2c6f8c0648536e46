/** Loaded only by a browser whose own cryptography has no Ed25519. */
import { ed25519 } from '@noble/curves/ed25519.js'
import type { Verify } from '../services/signatures.ts'

/** Checks as strictly as browsers do. @see RFC 8032, §5.1.7 */
export const verifyNoble: Verify = async (signature, message, publicKey) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}
