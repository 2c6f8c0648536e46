/**
 * The name of an order in its memo on the chain. It is made here, by chance, so that nothing in the log tells it beforehand. The
 * core puts in its place the key of an earlier order that may still land.
 */

/** @returns 16 lower-case hex digits */
export function newOrderKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), byte => byte.toString(16).padStart(2, '0')).join('')
}
