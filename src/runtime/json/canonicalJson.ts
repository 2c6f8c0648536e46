import type { Json } from './readJson.ts'

/**
 * The canonical text of a value: keys sorted by UTF-16 code unit, no white space, strings as `JSON.stringify` writes them.
 *
 * @param value plain JSON without `undefined`; numbers are whole
 * @see RFC 8785, of which this is the part that whole numbers need
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value !== null && typeof value === 'object') {
    const members = value as { readonly [key: string]: Json }
    const texts = Object.keys(members)
      .sort()
      .map(key => `${JSON.stringify(key)}:${canonicalJson(members[key] ?? null)}`)
    return `{${texts.join(',')}}`
  }
  return JSON.stringify(value)
}
