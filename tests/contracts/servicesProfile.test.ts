/** The Blockchain API's names and smart sessions. */
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, test } from 'vitest'
import { fixtureAccount, fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { createEthereumAccount } from '../stack/wallet/ethereum.ts'
import { envelope, project, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services profile')
const { ask } = here
const nowSeconds = 1_800_000_000
const wallet = createEthereumAccount(hexToBytes('11'.repeat(32)))
const lookUp = (name: string, query = '&apiVersion=2') => ask(`/v1/profile/account/${name}?${project}${query}`)

/** A signed registration at the clock's time. */
const registration = (changes: Record<string, unknown> = {}, message: Record<string, unknown> = {}) => {
  const text = JSON.stringify({ name: 'bobby.reown.id', attributes: {}, timestamp: nowSeconds, ...message })
  const signature = wallet.answer({
    method: 'personal_sign',
    params: [`0x${Buffer.from(utf8ToBytes(text)).toString('hex')}`, wallet.address],
  })
  return { coin_type: 2_147_483_649, address: wallet.address, message: text, signature, ...changes }
}
const register = async (body: unknown) => {
  await here.control({ set: { clock: nowSeconds * 1000 } })
  return ask('/v1/profile/account', { body })
}

describe('names', () => {
  test('the fixture is found by name and by address', async () => {
    const { body } = await lookUp('alice.reown.id')
    const iso = expect.stringMatching(/^\d{4}-.*Z$/) as string
    expect(body).toEqual({
      name: 'alice.reown.id',
      registered_at: iso,
      updated_at: iso,
      attributes: {},
      addresses: { 60: { address: fixtureEvmAccount, created_at: iso } },
    })
    expect((await ask(`/v1/profile/reverse/${fixtureEvmAccount}?${project}&apiVersion=2`)).body).toEqual([body])
  })
  test('an unknown name is an empty list, and 404 without the second version', async () => {
    expect(await lookUp('nadine.reown.id')).toMatchObject({ status: 200, body: [] })
    expect(await lookUp('nadine.reown.id', '')).toMatchObject({ status: 404, body: envelope('name') })
    const reverse = (query: string) => ask(`/v1/profile/reverse/${fixtureAccount}?${project}${query}`)
    expect(await reverse('&apiVersion=2')).toMatchObject({ status: 200, body: [] })
    expect(await reverse('')).toMatchObject({ status: 404, body: envelope('address') })
  })
  test.each(['al.reown.id', 'alice.reown', 'Alice.reown.id', 'alice.other.id', 'a_b_c.reown.id'])(
    'a name outside the grammar is 400: %s',
    async name => {
      expect(await lookUp(name)).toMatchObject({ status: 400, body: envelope('name') })
    },
  )
  test('suggestions begin with the name itself and have at most five free ones', async () => {
    const suggest = (label: string) => ask(`/v1/profile/suggestions/${label}?${project}&zone=reown.id`)
    expect((await suggest('alice')).body).toEqual({ suggestions: [{ name: 'alice.reown.id', registered: true }] })
    const { body } = await suggest('ali')
    expect(body).toEqual({
      suggestions: ['ali', 'alibi', 'alight', 'alive'].map(word => ({ name: `${word}.reown.id`, registered: false })),
    })
    expect(await suggest('al')).toMatchObject({ status: 400, body: envelope('name') })
    const reset = await ask(`/v1/profile/suggestions/alice?${project}&zone=other.id`)
    expect(reset).toMatchObject({ status: 400, body: envelope('name') })
  })
})

describe('registration', () => {
  test('of a signed name answers it with success, and it is found until a reset', async () => {
    const { status, body } = await register(registration())
    const held = { address: wallet.address, created_at: new Date(nowSeconds * 1000).toISOString() }
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        name: 'bobby.reown.id',
        registered_at: held.created_at,
        updated_at: held.created_at,
        attributes: {},
        addresses: { 60: held, 2147483649: held },
      },
    ])
    expect((await lookUp('bobby.reown.id')).body).toMatchObject({ name: 'bobby.reown.id' })
    expect(await register(registration())).toMatchObject({ status: 400, body: envelope('name') })
    await here.control({ reset: true })
    expect((await lookUp('bobby.reown.id')).body).toEqual([])
  })
  test("with another's signature or another text is 401", async () => {
    const other = registration({ address: fixtureEvmAccount })
    expect(await register(other)).toMatchObject({ status: 401, body: envelope('signature') })
    const changed = registration({ message: registration({}, { name: 'other.reown.id' }).message })
    expect(await register(changed)).toMatchObject({ status: 401, body: envelope('signature') })
    expect(await register(registration({ signature: '0x12' }))).toMatchObject({
      status: 401,
      body: envelope('signature'),
    })
  })
  test.each([
    ['name', {}, { name: 'alice.reown.id' }],
    ['name', {}, { name: 'bo.reown.id' }],
    ['timestamp', {}, { timestamp: nowSeconds - 11 }],
    ['timestamp', {}, { timestamp: nowSeconds + 11 }],
    ['attributes', {}, { attributes: { email: 'x' } }],
    ['attributes', {}, { attributes: { bio: '<b>' } }],
    ['coin_type', { coin_type: 501 }, {}],
    ['address', { address: fixtureAccount }, {}],
  ])('with an invalid %s is 400', async (field, changes, message) => {
    expect(await register(registration(changes, message))).toMatchObject({ status: 400, body: envelope(field) })
  })
  test('of a message that is not JSON is 422, of a body that is not JSON 400', async () => {
    expect(await register(registration({ message: 'hello' }))).toMatchObject({ status: 422, text: '' })
    expect(await register(registration({ coin_type: '60' }))).toMatchObject({ status: 422, text: '' })
    expect(await register('{')).toMatchObject({ status: 400, body: undefined })
  })
  test('takes a clock ten seconds apart and a short biography', async () => {
    const signed = registration({ coin_type: 60 }, { timestamp: nowSeconds + 10, attributes: { bio: 'I sail.' } })
    expect((await register(signed)).body).toMatchObject({ success: true, attributes: { bio: 'I sail.' } })
  })
})

describe('smart sessions', () => {
  const account = `eip155:1:${fixtureEvmAccount}`
  const list = async (of = account) => (await ask(`/v1/sessions/${of}?${project}`)).body as { pcis: { pci: string }[] }
  const revoke = (body: unknown) => ask(`/v1/sessions/${account}/revoke?projectId=${projectId}`, { body })

  test('the fixture has one, another account none', async () => {
    await here.control({ set: { clock: nowSeconds * 1000 } })
    const createdAt = (Math.floor(nowSeconds / 86_400) - 10) * 86_400
    expect(await list()).toEqual({
      pcis: [
        {
          project: {
            id: expect.any(String) as string,
            name: 'Harbour Games',
            url: 'https://harbour.example',
            iconUrl: null,
          },
          pci: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          createdAt,
          expiry: createdAt + 30 * 86_400,
          permissions: [{ type: 'contract-call', data: expect.anything() as unknown }],
          policies: [],
          context: '0x01',
          revokedAt: null,
        },
      ],
    })
    expect(await list(`eip155:1:0x${'00'.repeat(20)}`)).toEqual({ pcis: [] })
    expect((await ask(`/v1/sessions/${fixtureEvmAccount}?${project}`)).body).toEqual(envelope('address'))
  })
  test('a revocation is answered with an empty record and shows in the list, once', async () => {
    await here.control({ set: { clock: nowSeconds * 1000 } })
    const pci = (await list()).pcis[0]?.pci
    expect(await revoke({ pci, signature: '0x1' })).toMatchObject({ status: 200, body: {} })
    expect(await list()).toMatchObject({ pcis: [{ pci, revokedAt: nowSeconds }] })
    expect(await revoke({ pci, signature: '0x1' })).toMatchObject({ status: 400, body: envelope('pci') })
    expect(await revoke({ pci: 'other', signature: '0x1' })).toMatchObject({ status: 400, body: envelope('pci') })
    expect((await revoke({ pci })).status).toBe(422)
    await here.control({ reset: true })
    expect(await list()).toMatchObject({ pcis: [{ revokedAt: null }] })
  })
})

test.each(['profile/account/alice.reown.id', 'profile/reverse/x', 'profile/suggestions/alice', 'sessions/x'])(
  '%s: no project id is a plain 400, a malformed one 401',
  async path => {
    expect(await ask(`/v1/${path}`)).toMatchObject({ status: 400, body: undefined })
    expect(await ask(`/v1/${path}?projectId=x`)).toMatchObject({ status: 401, body: envelope('authentication') })
  },
)
