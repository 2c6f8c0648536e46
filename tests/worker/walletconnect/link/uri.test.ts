import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBase64, toUtf8 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import {
  formatUri,
  isValidUrl,
  type PairingUri,
  parseUri,
  requirePairingUri,
} from '../../../../src/worker/walletconnect/link/uri.ts'
import { endsWell, faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

const { parse, format, pair, isValidUrl: urls } = vectors.uri
const topic = '7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'
const symKey = '587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'
const nowMs = 1_700_000_000_000

describe('reading a pairing uri', () => {
  test.each(parse.filter(vector => vector.parsed))('gives the parts of $uri', ({ uri, parsed }) => {
    // The official reader adds an empty `protocol`, and JSON has no NaN; the parts are otherwise the same.
    const { protocol, ...parts } = parsed ?? {}
    expect(protocol).toBe('')
    const expected = Object.entries(parts).map(([name, value]) => [name, value === 'NaN' ? Number.NaN : value])
    expect(parseUri(uri)).toEqual(Object.fromEntries(expected))
  })

  test.each(parse.filter(vector => vector.officialError))('refuses $uri', ({ uri, officialError }) => {
    const fault = faultOf(() => parseUri(uri))
    expect(fault.code).toBe('bad_input')
    expect(fault.message.startsWith(officialError ?? '?')).toBe(true)
  })

  test('refuses a key given twice, a broken percent sign, and half a character', () => {
    expect(faultOf(() => parseUri(`wc:${topic}@2?methods=\udfff`)).message).toContain('half a character')
    expect(faultOf(() => parseUri(`wc:${topic}@2?symKey=${symKey}&symKey=${symKey}`)).message).toContain('once')
    expect(faultOf(() => parseUri(`wc:${topic}@2?relay-data=%zz`)).message).toContain('percent')
    expect(faultOf(() => parseUri(toBase64(toUtf8('hello')))).code).toBe('bad_input')
  })
})

test.each(format)('writing gives $uri', ({ params, uri }) => {
  expect(formatUri(params as unknown as PairingUri)).toBe(uri)
})

test.each(urls)('"$value" is a URL: $valid', ({ value, valid }) => {
  expect(isValidUrl(value)).toBe(valid)
})

describe('a wallet asked to pair', () => {
  test.each(pair)('says to $uri: $officialError', ({ uri, when, officialError }) => {
    const fault = faultOf(() => requirePairingUri(uri, { nowMs, isActive: () => when !== undefined }))
    expect(fault.message).toBe(officialError)
    expect(fault.code).toBe(officialError.startsWith('Expired') ? 'expired' : 'bad_input')
  })

  test.each([
    ['a short key', `wc:${topic}@2?relay-protocol=irn&symKey=abc`],
    ['a short topic', `wc:abc@2?relay-protocol=irn&symKey=${symKey}`],
    ['another relay', `wc:${topic}@2?relay-protocol=waku&symKey=${symKey}`],
    ['version 1', `wc:${topic}@1?relay-protocol=irn&symKey=${symKey}`],
    ['two versions', `wc:${topic}@2@2?relay-protocol=irn&symKey=${symKey}`],
    ['a version with a nought in front', `wc:${topic}@02?relay-protocol=irn&symKey=${symKey}`],
    ['no version', `wc:${topic}?relay-protocol=irn&symKey=${symKey}`],
    ['an expiry that is no number', `wc:${topic}@2?expiryTimestamp=soon&relay-protocol=irn&symKey=${symKey}`],
    ['its scheme missing', `${topic}@2?relay-protocol=irn&symKey=${symKey}`],
  ])('refuses a uri with %s and never repeats its key', (_why, uri) => {
    const fault = faultOf(() => requirePairingUri(uri, { nowMs }))
    expect(['bad_input', 'unsupported']).toContain(fault.code)
    expect(fault.message).not.toContain(symKey)
  })

  test('takes a uri until the very second it ends, not later', () => {
    const uri = formatUri({ topic, version: 2, symKey, relay: { protocol: 'irn' }, expiryTimestamp: 1_700_000_000 })
    expect(requirePairingUri(uri, { nowMs: nowMs - 1 }).expiryTimestamp).toBe(1_700_000_000)
    expect(faultOf(() => requirePairingUri(uri, { nowMs })).code).toBe('expired')
  })
})

describe('any pairing uri', () => {
  const hex = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(bytes => Buffer.from(bytes).toString('hex'))
  const uris = fc.record(
    {
      topic: hex,
      version: fc.constant(2 as const),
      symKey: hex,
      relay: fc.record(
        { protocol: fc.constant('irn'), data: fc.string({ unit: 'binary' }) },
        { requiredKeys: ['protocol'] },
      ),
      methods: fc.array(fc.stringMatching(/^[\w[\]&=% +]+$/), { minLength: 1, maxLength: 4 }),
      expiryTimestamp: fc.integer({ min: 1_700_000_001, max: 9_999_999_999 }),
    },
    { requiredKeys: ['topic', 'version', 'symKey', 'relay'] },
  )

  test('is read back as it was written, as a link and in base64 too', () => {
    fc.assert(
      fc.property(uris, uri => {
        const text = formatUri(uri)
        expect(requirePairingUri(text, { nowMs })).toEqual(uri)
        expect(parseUri(text.replace('wc:', 'wc://'))).toEqual(uri)
        expect(parseUri(toBase64(toUtf8(text)))).toEqual(uri)
      }),
    )
  })

  test('that is mere noise ends in parts or in a fault', () => {
    const noise = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.string().map(text => `wc:${text}`),
    )
    fc.assert(
      fc.property(noise, text => {
        expect(endsWell(() => parseUri(text))).toBe(true)
        expect(endsWell(() => requirePairingUri(text, { nowMs }))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
