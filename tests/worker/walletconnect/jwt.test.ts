import { ed25519 } from '@noble/curves/ed25519.js'
import { describe, expect, test } from 'vitest'
import { publicKeyOf } from '../../../src/worker/walletconnect/clientId.ts'
import { fromBase64url, fromHex, fromUtf8, toHex, toUtf8 } from '../../../src/worker/walletconnect/encoding.ts'
import { relayJwt } from '../../../src/worker/walletconnect/jwt.ts'
import { faultOf } from './refusals.ts'
import { vectors } from './vectors.ts'

describe('the relay token', () => {
  test.each(vectors.jwt)('for $aud is signed bit for bit', ({ seed, sub, aud, iat, ttl, jwt, signature }) => {
    const token = relayJwt({ seed: fromHex(seed), sub, aud, iat, ttl })
    expect(token).toBe(jwt)
    expect(relayJwt({ seed: fromHex(seed), sub, aud, iat })).toBe(jwt)
    expect(toHex(fromBase64url(token.split('.')[2] ?? ''))).toBe(signature)
  })

  test('is verified by the key its issuer names', () => {
    const { seed, sub } = vectors.jwt[0] ?? { seed: '', sub: '' }
    const token = relayJwt({ seed: fromHex(seed), sub, aud: 'wss://relay.example/?a=é', iat: 1 })
    const [header = '', claims = '', signature = ''] = token.split('.')
    const { iss, aud, exp } = JSON.parse(fromUtf8(fromBase64url(claims)))
    expect([aud, exp]).toEqual(['wss://relay.example/?a=é', 86_401])
    expect(ed25519.verify(fromBase64url(signature), toUtf8(`${header}.${claims}`), publicKeyOf(iss))).toBe(true)
  })

  test('is refused with a malformed sub or time', () => {
    const claims = { seed: new Uint8Array(32), sub: 'a'.repeat(64), aud: 'wss://relay.example', iat: 1 }
    expect(faultOf(() => relayJwt({ ...claims, sub: 'x' })).message).toContain('64 hex digits')
    expect(faultOf(() => relayJwt({ ...claims, iat: 1.5 })).message).toContain('got 1.5')
    expect(faultOf(() => relayJwt({ ...claims, ttl: 0 })).message).toContain('got 0')
    expect(faultOf(() => relayJwt({ ...claims, seed: new Uint8Array(3) })).message).toContain('got 3')
  })
})
