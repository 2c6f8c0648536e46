import { type Bytes, lettersAt, type Size } from './bytes.ts'

/** Chunks of an animation. */
const moving = ['acTL', 'fcTL', 'fdAT']

/** @see https://www.w3.org/TR/png-3/#5DataRep */
export function pngSize(bytes: Bytes): Size | undefined {
  if (bytes.getUint32(8) !== 13 || lettersAt(bytes, 12, 4) !== 'IHDR') return undefined
  const size = { width: bytes.getUint32(16), height: bytes.getUint32(20) }
  let hasPixels = false
  for (let at = 33; ; ) {
    const length = bytes.getUint32(at)
    const name = lettersAt(bytes, at + 4, 4)
    if (name === 'IHDR' || moving.includes(name)) return undefined
    if (name === 'IDAT') hasPixels = true
    at += length + 12
    if (at > bytes.byteLength) return undefined
    if (name === 'IEND') return hasPixels ? size : undefined
  }
}
