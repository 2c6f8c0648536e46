/** Ethereum personal signatures: recovers the signer of a text; words of a call. @see EIP-191, version 0x45 */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { toUtf8 } from '../crypto/encoding.ts'
import { Fault } from '../../../runtime/failure.ts'
import { toHex } from '../../../runtime/hex.ts'

/** @returns the 32-byte hash that is signed; the length in its prefix counts bytes, not characters */
export function personalHash(message: string): Uint8Array {
  const bytes = toUtf8(message)
  const head = toUtf8(`\x19Ethereum Signed Message:\n${bytes.length}`)
  const whole = new Uint8Array(head.length + bytes.length)
  whole.set(head)
  whole.set(bytes, head.length)
  return keccak_256(whole)
}

/**
 * @param signature r, s and v: 65 bytes, v of 0, 1, 27 or 28
 * @returns the signer's address, lower case; undefined when the signature is invalid
 */
export function signerOf(message: string, signature: Uint8Array): string | undefined {
  const v = signature[64] ?? -1
  const recovery = v >= 27 ? v - 27 : v
  if (signature.length !== 65 || (recovery !== 0 && recovery !== 1)) return undefined
  try {
    const parsed = secp256k1.Signature.fromBytes(signature.slice(0, 64), 'compact').addRecoveryBit(recovery)
    const point = parsed.recoverPublicKey(personalHash(message)).toBytes(false)
    return `0x${toHex(keccak_256(point.slice(1)).slice(12))}`
  } catch {
    return undefined
  }
}

/**
 * @param hex without prefix
 * @param bytes length of the result
 * @returns the hex with zeros before it, or after it on the `right`
 * @throws Fault `bad_input` when it is longer: nothing is cut off
 */
export function padHex(hex: string, bytes: number = 32, side: 'left' | 'right' = 'left'): string {
  const size = Math.ceil(hex.length / 2)
  if (size > bytes) throw new Fault('bad_input', `padded hex expected at most ${bytes} bytes, got ${size}`)
  return side === 'left' ? hex.padStart(2 * bytes, '0') : hex.padEnd(2 * bytes, '0')
}
