/**
 * The order key in the memo on the chain. Made here at random, so that nothing in the log predicts it. The core replaces it by
 * the key of an earlier order or code that may still be paid.
 */
import { toHex } from '../runtime/hex.ts'

/** @returns 16 lower-case hex digits */
export function newOrderKey(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(8)))
}
