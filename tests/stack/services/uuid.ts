import { createHash } from 'node:crypto'

/** A version 4 UUID derived from a text, for reproducible runs. */
export function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
