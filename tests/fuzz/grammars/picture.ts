/** A picture's size as declared by its first header, read by position alone. */

/** @returns declared type and size; undefined where the position depends on more than the format */
export function toldOf(bytes: Uint8Array): { type: string; width: number; height: number } | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  const number = (at: number, ...weights: number[]) =>
    weights.reduce((sum, weight, n) => sum + (bytes[at + n] ?? 0) * weight, 0)
  const big = (at: number) => number(at, 2 ** 24, 2 ** 16, 256, 1)
  if (text.startsWith('\x89PNG')) return { type: 'image/png', width: big(16), height: big(20) }
  if (text.startsWith('GIF8')) return { type: 'image/gif', width: number(6, 1, 256), height: number(8, 1, 256) }
  if (text.slice(8, 16) === 'WEBPVP8X')
    return { type: 'image/webp', width: number(24, 1, 256, 65_536) + 1, height: number(27, 1, 256, 65_536) + 1 }
  return undefined
}
