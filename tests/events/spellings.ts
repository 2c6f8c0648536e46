import { decodeBase58, encodeBase58 } from '../../src/events/values/base58.ts'

/**
 * A value as it could be written down: as it stands and percent-encoded, and what it says, or the bytes that it is in hex or
 * base58, as hex, base58, base64 with either alphabet, or a list of numbers.
 */
export function spellings(value: string): string[] {
  const forms = [value, encodeURIComponent(value), percentEncoded(value)]
  for (const bytes of [Buffer.from(value), bytesIn(value)]) {
    if (!bytes) continue
    const hex = bytes.toString('hex')
    const base64 = bytes.toString('base64').replace(/=+$/, '')
    forms.push(hex, hex.toUpperCase(), base64, bytes.toString('base64url'), encodeBase58(bytes))
    forms.push([...bytes].join(','), [...bytes].join(', '))
  }
  return [...new Set(forms)]
}

function percentEncoded(value: string): string {
  return [...Buffer.from(value)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function bytesIn(value: string): Buffer | undefined {
  if (/^(?:[0-9a-f]{2})+$/i.test(value)) return Buffer.from(value, 'hex')
  const bytes = decodeBase58(value)
  return bytes && Buffer.from(bytes)
}
