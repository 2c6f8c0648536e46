/** Loaded only by browsers without native Ed25519 or X25519. */
import { ed25519, x25519 } from '@noble/curves/ed25519.js'
import type { Verify } from '../../services/signatures.ts'
import type { Curves } from './curves.ts'

/** As strict as browsers. @see RFC 8032, §5.1.7 */
export const verifyNoble: Verify = async (signature, message, publicKey) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false
  }
}

export const curvesNoble: Curves = {
  signer: async seed => ({
    publicKey: ed25519.getPublicKey(seed),
    sign: async message => ed25519.sign(message, seed),
  }),
  agree: async (privateKey, publicKey) => x25519.getSharedSecret(privateKey, publicKey),
}
