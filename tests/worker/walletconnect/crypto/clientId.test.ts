import bs58 from 'bs58'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clientIdOf, publicKeyOf } from '../../../../src/worker/walletconnect/crypto/clientId.ts'
import { fromHex } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { signerOf } from '../agreement.ts'
import { faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

describe('the client id', () => {
  test.each(vectors.didKey)('of a seed is $did, and holds its public key', ({ seed, publicKey, did }) => {
    expect(clientIdOf(signerOf(fromHex(seed)).publicKey)).toBe(did)
    expect(clientIdOf(fromHex(publicKey))).toBe(did)
    expect(toHex(publicKeyOf(did))).toBe(publicKey)
  })

  test('of any key is read back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), key => {
        expect(publicKeyOf(clientIdOf(key))).toEqual(key)
      }),
    )
  })

  test.each(['', 'did:key:z', 'did:key:z6Mk0OIl', 'did:web:example', `did:key:z${'1'.repeat(60)}`])(
    'is refused when it is "%s"',
    text => {
      expect(faultOf(() => publicKeyOf(text)).code).toBe('bad_input')
    },
  )

  test('is refused when its key is of another kind', () => {
    const x25519 = `did:key:z${bs58.encode(Uint8Array.of(0xec, 0x01, ...new Uint8Array(32)))}`
    expect(faultOf(() => publicKeyOf(x25519)).message).toContain('Ed25519')
  })
})
