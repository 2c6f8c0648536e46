import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createJudge, type JudgePorts, type VerifyKey } from '../../../../src/worker/drivers/walletconnect/attested.ts'
import { createHttp } from '../../../../src/worker/host/aloneTransport.ts'
import { toBase64url, toUtf8 } from '../../../../src/worker/walletconnect/crypto/encoding.ts'
import { readAttestation, validationOfLink } from '../../../../src/worker/walletconnect/auth/attestation.ts'
import { attestationIn } from '../../../stack/verify/frame.ts'
import type { Claims } from '../../../stack/verify/signing.ts'
import { witnessing } from '../../../stack/verify/switches.ts'
import { startVerify, type VerifyStack } from '../../../stack/verify/verify.ts'
import { endsWell, faultOf } from '../../walletconnect/refusals.ts'

const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
const envelopeHash = 'ab'.repeat(32)
const nowMs = 1_799_000_000_000
const about = { envelopeHash, peerUrl: 'https://wallet.example/about' }
const claims = {
  id: envelopeHash,
  origin: 'https://wallet.example',
  exp: nowMs / 1000 + 60,
  isVerified: true,
  isScam: false,
}

let verify: VerifyStack
let service: CryptoKeyPair
let key: VerifyKey

async function signed(said: Record<string, unknown>, head: Record<string, unknown> = { alg: 'ES256', typ: 'JWT' }) {
  const text = [head, said].map(part => toBase64url(toUtf8(JSON.stringify(part)))).join('.')
  const bytes = toUtf8(text).slice()
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, service.privateKey, bytes)
  return `${text}.${toBase64url(new Uint8Array(signature))}`
}

const nobody: JudgePorts['http'] = { json: () => Promise.reject(new Error('nobody asks here')) }
const validationIn = (
  jwt: string,
  what: Parameters<ReturnType<typeof createJudge>['validationIn']>[1],
  by: VerifyKey,
) => createJudge({ http: nobody, now: () => nowMs, key: by }).validationIn(jwt, what)

afterEach(() => {
  vi.useRealTimers()
  verify.control(witnessing)
})
afterAll(() => verify.close())
beforeAll(async () => {
  verify = await startVerify()
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
  ])('%s is invalid', async (_what, changes) => {
    expect(await validationIn(await signed({ ...claims, ...changes }), about, key)).toBe('INVALID')
  })

  test.each([
    ['the wallet names', {}, about],
    ['it does not name', { origin: 'https://evil.example' }, about],
    ['a wallet has that names no page', {}, { ...about, peerUrl: undefined }],
  ])('of an origin known for fraud is a threat, even the one %s', async (_what, changes, what) => {
    expect(await validationIn(await signed({ ...claims, isScam: true, ...changes }), what, key)).toBe('THREAT')
  })

  test.each([
    ['about another message', { id: 'cd'.repeat(32) }],
    ['that has run out', { exp: nowMs / 1000 }],
    ['of an origin that the service has not verified', { isVerified: false }],
    ['without an origin', { origin: undefined }],
    ['about another message, of a fraud', { id: 'cd'.repeat(32), isScam: true }],
    ['of a fraud that the service has not verified', { isVerified: false, isScam: true }],
  ])('with %s has no verdict', async (_what, changes) => {
    expect(await validationIn(await signed({ ...claims, ...changes }), about, key)).toBe('UNKNOWN')
  })

  test('signed by another key, or changed, has no verdict', async () => {
    const jwt = await signed(claims)
    const other = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', other.publicKey)
    expect(await validationIn(jwt, about, { x, y })).toBe('UNKNOWN')
    const [head, , signature] = jwt.split('.')
    const body = toBase64url(toUtf8(JSON.stringify({ ...claims, origin: 'https://evil.example' })))
    expect(await validationIn(`${head}.${body}.${signature}`, about, key)).toBe('UNKNOWN')
  })

  test('under another algorithm is ignored', async () => {
    for (const alg of ['none', 'HS256', 'EdDSA'])
      expect(await validationIn(await signed(claims, { alg }), about, key)).toBe('UNKNOWN')
  })

  test('is not believed without a key', async () => {
    expect(await validationIn(await signed(claims), about, { x: 'AA', y: 'AA' })).toBe('UNKNOWN')
  })

  test('of a wallet without a page has no verdict', async () => {
    expect(await validationIn(await signed(claims), { ...about, peerUrl: undefined }, key)).toBe('UNKNOWN')
  })

  test('of any text ends in a fault that quotes none of it', () => {
    fc.assert(fc.property(fc.string(), text => void endsWell(() => readAttestation(text))))
    expect(faultOf(() => readAttestation('secret.secret.secret')).message).not.toContain('secret')
  })
})

describe('the verify service’s key', () => {
  /** A judge that reads the key from a real service; the test sets its clock. */
  function judging() {
    const clock = { now: Date.now() }
    const judge = createJudge({ http: createHttp(), now: () => clock.now, url: verify.url })
    const said = async (claim: Partial<Claims> = {}) => {
      const { url, id } = { url: `${verify.url}/v3/attestation`, id: about.envelopeHash }
      const query = new URLSearchParams({ projectId: 'p', id, decryptedId: id })
      const jwt = await attestationIn(`${url}?${query.toString()}`, claim.origin ?? claims.origin)
      return judge.validationIn(jwt, about)
    }
    return { clock, said }
  }
  const asked = () => verify.state().keys

  test('is read once, at the first use, and used from then on', async () => {
    const { clock, said } = judging()
    const before = asked()
    expect(await said()).toBe('VALID')
    expect(await said({ origin: 'https://evil.example' })).toBe('INVALID')
    expect(asked() - before).toBe(1)
    clock.now += 120_000
    expect([await said(), asked() - before]).toEqual(['VALID', 1])
  })

  test('that expired is read again, once a minute at most, and serves until there is another', async () => {
    verify.control({ key: 'over' })
    const { clock, said } = judging()
    const before = asked()
    expect([await said(), await said(), asked() - before]).toEqual(['VALID', 'VALID', 1])
    verify.control({ key: 'well' })
    clock.now += 60_000
    expect([await said(), asked() - before]).toEqual(['VALID', 2])
    clock.now += 60_000
    expect([await said(), asked() - before]).toEqual(['VALID', 2])
  })

  test('is read again once when it does not fit, as the service may have another by now', async () => {
    const { clock, said } = judging()
    await said()
    verify.control({ newKey: true })
    const before = asked()
    // At most one key request a minute, however many invalid attestations come
    expect([await said(), asked() - before]).toEqual(['UNKNOWN', 0])
    clock.now += 60_000
    expect([await said(), await said(), asked() - before]).toEqual(['VALID', 'VALID', 1])
    clock.now += 60_000
    verify.control({ page: 'wrongSignature' })
    expect([await said(), await said(), asked() - before]).toEqual(['UNKNOWN', 'UNKNOWN', 2])
  })

  test('is not read for attestations valid under no key', async () => {
    const { said } = judging()
    const before = asked()
    for (const page of ['wrongId', 'expired'] as const) {
      verify.control({ page })
      expect(await said()).toBe('UNKNOWN')
    }
    verify.control({ page: 'well', isVerified: false })
    expect([await said(), asked() - before]).toEqual(['UNKNOWN', 0])
  })

  test.each(['errorPage', 'garbage', 'noPoint'] as const)(
    'that cannot be read (%s) leaves it unknown, and is not read again at once',
    async key => {
      verify.control({ key })
      const { said } = judging()
      const before = asked()
      expect([await said(), await said(), asked() - before]).toEqual(['UNKNOWN', 'UNKNOWN', 1])
    },
  )

  test('that does not come delays a message by a second and a half at most, and the next not at all', async () => {
    const clock = { now: nowMs }
    const jwt = await signed(claims)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const judge = createJudge({
      http: { json: () => new Promise(() => undefined) },
      now: () => clock.now,
      url: 'https://verify.example',
    })
    const first = judge.validationIn(jwt, about)
    await vi.advanceTimersByTimeAsync(1500)
    expect(await first).toBe('UNKNOWN')
    clock.now += 1500
    expect(await judge.validationIn(jwt, about)).toBe('UNKNOWN')
  })

  test('that is configured is the only accepted one', async () => {
    const { x = '', y = '' } = await crypto.subtle.exportKey('jwk', service.publicKey)
    const before = asked()
    const jwt = await signed({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 })
    const own = createJudge({ http: createHttp(), now: Date.now, url: verify.url, key: { x, y } })
    expect(await own.validationIn(jwt, about)).toBe('VALID')
    const query = new URLSearchParams({ projectId: 'p', id: envelopeHash, decryptedId: envelopeHash })
    const theirs = await attestationIn(`${verify.url}/v3/attestation?${query.toString()}`, claims.origin)
    expect([await own.validationIn(theirs, about), asked() - before]).toEqual(['UNKNOWN', 0])
  })
})

test.each([
  ['https://wallet.example/app', 'https://wallet.example', 'VALID'],
  ['https://WALLET.example:443/app', 'https://wallet.example/about', 'VALID'],
  ['https://evil.example/app', 'https://wallet.example', 'INVALID'],
  ['https://wallet.example:8443', 'https://wallet.example', 'INVALID'],
  [undefined, 'https://wallet.example', 'INVALID'],
  ['https://wallet.example', '', 'INVALID'],
])('attested: a link of %s from a wallet at %s is %s', (universal, url, validation) => {
  expect(validationOfLink(universal, url)).toBe(validation)
})
