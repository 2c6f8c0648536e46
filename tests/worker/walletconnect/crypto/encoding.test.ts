import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fromBase64 } from '../../../../src/worker/walletconnect/crypto/base64.ts'
import {
  fromBase64url,
  fromHex,
  fromUtf8,
  toBase64,
  toBase64url,
  toUtf8,
} from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { endsWell, faultOf } from '../refusals.ts'

const bytes = fc.uint8Array({ maxLength: 200 })

describe('bytes as text', () => {
  test('are the same bytes when read back, in each form', () => {
    fc.assert(
      fc.property(bytes, given => {
        expect(fromHex(toHex(given))).toEqual(given)
        expect(fromBase64(toBase64(given))).toEqual(given)
        expect(fromBase64url(toBase64url(given))).toEqual(given)
      }),
    )
  })

  test('are written as the platform writes them', () => {
    fc.assert(
      fc.property(bytes, given => {
        const peer = Buffer.from(given)
        expect(toHex(given)).toBe(peer.toString('hex'))
        expect(toBase64(given)).toBe(peer.toString('base64'))
        expect(toBase64url(given)).toBe(peer.toString('base64url'))
      }),
    )
  })

  test('have one text only: whatever a decoder accepts is what the encoder writes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 12 }), fc.base64String({ maxLength: 12 })), text => {
        endsWell(() => expect(toBase64(fromBase64(text))).toBe(text))
        endsWell(() => expect(toBase64url(fromBase64url(text))).toBe(text))
      }),
      { numRuns: 1000 },
    )
  })

  test.each([
    ['a blank', 'AA A'],
    ['a line break', 'AAA\n'],
    ['the other alphabet', 'AA-_'],
    ['no padding', 'AAA'],
    ['padding inside', 'AA==AAAA'],
    ['too much padding', 'A==='],
    ['spare bits that are not zero', 'AB=='],
    ['a letter beyond ASCII', 'AAAé'],
  ])('base64 with %s is refused', (_why, text) => {
    expect(faultOf(() => fromBase64(text, 'envelope')).code).toBe('bad_input')
  })

  test.each(['AA==', 'AA+/', 'A', 'AB'])('base64url %s is refused', text => {
    expect(faultOf(() => fromBase64url(text)).code).toBe('bad_input')
  })

  test.each(['0', '0g', '0x', 'zz', ' 0', '０0'])('hex %s is refused and not repeated', text => {
    const fault = faultOf(() => fromHex(text, 'symmetric key'))
    expect(fault.code).toBe('bad_input')
    expect(fault.message).toMatch(/^symmetric key expected/)
  })

  test('upper-case hex is read like lower-case', () => {
    expect(fromHex('ABcd')).toEqual(Uint8Array.of(0xab, 0xcd))
  })

  test('bytes that are no UTF-8 are refused', () => {
    expect(faultOf(() => fromUtf8(Uint8Array.of(0xc3, 0x28))).code).toBe('bad_input')
    expect(fromUtf8(toUtf8('Zażółć 🚀'))).toBe('Zażółć 🚀')
  })
})
