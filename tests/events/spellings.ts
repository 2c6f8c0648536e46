import { decodeBase58, encodeBase58 } from '../../src/events/values/solana/base58.ts'

/**
 * All spellings of a value: plain, in JSON and percent-encoded; and its bytes (or the bytes it spells in hex or base58)
 * as hex, base58, base64 with either alphabet at every offset in a longer text, percent-encoded byte by byte, a list of
 * numbers, or one character each.
 */
export function spellings(value: string): string[] {
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]
  for (const bytes of [Buffer.from(value), bytesIn(value)]) {
    if (!bytes) continue
    const hex = bytes.toString('hex')
    const percent = hex.replace(/../g, '%$&')
    forms.push(hex, hex.toUpperCase(), encodeBase58(bytes), percent, percent.toUpperCase())
    forms.push([...bytes].join(','), [...bytes].join(', '))
    for (const alphabet of ['base64', 'base64url'] as const)
      for (const text of base64Inside(bytes, alphabet)) forms.push(text, encodeURIComponent(text))
    if (bytes.length >= 16) forms.push(bytes.toString('latin1'))
  }
  return [...new Set(forms)]
}

/** The whole, and its parts after one or two other bytes. */
function base64Inside(bytes: Buffer, alphabet: 'base64' | 'base64url'): string[] {
  const starts = bytes.length < 8 ? [0] : [0, 1, 2]
  const inside = starts.map(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString(alphabet)
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
  return [...inside, bytes.toString(alphabet).replace(/=+$/, '')]
}

function bytesIn(value: string): Buffer | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(value)) return Buffer.from(value, 'hex')
  const bytes = decodeBase58(value)
  return bytes && Buffer.from(bytes)
}

/** Places to search: bytes as bytes, text as text. */
export type Places = { readonly [place: string]: string | Uint8Array }

/**
 * @param secrets by the door they were planted at
 * @returns one sentence for each secret found: door and place
 */
export function leaks(secrets: { readonly [door: string]: string }, places: Places): string[] {
  return Object.entries(secrets).flatMap(([door, secret]) => {
    const forms = spellings(secret)
    return Object.entries(places).flatMap(([place, given]) => {
      const text = typeof given === 'string' ? given : Buffer.from(given).toString('latin1')
      return forms.some(form => text.includes(form)) ? [`${door} stands in ${place}`] : []
    })
  })
}
