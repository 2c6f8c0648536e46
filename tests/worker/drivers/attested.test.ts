import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { validationIn, type VerifyKey } from '../../../src/worker/drivers/attested.ts'
import { toBase64url, toUtf8 } from '../../../src/worker/walletconnect/encoding.ts'
import { readAttestation, validationOfLink } from '../../../src/worker/walletconnect/attestation.ts'
import { endsWell, faultOf } from '../walletconnect/refusals.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const envelopeHash = 'ab'.repeat(32)
const nowMs = 1_799_000_000_000
const about = { envelopeHash, peerUrl: 'https://wallet.example/about', nowMs }
const claims = {
  id: envelopeHash,
  origin: 'https://wallet.example',
  exp: nowMs / 1000 + 60,
  isVerified: true,
  isScam: false,
}

let service: CryptoKeyPair
let key: VerifyKey

async function signed(said: Record<string, unknown>, head: Record<string, unknown> = { alg: 'ES256', typ: 'JWT' }) {
  const text = [head, said].map(part => toBase64url(toUtf8(JSON.stringify(part)))).join('.')
  const bytes = toUtf8(text).slice()
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, service.privateKey, bytes)
  return `${text}.${toBase64url(new Uint8Array(signature))}`
}

beforeAll(async () => {
  service = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', service.publicKey)
  key = { x, y }
})

describe('an attestation', () => {
  test('of the origin that the wallet names is valid', async () => {
    expect(await validationIn(await signed(claims), about, key)).toBe('VALID')
  })

  test.each([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of another port', { origin: 'https://wallet.example:8443' }],
    ['of an origin that is known for fraud', { isScam: true }],
  ])('%s is invalid', async (_what, changes) => {
    expect(await validationIn(await signed({ ...claims, ...changes }), about, key)).toBe('INVALID')
  })

  test.each([
    ['about another message', { id: 'cd'.repeat(32) }],
    ['that has run out', { exp: nowMs / 1000 }],
    ['of an origin that the service has not verified', { isVerified: false }],
    ['without an origin', { origin: undefined }],
  ])('%s says nothing', async (_what, changes) => {
    expect(await validationIn(await signed({ ...claims, ...changes }), about, key)).toBe('UNKNOWN')
  })

  test('that somebody else signed, or that was changed, says nothing', async () => {
    const jwt = await signed(claims)
    const other = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', other.publicKey)
    expect(await validationIn(jwt, about, { x, y })).toBe('UNKNOWN')
    const [head, , signature] = jwt.split('.')
    const body = toBase64url(toUtf8(JSON.stringify({ ...claims, origin: 'https://evil.example' })))
    expect(await validationIn(`${head}.${body}.${signature}`, about, key)).toBe('UNKNOWN')
  })

  test('under another algorithm is none', async () => {
    for (const alg of ['none', 'HS256', 'EdDSA'])
      expect(await validationIn(await signed(claims, { alg }), about, key)).toBe('UNKNOWN')
  })

  test('is not believed where no key is', async () => {
    expect(await validationIn(await signed(claims), about, { x: 'AA', y: 'AA' })).toBe('UNKNOWN')
  })

  test('of a wallet that names no page says nothing', async () => {
    expect(await validationIn(await signed(claims), { ...about, peerUrl: undefined }, key)).toBe('UNKNOWN')
  })

  test('of whatever text ends in a fault that repeats nothing of it', () => {
    fc.assert(fc.property(fc.string(), text => void endsWell(() => readAttestation(text))))
    expect(faultOf(() => readAttestation('secret.secret.secret')).message).not.toContain('secret')
  })
})

test.each([
  ['https://wallet.example/app', 'https://wallet.example', 'VALID'],
  ['https://WALLET.example:443/app', 'https://wallet.example/about', 'VALID'],
  ['https://evil.example/app', 'https://wallet.example', 'INVALID'],
  ['https://wallet.example:8443', 'https://wallet.example', 'INVALID'],
  [undefined, 'https://wallet.example', 'INVALID'],
  ['https://wallet.example', '', 'INVALID'],
])('a link of %s from a wallet at %s is %s', (universal, url, validation) => {
  expect(validationOfLink(universal, url)).toBe(validation)
})
