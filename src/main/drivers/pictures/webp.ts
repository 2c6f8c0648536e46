import { type Bytes, lettersAt, type Size, uint24At } from './bytes.ts'

const inAnimations = 0x02

/** @see https://developers.google.com/speed/webp/docs/riff_container */
export function webpSize(bytes: Bytes): Size | undefined {
  const end = bytes.getUint32(4, true) + 8
  if (end > bytes.byteLength) return undefined
  let canvas: Size | undefined
  let image: Size | undefined
  for (let at = 12; at < end; ) {
    const name = lettersAt(bytes, at, 4)
    const length = bytes.getUint32(at + 4, true)
    const inside = at + 8
    if (inside + length > end || name === 'ANIM' || name === 'ANMF') return undefined
    if (name === 'VP8X') {
      if (canvas || image || bytes.getUint8(inside) & inAnimations) return undefined
      canvas = { width: uint24At(bytes, inside + 4) + 1, height: uint24At(bytes, inside + 7) + 1 }
    } else if (name === 'VP8 ' || name === 'VP8L') {
      const found = name === 'VP8 ' ? lossySize(bytes, inside) : losslessSize(bytes, inside)
      if (image || !found) return undefined
      image = found
    }
    at = inside + length + (length % 2)
  }
  const agree = !canvas || (canvas.width === image?.width && canvas.height === image.height)
  return agree ? image : undefined
}

/** @see RFC 6386, section 9.1 */
function lossySize(bytes: Bytes, at: number): Size | undefined {
  const isKeyFrame = (bytes.getUint8(at) & 1) === 0
  if (!isKeyFrame || lettersAt(bytes, at + 3, 3) !== '\x9d\x01\x2a') return undefined
  return { width: bytes.getUint16(at + 6, true) & 0x3fff, height: bytes.getUint16(at + 8, true) & 0x3fff }
}

/** @see https://developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification */
function losslessSize(bytes: Bytes, at: number): Size | undefined {
  const bits = bytes.getUint32(at + 1, true)
  if (bytes.getUint8(at) !== 0x2f || bits >>> 29 !== 0) return undefined
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}
