import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashMessage } from '../../../../src/worker/walletconnect/crypto/crypto.ts'
import { fromBase64 } from '../../../../src/worker/walletconnect/crypto/base64.ts'
import { fromHex, toBase64 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import {
  openEnvelope,
  plainEnvelope,
  sealEnvelope,
  typeOf,
  senderOf,
} from '../../../../src/worker/walletconnect/crypto/envelope.ts'
import { deriveSymKey, keyPairFrom, openWith } from '../agreement.ts'
import { endsWell, faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

const { type0, type1, type2, bad } = vectors.envelopes
const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const iv = fc.uint8Array({ minLength: 12, maxLength: 12 })

describe('an envelope of type 0', () => {
  test.each(type0)('is sealed bit for bit and opens: $messageHash', vector => {
    const symKey = fromHex(vector.symKey)
    const envelope = sealEnvelope({ text: vector.message, symKey, iv: fromHex(vector.iv) })
    expect(envelope).toBe(vector.encoded)
    const linked = sealEnvelope({ text: vector.message, symKey, iv: fromHex(vector.iv), way: 'link' })
    expect(linked).toBe(vector.encodedBase64url)
    expect(openEnvelope(linked, { symKey }, 'link')).toBe(vector.message)
    expect(hashMessage(envelope)).toBe(vector.messageHash)
    expect(openEnvelope(envelope, { symKey })).toBe(vector.message)
    expect(openEnvelope(fromBase64(envelope), { symKey })).toBe(vector.message)
  })

  test('gives back any text that was sealed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), key, iv, (text, symKey, nonce) => {
        expect(openEnvelope(sealEnvelope({ text, symKey, iv: nonce }), { symKey })).toBe(text)
      }),
    )
  })

  test('with any one bit changed never opens', () => {
    const given = type0[2]
    if (!given) throw new Error('vector missing')
    const whole = fromBase64(given.encoded)
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const changed = whole.slice()
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(faultOf(() => openEnvelope(changed, { symKey: fromHex(given.symKey) })).code).toBe('bad_response')
    }
  })

  test('with its text changed, cut or grown never opens', () => {
    const place = fc.nat(400)
    const piece = fc.oneof(fc.string({ maxLength: 3 }), fc.base64String({ maxLength: 4 }))
    fc.assert(
      fc.property(fc.string(), key, iv, place, fc.nat(4), piece, (text, symKey, nonce, at, cut, put) => {
        const envelope = sealEnvelope({ text, symKey, iv: nonce })
        const from = at % (envelope.length + 1)
        const changed = envelope.slice(0, from) + put + envelope.slice(from + cut)
        if (changed === envelope) return
        expect(faultOf(() => openEnvelope(changed, { symKey })).code).toBe('bad_response')
      }),
      { numRuns: 200 },
    )
  })

  test('does not open with another key', () => {
    fc.assert(
      fc.property(fc.string(), key, key, iv, (text, symKey, other, nonce) => {
        fc.pre(symKey.some((byte, i) => byte !== other[i]))
        expect(
          faultOf(() => openEnvelope(sealEnvelope({ text, symKey, iv: nonce }), { symKey: other })).message,
        ).toContain('invalid tag')
      }),
    )
  })
})

describe('an envelope of type 1', () => {
  test.each(type1)('opens with the receiver key and the one inside: $iv', vector => {
    const privateKey = fromHex(vector.receiverPrivateKey)
    expect(openWith(vector.encoded, privateKey)).toBe(vector.message)
    expect(typeOf(fromBase64(vector.encoded))).toBe(vector.decodedType)
    const sealing = { text: vector.message, symKey: fromHex(vector.symKey), iv: fromHex(vector.iv) }
    expect(sealEnvelope({ ...sealing, senderPublicKey: fromHex(vector.senderPublicKey) })).toBe(vector.encoded)
  })

  test('goes from any sender to any receiver', () => {
    fc.assert(
      fc.property(fc.string(), key, key, iv, (text, mine, theirs, nonce) => {
        const sender = keyPairFrom(mine)
        const symKey = deriveSymKey(mine, keyPairFrom(theirs).publicKey)
        const envelope = sealEnvelope({ text, symKey, iv: nonce, senderPublicKey: sender.publicKey })
        expect(openWith(envelope, theirs)).toBe(text)
      }),
      { numRuns: 20 },
    )
  })

  test('is refused where type 0 belongs, and the other way round', () => {
    expect(faultOf(() => openEnvelope(type1[0]?.encoded ?? '', { symKey: new Uint8Array(32) })).message).toContain(
      'got type 1',
    )
    expect(faultOf(() => senderOf(type0[0]?.encoded ?? '')).message).toContain('got type 0')
    expect(faultOf(() => openEnvelope(type0[0]?.encoded ?? '', { agreedKey: new Uint8Array(32) })).message).toContain(
      'got type 0',
    )
  })
})

describe('an envelope of type 2', () => {
  test.each(type2)('is written for a link: $encodedBase64url', ({ message, encodedBase64url }) => {
    expect(plainEnvelope(message)).toBe(encodedBase64url)
  })

  test.each(type2)(
    'is refused from the relay and from a link: $encodedBase64',
    ({ encodedBase64, encodedBase64url }) => {
      for (const opener of [{ symKey: new Uint8Array(32) }, { agreedKey: new Uint8Array(32).fill(1) }]) {
        const faults = [
          faultOf(() => openEnvelope(encodedBase64, opener)),
          faultOf(() => openEnvelope(encodedBase64url, opener, 'link')),
          faultOf(() => senderOf(encodedBase64)),
        ]
        expect(faults.map(({ code }) => code)).toEqual(['bad_response', 'bad_response', 'bad_response'])
        expect(faults[0]?.message).toContain('type 2, which is for links only')
        expect(faults[1]?.message).toContain('type 2, which nobody sealed')
      }
    },
  )
})

test('an envelope is read in the alphabet of its way only', () => {
  const [given] = type0
  if (!given) throw new Error('vector missing')
  const opener = { symKey: fromHex(given.symKey) }
  expect(faultOf(() => openEnvelope(given.encoded, opener, 'link')).code).toBe('bad_response')
  expect(faultOf(() => openEnvelope(given.encodedBase64url, opener)).code).toBe('bad_response')
})

test.each(bad)('an envelope with $why does not open', ({ symKey, encoded }) => {
  expect(faultOf(() => openEnvelope(encoded, { symKey: fromHex(symKey) })).code).toBe('bad_response')
})

test('an envelope of an unknown type is named', () => {
  const fault = faultOf(() => openEnvelope(toBase64(new Uint8Array(60).fill(7)), { symKey: new Uint8Array(32) }))
  expect(fault.message).toBe('relay envelope expected type 0 or 1, got 7')
})

test('an envelope that opens to no UTF-8 is refused', () => {
  const [symKey, nonce] = [new Uint8Array(32), new Uint8Array(12)]
  const sealed = chacha20poly1305(symKey, nonce).encrypt(Uint8Array.of(0xc3, 0x28))
  const fault = faultOf(() => openEnvelope(Uint8Array.of(0, ...nonce, ...sealed), { symKey }))
  expect([fault.code, fault.message]).toEqual([
    'bad_response',
    'relay envelope expected UTF-8, got 2 bytes that are not',
  ])
})

test('random bytes end in a fault or in a text, never in another error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.base64String(), fc.uint8Array({ maxLength: 120 })), envelope => {
      expect(endsWell(() => openEnvelope(envelope, { symKey: new Uint8Array(32) }))).toBe(true)
      expect(endsWell(() => openEnvelope(envelope, { agreedKey: new Uint8Array(32).fill(1) }))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('a fault never holds the key or the text', () => {
  const symKey = fromHex(type0[0]?.symKey ?? '')
  const fault = faultOf(() => openEnvelope(bad[1]?.encoded ?? '', { symKey }))
  expect(JSON.stringify([fault.message, fault.facts])).not.toMatch(/7a66de66|jsonrpc|AAABAg/)
})

test('a thousand messages under one key all differ and all open', () => {
  const symKey = fromHex(type0[0]?.symKey ?? '')
  const envelopes = Array.from({ length: 1000 }, (_, n) => {
    const iv = Uint8Array.of(n >> 8, n & 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    return sealEnvelope({ text: 'the same text', symKey, iv })
  })
  expect(new Set(envelopes).size).toBe(1000)
  expect(new Set(envelopes.map(envelope => openEnvelope(envelope, { symKey })))).toEqual(new Set(['the same text']))
})
