/** The Blockchain API's swaps and on-ramp. */
import { describe, expect, test } from 'vitest'
import { fixtureEvmAccount } from '../stack/services/fixtures.ts'
import { envelope, mainnet, project, projectId, servicesHarness } from './servicesHarness.ts'

const here = servicesHarness('services convert')
const { ask } = here
const native = 'eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
const usdc = 'eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const usdt = 'eip155:1:0xdac17f958d2ee523a2206206994597c13d831ec7'
const user = `eip155:1:${fixtureEvmAccount}`
const get = (path: string, query: string) => ask(`/v1/convert/${path}?${project}&${query}`)

describe('swap tokens', () => {
  test('of Ethereum have CAIP-10 addresses, and an address narrows them to one', async () => {
    const { body } = await get('tokens', 'chainId=eip155:1')
    const { tokens } = body as { tokens: Record<string, unknown>[] }
    expect(tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'USDC', 'USDT', 'DAI'])
    expect(tokens[1]).toEqual({
      name: 'USD Coin',
      symbol: 'USDC',
      address: usdc,
      decimals: 6,
      logoUri: expect.stringMatching(/^http/) as string,
      eip2612: true,
    })
    expect(tokens[3]).toMatchObject({ logoUri: null, eip2612: null })
    const one = await get('tokens', `chainId=eip155:1&address=${usdc}`)
    expect(one.body).toMatchObject({ tokens: [{ symbol: 'USDC' }] })
  })
  test('of Solana are refused: it has no swap provider', async () => {
    expect(await get('tokens', `chainId=${mainnet}`)).toMatchObject({
      status: 400,
      body: { status: 'FAILED', reasons: [{ field: 'chainId', description: `Chain ID ${mainnet} is not supported` }] },
    })
  })
})

describe('swap quotes', () => {
  const quote = (amount: string, from = usdc, to = usdt) =>
    get('quotes', `amount=${amount}&userAddress=${user}&from=${from}&to=${to}&gasPrice=1`)

  test('follow the prices: dollar for dollar, and less than a coin for its price', async () => {
    expect((await quote('1500000')).body).toEqual({
      quotes: [{ id: null, fromAmount: '1500000', fromAccount: usdc, toAmount: '1500000', toAccount: usdt }],
    })
    await here.control({ set: { clock: 0 } })
    const { body } = await quote('1000000000000000000', native, usdc)
    expect(body).toMatchObject({ quotes: [{ toAmount: '2406978000' }] })
  })
  test('of an amount that buys nothing are empty', async () => {
    expect((await quote('0')).body).toEqual({ quotes: [] })
    expect((await quote('1', 'eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f', usdc)).body).toEqual({ quotes: [] })
  })
  test('over two chains, of a decimal amount or an unknown token are 400', async () => {
    for (const answer of [
      await quote('1', usdc, usdt.replace('eip155:1', 'eip155:137')),
      await quote('1.5'),
      await quote('1', `eip155:1:0x${'00'.repeat(20)}`),
    ])
      expect([answer.status, answer.body]).toEqual([400, envelope('')])
  })
})

describe('swap preparation', () => {
  test('allowance is unlimited for a coin and USDC, none for USDT', async () => {
    const unlimited = ((1n << 256n) - 1n).toString()
    const of = async (token: string) => (await get('allowance', `tokenAddress=${token}&userAddress=${user}`)).body
    expect(await of(native)).toEqual({ allowance: unlimited })
    expect(await of(usdc)).toEqual({ allowance: unlimited })
    expect(await of(usdt)).toEqual({ allowance: '0' })
    expect((await get('allowance', `tokenAddress=${usdt}&userAddress=x`)).body).toEqual(envelope('address'))
  })
  test('gas prices are wei by speed', async () => {
    const wei = expect.stringMatching(/^\d+$/) as string
    expect((await get('gas-price', 'chainId=eip155:1')).body).toEqual({ standard: wei, fast: wei, instant: wei })
    expect((await get('gas-price', `chainId=${mainnet}`)).status).toBe(400)
  })
  test('an approval calls the source token', async () => {
    const { body } = await get('build-approve', `userAddress=${user}&from=${usdt}&to=${usdc}`)
    expect(body).toEqual({
      tx: {
        from: usdt,
        to: usdt,
        data: expect.stringMatching(/^0x095ea7b3[0-9a-f]{64}f{64}$/) as string,
        value: '0',
        eip155: { gasPrice: expect.stringMatching(/^\d+$/) as string },
      },
    })
    const { body: limited } = await get('build-approve', `userAddress=${user}&from=${usdt}&to=${usdc}&amount=5`)
    expect((limited as { tx: { data: string } }).tx.data).toMatch(/05$/)
  })
  const swap = { projectId, amount: '2000000', from: usdc, to: usdt, userAddress: user, eip155: { slippage: 1 } }
  const build = (body: unknown) => ask('/v1/convert/build-transaction', { body })

  test('a swap names the amount it buys', async () => {
    expect((await build({ ...swap, disableEstimate: true })).body).toEqual({
      tx: {
        from: user,
        to: expect.stringMatching(/^eip155:1:0x[0-9a-f]{40}$/) as string,
        data: expect.stringMatching(/^0x[0-9a-f]+$/) as string,
        amount: '2000000',
        eip155: { gas: '165000', gasPrice: '1200000000' },
      },
    })
  })
  test('a swap without slippage is 400, of wrong types 422, of a bad project 401, broken 400', async () => {
    const { eip155: _, ...without } = swap
    expect(await build(without)).toMatchObject({ status: 400, body: envelope('') })
    expect(await build({ ...swap, eip155: { slippage: '1' } })).toMatchObject({ status: 422, text: '' })
    expect(await build({ ...swap, amount: 2 })).toMatchObject({ status: 422, text: '' })
    expect(await build({ ...swap, projectId: 'x' })).toMatchObject({ status: 401, body: envelope('authentication') })
    expect(await build('{')).toMatchObject({ status: 400, body: undefined })
    expect(await build({ ...swap, to: 'eip155:137:0x' })).toMatchObject({ status: 400, body: envelope('') })
  })
})

describe('on-ramp', () => {
  const wallets = [{ address: fixtureEvmAccount, blockchains: ['ethereum'], assets: ['USDC'] }]
  const url = (body: unknown) => ask(`/v1/generators/onrampurl?projectId=${projectId}`, { body })

  test('the address of the payment page carries the request, whatever the content type', async () => {
    const { body } = await url({
      destinationWallets: wallets,
      defaultNetwork: 'ethereum',
      partnerUserId: projectId,
      defaultExperience: 'buy',
      presetFiatAmount: 50,
    })
    const page = new URL((body as { url: string }).url)
    expect(page.origin + page.pathname).toBe('https://pay.coinbase.com/buy/select-asset')
    expect(Object.fromEntries(page.searchParams)).toEqual({
      appId: 'local',
      destinationWallets: JSON.stringify(wallets),
      partnerUserId: projectId,
      defaultNetwork: 'ethereum',
      defaultExperience: 'buy',
      presetFiatAmount: '50',
    })
  })
  test('a decimal amount or a missing wallet is a plain 400', async () => {
    const good = { destinationWallets: wallets, partnerUserId: projectId, defaultExperience: 'buy' }
    expect(await url({ ...good, presetFiatAmount: 50.5 })).toMatchObject({ status: 400, body: undefined })
    expect(await url({ ...good, destinationWallets: 'x' })).toMatchObject({ status: 400, body: undefined })
  })
  test('options list payment limits and purchase networks', async () => {
    const { body } = await ask(`/v1/onramp/options?${project}`)
    expect(body).toMatchObject({
      paymentCurrencies: [
        {
          id: 'USD',
          payment_method_limits: [
            { id: 'card', min: '10.00', max: '7500.00' },
            { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
          ],
        },
        { id: 'EUR' },
        { id: 'GBP' },
      ],
      purchaseCurrencies: [{ symbol: 'USDC' }, { symbol: 'ETH' }],
    })
    const { purchaseCurrencies } = body as { purchaseCurrencies: { networks: unknown[] }[] }
    const text = expect.any(String) as string
    expect(purchaseCurrencies[0]?.networks[0]).toEqual({
      name: 'ethereum-mainnet',
      display_name: text,
      chain_id: '1',
      contract_address: text,
    })
  })
  test('a quote adds fee and network fee', async () => {
    const request = {
      purchaseCurrency: { symbol: 'USDC' },
      paymentCurrency: { id: 'USD' },
      amount: '100',
      network: 'USDC',
    }
    const quote = (body: unknown) => ask(`/v1/onramp/quote?projectId=${projectId}`, { body })
    expect((await quote(request)).body).toEqual({
      paymentTotal: { amount: '101.75', currency: 'USD' },
      paymentSubtotal: { amount: '100.00', currency: 'USD' },
      purchaseAmount: { amount: '100.00', currency: 'USDC' },
      networkFee: { amount: '0.25', currency: 'USD' },
      quoteId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    })
    expect((await quote({ ...request, amount: 100 })).status).toBe(422)
    expect((await quote({ ...request, amount: '-1' })).status).toBe(400)
  })
})

test.each([
  'convert/tokens',
  'convert/quotes',
  'convert/allowance',
  'convert/gas-price',
  'convert/build-approve',
  'onramp/options',
])('%s: no project id is a plain 400, a malformed one 401', async path => {
  expect(await ask(`/v1/${path}`)).toMatchObject({ status: 400, body: undefined })
  expect(await ask(`/v1/${path}?projectId=x`)).toMatchObject({ status: 401, body: envelope('authentication') })
})
