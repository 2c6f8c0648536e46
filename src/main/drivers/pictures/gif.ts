import type { Bytes, Size } from './bytes.ts'

/** @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt */
export function gifSize(bytes: Bytes): Size | undefined {
  const size = { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
  let frames = 0
  for (let at = 13 + tableLength(bytes.getUint8(10)); ; ) {
    const block = bytes.getUint8(at)
    if (block === 0x3b) return frames === 1 ? size : undefined
    if (block === 0x21) {
      at = endOfBlocks(bytes, at + 2)
      continue
    }
    frames += 1
    if (block !== 0x2c || frames > 1 || !isInside(bytes, at + 1, size)) return undefined
    at = endOfBlocks(bytes, at + 11 + tableLength(bytes.getUint8(at + 9)))
  }
}

function tableLength(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

function isInside(bytes: Bytes, at: number, { width, height }: Size): boolean {
  const [left, top, wide, high] = [0, 2, 4, 6].map(place => bytes.getUint16(at + place, true)) as [
    number,
    number,
    number,
    number,
  ]
  return left + wide <= width && top + high <= height
}

/** @returns where a row of sub-blocks ends */
function endOfBlocks(bytes: Bytes, from: number): number {
  let at = from
  for (let length = bytes.getUint8(at); length > 0; length = bytes.getUint8(at)) at += length + 1
  return at + 1
}
