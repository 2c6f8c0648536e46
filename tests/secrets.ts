/** Finding secrets in whatever was written down, in every form somebody's code could have put them into. */
import { encodeBase58 } from '../src/events/values/base58.ts'

/** Where to look: bytes are searched as they are, text as text. */
export type Places = { readonly [place: string]: string | Uint8Array }

/** 32 bytes in hex stand for these bytes; any other text for itself. */
function bytesOf(secret: string): Buffer {
  return /^(?:[0-9a-f]{2}){16,}$/.test(secret) ? Buffer.from(secret, 'hex') : Buffer.from(secret, 'utf8')
}

/** The part of base64 that stands there wherever the bytes begin in a longer stretch. */
function base64Inside(bytes: Buffer, alphabet: 'base64' | 'base64url'): string[] {
  return [0, 1, 2].map(before => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString(alphabet)
      .replaceAll('=', '')
    return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  })
}

/** Every way a secret could be written down, by name. Bytes stand as text of one character a byte. */
export function formsOf(secret: string): { [form: string]: string } {
  const bytes = bytesOf(secret)
  const hex = bytes.toString('hex')
  const percent = (digits: string) => digits.replace(/../g, '%$&')
  const base64 = [...new Set([...base64Inside(bytes, 'base64'), ...base64Inside(bytes, 'base64url')])]
  return {
    raw: bytes.toString('latin1'),
    text: secret,
    hex,
    HEX: hex.toUpperCase(),
    base58: encodeBase58(new Uint8Array(bytes)),
    percent: encodeURIComponent(secret),
    'percent, every byte': percent(hex),
    'PERCENT, every byte': percent(hex.toUpperCase()),
    'JSON text': JSON.stringify(secret).slice(1, -1),
    'list of numbers': [...bytes].join(','),
    'list of numbers with blanks': [...bytes].join(', '),
    ...Object.fromEntries(base64.map((text, n) => [`base64 ${n}`, text])),
    ...Object.fromEntries(base64.map((text, n) => [`percent of base64 ${n}`, encodeURIComponent(text)])),
  }
}

/**
 * @param secrets by the door they were planted at
 * @returns one sentence for each secret that stands somewhere: door, place and form
 */
export function leaks(secrets: { readonly [door: string]: string }, places: Places): string[] {
  const found = new Set<string>()
  for (const [place, given] of Object.entries(places)) {
    const text = typeof given === 'string' ? given : Buffer.from(given).toString('latin1')
    for (const [door, secret] of Object.entries(secrets))
      for (const [form, written] of Object.entries(formsOf(secret)))
        if (text.includes(written)) found.add(`${door} stands in ${place} as ${form}`)
  }
  return [...found]
}
