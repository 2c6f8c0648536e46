/** The stack's verify service: its attestations, and the refusal of unknown switches. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { witnessing } from '../stack/verify/switches.ts'
import { startVerify, type VerifyStack } from '../stack/verify/verify.ts'

let verify: VerifyStack
beforeAll(async () => {
  verify = await startVerify()
})
afterEach(() => verify.control(witnessing))
afterAll(() => verify.close())

const [id, decryptedId] = ['ab'.repeat(32), 'cd'.repeat(32)]
const page = (changes: Record<string, string> = {}) => {
  const query = new URLSearchParams({ projectId: 'p', origin: 'https://dapp.example', id, decryptedId, ...changes })
  return fetch(`${verify.url}/v3/attestation?${query.toString()}`)
}
const control = (body: unknown) => fetch(`${verify.url}/control`, { method: 'POST', body: JSON.stringify(body) })

test('verify service: only the origin named by its page may frame it', async () => {
  const answer = await page()
  expect(answer.headers.get('content-security-policy')).toBe('frame-ancestors https://dapp.example')
  expect(await answer.text()).toContain('verify_attestation')
})

test('verify service: it stores attestations by the hash of the inner text, and nothing else', async () => {
  await page({ decryptedId: 'ef'.repeat(32) })
  const found = await fetch(`${verify.url}/attestation/${'ef'.repeat(32)}?v2Supported=true`)
  expect(await found.json()).toMatchObject({ origin: 'https://dapp.example', isVerified: true, isScam: false })
  expect((await fetch(`${verify.url}/attestation/${'12'.repeat(32)}?v2Supported=true`)).status).toBe(404)
})

test.each([{ id: 'AB' }, { decryptedId: '' }, { origin: '' }, { projectId: '' }])(
  'verify service: a question with %j is refused',
  async changes => {
    expect((await page(changes)).status).toBe(400)
  },
)

test('verify service: its public key can be read from any page, with its expiry', async () => {
  const began = Date.now()
  const answer = await fetch(`${verify.url}/v3/public-key`, { headers: { origin: 'https://wallet.example' } })
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  const { publicKey, expiresAt } = (await answer.json()) as { publicKey: object; expiresAt: number }
  expect(publicKey).toMatchObject({ kty: 'EC', crv: 'P-256' })
  expect(expiresAt * 1000).toBeGreaterThan(began)
})

test.each([
  [{ page: 'loud' }, 'verify control: page expected one of well, '],
  [{ delayMs: -1 }, 'verify control: delayMs expected a whole number from 0 to 600000, got -1'],
  [{ isScam: 1 }, 'verify control: isScam expected a boolean, got 1'],
  [{ toString: true }, 'verify control: toString expected to be page, key, delayMs, isVerified, isScam or newKey'],
  [[], 'verify control expected an object of switches'],
])('verify service: a control order of %j is refused with a sentence', async (body, words) => {
  const answer = await control(body)
  expect(answer.status).toBe(400)
  expect(((await answer.json()) as { error: string }).error).toContain(words)
})

test('verify service: a valid control order holds until the next one', async () => {
  expect((await control({ page: 'errorPage' })).status).toBe(200)
  expect((await page()).status).toBe(503)
  await control({ page: 'well' })
  expect((await page()).status).toBe(200)
})
