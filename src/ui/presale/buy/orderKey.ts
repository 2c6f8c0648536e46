/**
 * The order key in the memo on the chain. Made here at random, so that nothing in the log predicts it. The core replaces it by
 * the key of an earlier order that may still land.
 */

/** @returns 16 lower-case hex digits */
export function newOrderKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, '0')).join('')
}
