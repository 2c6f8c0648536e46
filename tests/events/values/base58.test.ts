import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBase58, encodeBase58 } from '../../../src/events/values/solana/base58.ts'

/** Any bytes, some with zeros in front. */
const someBytes = fc
  .tuple(fc.nat(5), fc.uint8Array({ maxLength: 100 }))
  .map(([zeros, rest]) => Uint8Array.from([...new Uint8Array(zeros), ...rest]))
const longest = Uint8Array.from({ length: 1232 }, (_, at) => (at * 37 + 255) & 255)

describe('base58', () => {
  test('of any bytes is the text that the library writes, and leads back to them', () => {
    fc.assert(
      fc.property(someBytes, bytes => {
        const text = encodeBase58(bytes)
        expect(text).toBe(bs58.encode(bytes))
        expect(decodeBase58(text)).toEqual(bytes)
      }),
    )
    expect(encodeBase58(longest)).toBe(bs58.encode(longest))
    expect(decodeBase58(bs58.encode(longest))).toEqual(longest)
    expect(decodeBase58(encodeBase58(new Uint8Array(64).fill(255)))).toEqual(new Uint8Array(64).fill(255))
  })

  test('of any text is read as the library reads it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'1zZ2A0OIl é一') }), text => {
        expect(decodeBase58(text)).toEqual(bs58.decodeUnsafe(text))
      }),
    )
  })

  test('is refused when it is too long', () => {
    expect(decodeBase58('1'.repeat(2048))?.length).toBe(2048)
    expect(decodeBase58('1'.repeat(2049))).toBeUndefined()
  })
})
