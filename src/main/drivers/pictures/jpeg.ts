import type { Bytes, Size } from './bytes.ts'

/** Each scan of a progressive picture goes over every pixel; encoders write about ten. */
const mostScans = 20

/** @see ITU-T T.81, annex B */
export function jpegSize(bytes: Bytes): Size | undefined {
  let size: Size | undefined
  let scans = 0
  for (let at = 2; ; ) {
    if (bytes.getUint8(at) !== 0xff) return undefined
    while (bytes.getUint8(at) === 0xff) at += 1
    const marker = bytes.getUint8(at)
    at += 1
    if (marker === 0xd9) return scans > 0 ? size : undefined
    // The end is the only marker here without a length
    if (marker < 0xc0 || (marker >= 0xd0 && marker <= 0xd8)) return undefined
    const length = bytes.getUint16(at)
    if (length < 2) return undefined
    if (isFrame(marker)) {
      // Baseline, extended or progressive, eight bits, one frame
      if (size || marker > 0xc2 || bytes.getUint8(at + 2) !== 8) return undefined
      size = { height: bytes.getUint16(at + 3), width: bytes.getUint16(at + 5) }
    }
    at += length
    if (marker !== 0xda) continue
    scans += 1
    if (!size || scans > mostScans) return undefined
    at = endOfScan(bytes, at)
  }
}

/** Start of frame: all of C0 to CF but Huffman tables, extensions and arithmetic conditions. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

/** @returns where the next marker is that is neither a stuffed byte nor a restart */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = from; ; at += 1) {
    if (bytes.getUint8(at) !== 0xff) continue
    const next = bytes.getUint8(at + 1)
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at
  }
}
