/**
 * A 32-bit FNV-1a hash of text, as 8 hex digits: quick enough for every input, strong enough to tell two effects apart.
 *
 * @see http://www.isthe.com/chongo/tech/comp/fnv/
 */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i)
    hash = Math.imul(hash, 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
