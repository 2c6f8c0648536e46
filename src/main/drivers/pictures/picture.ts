/**
 * Untrusted pictures: of announced wallets, and of the directory. The browser gets only pictures that this code has read.
 *
 * 1. Five raster formats, by their first bytes. An SVG is a program and is refused.
 * 2. At most 64 KiB, 1024 by 1024 pixels, and one frame: these bound a decoder's work, on whichever thread it runs.
 * 3. The size is that of every frame, tile and layer in the file, not only of its first header.
 * 4. Each format is read in one pass from front to end; anything unusual, truncated or contradictory is refused.
 */
import { avifSize } from './avif.ts'
import { type Bytes, lettersAt, type Size } from './bytes.ts'
import { gifSize } from './gif.ts'
import { jpegSize } from './jpeg.ts'
import { pngSize } from './png.ts'
import { webpSize } from './webp.ts'
import { dataViewOf } from '../../../runtime/dataView.ts'

/** Most bytes of a picture. */
export const pictureBytes = 64 * 1024
/** Most pixels of a side. */
const pictureSide = 1024

type Picture = Size & { type: string }

type Format = { type: string; fits(bytes: Bytes): boolean; size(bytes: Bytes): Size | undefined }

const formats: readonly Format[] = [
  { type: 'image/png', fits: bytes => lettersAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', size: pngSize },
  { type: 'image/jpeg', fits: bytes => lettersAt(bytes, 0, 3) === '\xff\xd8\xff', size: jpegSize },
  {
    type: 'image/webp',
    fits: bytes => lettersAt(bytes, 0, 4) === 'RIFF' && lettersAt(bytes, 8, 4) === 'WEBP',
    size: webpSize,
  },
  { type: 'image/gif', fits: bytes => ['GIF87a', 'GIF89a'].includes(lettersAt(bytes, 0, 6)), size: gifSize },
  { type: 'image/avif', fits: bytes => lettersAt(bytes, 4, 4) === 'ftyp', size: avifSize },
]

/** @returns type and size by the bytes, whatever their sender claims; undefined for anything that must not be shown */
export function readPicture(given: Uint8Array): Picture | undefined {
  if (given.length < 16 || given.length > pictureBytes) return undefined
  const bytes = dataViewOf(given)
  try {
    const format = formats.find(({ fits }) => fits(bytes))
    const size = format?.size(bytes)
    return format && size && isFair(size) ? { type: format.type, ...size } : undefined
  } catch (cause) {
    // Truncated
    if (cause instanceof RangeError) return undefined
    throw cause
  }
}

function isFair({ width, height }: Size): boolean {
  return width > 0 && height > 0 && width <= pictureSide && height <= pictureSide
}

/** Longest text before the data: `data:image/png;base64,` with parameters. */
const longestHead = 64

/**
 * Reads a picture that came as a data address.
 *
 * @returns its address under the type its bytes have; undefined for anything that must not be shown
 */
export function pictureAddress(given: unknown): string | undefined {
  if (typeof given !== 'string' || given.length > longestHead + (pictureBytes * 4) / 3) return undefined
  const comma = given.slice(0, longestHead).indexOf(',')
  const head = given.slice(0, comma).toLowerCase()
  if (comma < 0 || !head.startsWith('data:image/') || !head.endsWith(';base64')) return undefined
  const bytes = fromBase64(given.slice(comma + 1))
  const picture = bytes && readPicture(bytes)
  return bytes && picture && `data:${picture.type};base64,${toBase64(bytes)}`
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), letter => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Encodes the bytes that were read, so that exactly these are shown. */
function toBase64(bytes: Uint8Array): string {
  return btoa(lettersAt(dataViewOf(bytes), 0, bytes.length))
}
