/** The Blockchain API's routes that a Solana page calls. */
import { describe, expect, test } from 'vitest'
import { seededKeypair } from '../stack/solana/keys.ts'
import { associatedAccount, transferChecked } from '../stack/solana/programs.ts'
import { fixtureAccount, fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { envelope, mainnet, project, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services account')
const { ask } = here
const visitor = (name: string) => seededKeypair('services account', name).address

describe('supported chains', () => {
  test('lists the three Solana ids and the local chain without a project id, for a day', async () => {
    const { status, headers, body } = await ask('/v1/supported-chains')
    expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=86400, s-maxage=86400'])
    const { http, ws } = body as { http: string[]; ws: string[] }
    expect(http).toEqual(
      expect.arrayContaining([
        'eip155:1',
        mainnet,
        'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
        'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
        `solana:${here.solana.chain.genesisHash.slice(0, 32)}`,
      ]),
    )
    expect(new Set(http).size).toBe(http.length)
    expect(ws).toContain(mainnet)
  })
})

describe('identity', () => {
  test('is empty for Solana and named for the EVM fixture', async () => {
    const solana = await ask(`/v1/identity/${fixtureAccount}?${project}&sender=${fixtureAccount}`)
    expect(solana.body).toEqual({ name: null, avatar: null, resolvedAt: null })
    expect(solana.headers.get('cache-control')).toBe('public, max-age=3600, s-maxage=3600')
    const named = await ask(`/v1/identity/${fixtureEvmAccount}?${project}`)
    expect(named.body).toEqual({
      name: 'alice.eth',
      avatar: expect.stringMatching(/^http:/) as string,
      resolvedAt: expect.stringMatching(/Z$/) as string,
    })
    expect(named.headers.get('cache-control')).toBe('public, max-age=82800, s-maxage=82800')
  })
  test('of an invalid address is 400', async () => {
    const { status, body } = await ask(`/v1/identity/nobody?${project}`)
    expect([status, body]).toEqual([400, envelope('address')])
  })
})

describe('project id', () => {
  test.each([
    `/v1/identity/${fixtureAccount}`,
    `/v1/account/${fixtureAccount}/history`,
    `/v1/account/${fixtureAccount}/balance`,
  ])('missing is a plain 400, malformed a 401: %s', async path => {
    const missing = await ask(path)
    expect([missing.status, missing.body]).toEqual([400, undefined])
    const malformed = await ask(`${path}?projectId=short`)
    expect([malformed.status, malformed.body]).toEqual([401, envelope('authentication')])
  })
})

type Balance = { symbol: string; chainId: string; address?: string; value: number; price: number; iconUrl: string } & {
  quantity: { decimals: string; numeric: string }
}
const balances = async (address: string, query = `chainId=${mainnet}&currency=usd`): Promise<Balance[]> => {
  const { body } = await ask(`/v1/account/${address}/balance?${project}&${query}`)
  return (body as { balances: Balance[] }).balances
}

describe('balance', () => {
  test('is that of the local chain, native marker and token forms included', async () => {
    const owner = visitor('with both')
    here.solana.give(owner, { sol: '2', usdc: '150.5' })
    const found = await balances(owner)
    expect(found.map(({ symbol, address, quantity }) => ({ symbol, address, quantity }))).toEqual([
      {
        symbol: 'SOL',
        address: 'So11111111111111111111111111111111111111111',
        quantity: { decimals: '9', numeric: '2' },
      },
      {
        symbol: 'USDC',
        address: `${mainnet}:${here.solana.info.usdcMint}`,
        quantity: { decimals: '6', numeric: '150.5' },
      },
    ])
    expect(found.map(({ chainId }) => chainId)).toEqual([mainnet, mainnet])
    expect(found[1]).toMatchObject({ name: 'USD Coin', price: 1, value: 150.5 })
    expect(found[0]?.value).toBe((found[0]?.price ?? 0) * 2)
  })
  test('of the sale token has its bare mint and no price', async () => {
    const [token] = (await balances(here.solana.accounts.reserve.address)).filter(({ symbol }) => symbol === 'MAI')
    expect(token).toMatchObject({ address: here.solana.info.saleMint, price: 0, value: 0 })
  })
  test('leaves out a token account that was emptied', async () => {
    const { chain, info } = here.solana
    const owner = seededKeypair('services account', 'emptied')
    here.solana.give(owner.address, { sol: '1', usdc: '2' })
    const move = { mint: info.usdcMint, authority: owner.address, amount: 2_000_000n, decimals: 6 }
    const [from, to] = [associatedAccount(owner.address, info.usdcMint), info.treasuryUsdc]
    chain.run([transferChecked({ ...move, from, to })], [owner])
    expect((await balances(owner.address)).map(({ symbol }) => symbol)).toEqual(['SOL'])
  })
  test('of an unknown account is empty, of a fixture account has a token without decimals', async () => {
    expect(await balances(visitor('new'))).toEqual([])
    expect((await balances(fixtureAccount)).map(({ quantity }) => quantity.decimals)).toEqual(['0'])
    await here.control({ set: { fixtureAccounts: [visitor('new')] } })
    expect(await balances(visitor('new'))).toHaveLength(1)
  })
  test('is empty without origin, without version, of an old version and for a denied project', async () => {
    const path = `/v1/account/${fixtureAccount}/balance?chainId=${mainnet}`
    const asked = async (query: string) => (await ask(`${path}&${query}`)).body
    const filled = { balances: [expect.anything()] }
    expect(await asked(project)).toEqual(filled)
    expect(await asked(`projectId=${projectId}`)).toEqual({ balances: [] })
    const byHeader = await ask(`${path}&projectId=${projectId}`, { headers: { 'x-sdk-version': 'html-solana-1.7.19' } })
    expect(byHeader.body).toEqual(filled)
    expect(await asked(`projectId=${projectId}&sv=html-solana-1.6.4`)).toEqual({ balances: [] })
    expect(await asked(`projectId=${projectId}&sv=html-solana-1.6.5`)).toEqual({ balances: [] })
    const bare = await fetch(`${here.services.url}${path}&${project}`)
    expect(await bare.json()).toEqual({ balances: [] })
    await here.control({ set: { deniedProjects: [projectId] } })
    expect(await asked(project)).toEqual({ balances: [] })
  })
  test('of an EVM account: a coin without address, tokens by CAIP-10, an update adds its token', async () => {
    const all = await balances(fixtureEvmAccount, 'currency=eur')
    expect(all.map(({ symbol, chainId }) => `${chainId} ${symbol}`)).toEqual([
      'eip155:1 ETH',
      'eip155:1 USDC',
      'eip155:137 POL',
      'eip155:137 USDC',
    ])
    expect(all[0]).not.toHaveProperty('address')
    expect(all[1]).toMatchObject({ price: 0.92, value: 138 })
    const dai = 'eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f'
    const updated = await balances(fixtureEvmAccount, `chainId=eip155:1&forceUpdate=${dai}`)
    expect(updated.map(({ address }) => address)).toContain(dai)
  })
  test.each([
    ['currency', `chainId=${mainnet}&currency=xyz`],
    ['chainId', 'chainId=eip155:999999'],
    ['address', 'chainId=eip155:1'],
    ['', `chainId=${mainnet}&forceUpdate=${mainnet}:x`],
  ])('with an invalid input is 400 for field "%s"', async (field, query) => {
    const { status, body } = await ask(`/v1/account/${fixtureAccount}/balance?${project}&${query}`)
    expect([status, body]).toEqual([400, envelope(field)])
  })
})

describe('price', () => {
  const price = (body: unknown, headers = {}) => ask('/v1/fungible/price', { body, headers })
  const solAddress = `${mainnet}:So11111111111111111111111111111111111111111`

  test('prices the first address only, whatever the content type', async () => {
    const body = { currency: 'usd', addresses: [solAddress, `${mainnet}:x`], projectId }
    for (const type of ['application/json', 'text/plain;charset=UTF-8']) {
      const answer = await price(body, { 'content-type': type })
      expect(answer.body).toEqual({
        fungibles: [
          {
            address: solAddress,
            name: 'Solana',
            symbol: 'SOL',
            iconUrl: expect.stringMatching(/getTokenImage\/SOL$/) as string,
            price: expect.any(Number) as number,
            decimals: 9,
          },
        ],
      })
    }
  })
  test('moves with the clock and agrees with the balance; a stable coin stands still', async () => {
    const owner = visitor('priced')
    here.solana.give(owner, { sol: '1', usdc: '1' })
    const seen: number[][] = []
    for (const clock of [1_800_000_000_000, 1_800_000_600_000]) {
      await here.control({ set: { clock } })
      const { body } = await price({ currency: 'usd', addresses: [solAddress], projectId })
      const held = await balances(owner)
      const [first] = (body as { fungibles: { price: number }[] }).fungibles
      expect(held[0]?.price).toBe(first?.price)
      seen.push(held.map(one => one.price))
    }
    expect(seen[0]?.[0]).not.toBe(seen[1]?.[0])
    expect(seen.map(prices => prices[1])).toEqual([1, 1])
  })
  test('refuses: broken JSON and no address 400, wrong currency 422, unknown token 400, bad project 401', async () => {
    const good = { currency: 'usd', addresses: [solAddress], projectId }
    expect(await price('{"currency"')).toMatchObject({ status: 400, body: undefined })
    expect(await price({ ...good, addresses: [] })).toMatchObject({ status: 400, body: envelope('') })
    expect(await price({ ...good, currency: 'xyz' })).toMatchObject({ status: 422, text: '' })
    expect(await price({ ...good, addresses: 'one' })).toMatchObject({ status: 422, text: '' })
    expect(await price({ ...good, addresses: [`${mainnet}:x`] })).toMatchObject({
      status: 400,
      body: envelope('asset'),
    })
    expect(await price({ ...good, projectId: 'x' })).toMatchObject({ status: 401, body: envelope('authentication') })
  })
})
