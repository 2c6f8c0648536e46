import { decodeBase58 } from '../../events/values/solana/base58.ts'

/**
 * Verifies an Ed25519 signature, by the browser or a library.
 *
 * @param signature 64 bytes
 * @param publicKey 32 bytes
 * @throws Fault `reload_needed` when no implementation is available: the signature remains unchecked
 */
export type Verify = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array) => Promise<boolean>

/**
 * @param publicKey base58; false when it is not 32 bytes
 * @param signature false when it is not 64 bytes
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
