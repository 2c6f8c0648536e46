import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '../../../../src/worker/walletconnect/crypto/clientId.ts'
import { fromBase64url, fromHex, fromUtf8, toUtf8 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { toHex } from '../../../../src/runtime/hex.ts'
import { relayJwt } from '../../../../src/worker/walletconnect/crypto/jwt.ts'
import { signerOf } from '../agreement.ts'
import { vectors } from '../vectors.ts'

describe('the relay token', () => {
  test.each(vectors.jwt)('for $aud is signed bit for bit', async ({ seed, sub, aud, iat, ttl, jwt, signature }) => {
    const signer = signerOf(fromHex(seed))
    const token = await relayJwt({ signer, sub, aud, iat, ttl })
    expect(token).toBe(jwt)
    expect(await relayJwt({ signer, sub, aud, iat })).toBe(jwt)
    expect(toHex(fromBase64url(token.split('.')[2] ?? ''))).toBe(signature)
  })

  test('is verified by the key its issuer names', async () => {
    const { seed, sub } = vectors.jwt[0] ?? { seed: '', sub: '' }
    const token = await relayJwt({ signer: signerOf(fromHex(seed)), sub, aud: 'wss://relay.example/?a=é', iat: 1 })
    const [header = '', claims = '', signature = ''] = token.split('.')
    const { iss, aud, exp } = JSON.parse(fromUtf8(fromBase64url(claims)))
    expect([aud, exp]).toEqual(['wss://relay.example/?a=é', 86_401])
    expect(ed25519.verify(fromBase64url(signature), toUtf8(`${header}.${claims}`), publicKeyOf(iss))).toBe(true)
  })

  test.each([
    ['sub', { sub: 'x' }, '64 hex digits'],
    ['time', { iat: 1.5 }, 'got 1.5'],
    ['life', { ttl: 0 }, 'got 0'],
    ['key', { signer: { ...signerOf(new Uint8Array(32)), publicKey: new Uint8Array(3) } }, 'got 3'],
  ])('is refused with a malformed %s', async (_, change, said) => {
    const signer = signerOf(new Uint8Array(32))
    const claims = { signer, sub: 'a'.repeat(64), aud: 'wss://relay.example', iat: 1, ...change }
    await expect(relayJwt(claims)).rejects.toMatchObject({ name: 'Fault', message: expect.stringContaining(said) })
  })
})
