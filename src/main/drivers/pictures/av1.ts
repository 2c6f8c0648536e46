/** The largest frame that a coded AV1 picture may have. */
import type { Bytes, Size } from './bytes.ts'

const sequenceHeader = 1
const temporalDelimiter = 2
const frameHeader = 3
const tileGroup = 4
const metadata = 5
const frame = 6
const padding = 15

/**
 * Reads the units of one still picture.
 *
 * @returns its size; undefined for several sizes or frames, or for a unit that a still does not have
 * @see https://aomediacodec.github.io/av1-spec/#obu-syntax
 */
export function stillSize(bytes: Bytes, from: number, end: number): Size | undefined {
  let size: Size | undefined
  let frames = 0
  for (let at = from; at < end; ) {
    const head = bytes.getUint8(at)
    const [type, hasExtension, hasSize] = [(head >> 3) & 15, (head & 4) !== 0, (head & 2) !== 0]
    if (head & 0x80 || !hasSize) return undefined
    const { value: length, next } = leb128(bytes, at + (hasExtension ? 2 : 1))
    if (next + length > end) return undefined
    if (type === sequenceHeader) {
      if (size) return undefined
      size = sequenceSize(bytes, next)
    } else if (type === frame || type === frameHeader) {
      frames += 1
      if (!size || frames > 1) return undefined
    } else if (![temporalDelimiter, tileGroup, metadata, padding].includes(type)) return undefined
    at = next + length
  }
  return frames === 1 ? size : undefined
}

function leb128(bytes: Bytes, from: number): { value: number; next: number } {
  let value = 0
  for (let n = 0; n < 4; n += 1) {
    const byte = bytes.getUint8(from + n)
    value += (byte & 0x7f) * 2 ** (7 * n)
    if ((byte & 0x80) === 0) return { value, next: from + n + 1 }
  }
  throw new RangeError('an AV1 unit expected a length of at most four bytes')
}

/** @see https://aomediacodec.github.io/av1-spec/#general-sequence-header-obu-syntax */
function sequenceSize(bytes: Bytes, at: number): Size | undefined {
  const take = bitsAt(bytes, at)
  take(3)
  const isStill = take(1)
  const isReduced = take(1)
  if (isReduced) {
    if (!isStill) return undefined
    take(5)
  } else if (!passOperatingPoints(take)) return undefined
  const [wide, high] = [take(4) + 1, take(4) + 1]
  return { width: take(wide) + 1, height: take(high) + 1 }
}

/** @returns false for a sequence with timing, which no still has */
function passOperatingPoints(take: (count: number) => number): boolean {
  const hasTiming = take(1)
  if (hasTiming) return false
  const hasDelays = take(1)
  const points = take(5) + 1
  for (let n = 0; n < points; n += 1) {
    take(12)
    const level = take(5)
    if (level > 7) take(1)
    if (hasDelays && take(1)) take(4)
  }
  return true
}

/** @returns a function that reads the next bits, the highest first */
function bitsAt(bytes: Bytes, from: number): (count: number) => number {
  let bit = from * 8
  return count => {
    let value = 0
    for (let n = 0; n < count; n += 1, bit += 1) value = value * 2 + ((bytes.getUint8(bit >> 3) >> (7 - (bit & 7))) & 1)
    return value
  }
}
