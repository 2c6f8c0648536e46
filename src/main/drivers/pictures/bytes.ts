/** Reads numbers out of a picture's header. Each function throws a RangeError beyond the last byte. */
export type Bytes = DataView

/** @returns `length` bytes as Latin letters */
export function lettersAt(bytes: Bytes, at: number, length: number): string {
  let letters = ''
  for (let n = 0; n < length; n += 1) letters += String.fromCharCode(bytes.getUint8(at + n))
  return letters
}

/** @returns a little-endian number of three bytes */
export function uint24At(bytes: Bytes, at: number): number {
  return bytes.getUint16(at, true) | (bytes.getUint8(at + 2) << 16)
}

export type Size = { width: number; height: number }
