import { encode } from 'uqr'

/** The drawing of a QR code, in modules. */
interface QrShape {
  /** Side, modules. */
  size: number
  /** Path of zero-length strokes, one per dark module; the stroke's round cap draws the dot. */
  dots: string
  /** Upper left corners of the three eyes, seven modules wide. */
  eyes: readonly [number, number][]
  /** Side of the clear square in the middle, modules; 0 without a logo. */
  clear: number
}

/**
 * Encodes a text with error correction Q, which restores a quarter of the code. The clear square for a logo takes about a
 * quarter of the side, so a sixteenth of the area.
 *
 * @param text content of the code
 * @param withMark leave the middle clear for a logo
 * @returns undefined when the text is too long for any QR code
 */
export function qrShape(text: string, withMark: boolean): QrShape | undefined {
  let matrix: { size: number; data: boolean[][] }
  try {
    matrix = encode(text, { ecc: 'Q', border: 0 })
  } catch {
    return undefined
  }
  const { size, data } = matrix
  // sizes are odd, so an odd square is centred
  const clear = withMark ? Math.floor(size / 8) * 2 + 1 : 0
  const from = (size - clear) / 2
  const middle = (at: number) => at >= from && at < from + clear
  const end = size - 7
  const eye = (x: number, y: number) => (y < 7 && (x < 7 || x >= end)) || (y >= end && x < 7)
  let dots = ''
  data.forEach((line, y) => {
    line.forEach((dark, x) => {
      if (dark && !eye(x, y) && !(middle(x) && middle(y))) dots += `M${x}.5 ${y}.5h0`
    })
  })
  return {
    size,
    dots,
    eyes: [
      [0, 0],
      [end, 0],
      [0, end],
    ],
    clear,
  }
}
