import { decodeBase58 } from '../../events/values/base58.ts'

/**
 * Checks an Ed25519 signature, as somebody with the means for it lends.
 *
 * @param signature 64 bytes
 * @param publicKey 32 bytes
 * @throws Fault `reload_needed` when the means cannot be had: then nothing is known of the signature
 */
export type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean>

/**
 * @param publicKey base58; anything else has signed nothing
 * @param signature anything but 64 bytes fits nothing
 */
export async function isSignedBy(
  publicKey: string,
  message: Uint8Array,
  signature: Uint8Array | undefined,
  verify: Verify,
): Promise<boolean> {
  const key = decodeBase58(publicKey)
  return key?.length === 32 && signature?.length === 64 ? verify(signature, message, key) : false
}
