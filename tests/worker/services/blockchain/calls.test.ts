import { describe, expect, test } from 'vitest'
import { calls } from '../../../../src/worker/services/blockchain/calls.ts'
import { evmAddress, examples, host, mainnet, quoteAsk, session, solanaAddress } from './examples.ts'

const sdk = `projectId=${host.projectId}&st=appkit&sv=html-solana-1.7.19&clientId=did%3Akey%3Az6Mk`
const client = 'clientId=did%3Akey%3Az6Mk'
const project = `projectId=${host.projectId}&${client}`
const encode = encodeURIComponent
const ether = `eip155:1:0x${'e'.repeat(40)}`
const usdc = 'eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const account = `eip155:1:${evmAddress}`

describe('the request of a call is as the reference lists it', () => {
  test.each<[keyof typeof calls, string]>([
    ['supportedChains', `v1/supported-chains?${sdk}`],
    ['identity', `v1/identity/${evmAddress}?sender=${evmAddress}&${sdk}`],
    ['history', `v1/account/${solanaAddress}/history?cursor=2&chainId=${encode(mainnet)}&${sdk}`],
    ['balance', `v1/account/${solanaAddress}/balance?currency=usd&chainId=${encode(mainnet)}&forceUpdate=a%2Cb&${sdk}`],
    ['tokens', `v1/convert/tokens?chainId=eip155%3A1&${sdk}`],
    [
      'quotes',
      `v1/convert/quotes?amount=1000000&userAddress=${encode(account)}&from=${encode(ether)}&to=${encode(usdc)}&gasPrice=1&${sdk}`,
    ],
    ['allowance', `v1/convert/allowance?tokenAddress=${encode(usdc)}&userAddress=${encode(account)}&${sdk}`],
    ['gasPrice', `v1/convert/gas-price?chainId=eip155%3A1&${sdk}`],
    [
      'buildApprove',
      `v1/convert/build-approve?userAddress=${encode(account)}&from=${encode(usdc)}&to=${encode(ether)}&${sdk}`,
    ],
    ['lookupName', `v1/profile/account/alice.reown.id?apiVersion=2&${sdk}`],
    ['reverseLookup', `v1/profile/reverse/${evmAddress}?apiVersion=2&${sdk}`],
    ['suggestions', `v1/profile/suggestions/alic?zone=reown.id&${sdk}`],
    ['onrampOptions', `v1/onramp/options?${sdk}`],
    ['sessions', `v1/sessions/${encode(account)}?${sdk}`],
  ])('GET %s', (name, path) => {
    expect(examples[name].request(host)).toEqual({ method: 'GET', url: `https://rpc.example.org/base/${path}` })
  })

  test.each<[keyof typeof calls, string, object]>([
    ['price', `v1/fungible/price?${client}`, { currency: 'usd', addresses: [ether], projectId: host.projectId }],
    [
      'buildTransaction',
      `v1/convert/build-transaction?${client}`,
      {
        amount: '1000000',
        eip155: { slippage: 1 },
        projectId: host.projectId,
        from: usdc,
        to: ether,
        userAddress: account,
        disableEstimate: true,
      },
    ],
    [
      'registerName',
      `v1/profile/account?${client}`,
      { coin_type: 2_147_483_649, address: evmAddress, message: '{"name":"alice.reown.id"}', signature: '0x1' },
    ],
    [
      'onrampUrl',
      `v1/generators/onrampurl?${project}`,
      {
        destinationWallets: [{ address: solanaAddress }],
        partnerUserId: 'user',
        defaultExperience: 'buy',
        presetFiatAmount: 100,
      },
    ],
    [
      'onrampQuote',
      `v1/onramp/quote?${project}`,
      {
        purchaseCurrency: { id: 'c1', symbol: 'USDC' },
        paymentCurrency: { id: 'EUR' },
        amount: '100',
        network: 'USDC',
      },
    ],
    ['revokeSession', `v1/sessions/${encode(account)}/revoke?${project}`, { pci: session.pci, signature: '0x1' }],
  ])('POST %s', (name, path, body) => {
    const { body: sent, ...request } = examples[name].request(host)
    expect(request).toEqual({ method: 'POST', url: `https://rpc.example.org/base/${path}` })
    expect(JSON.parse(sent ?? '')).toEqual(body)
  })

  test('and there are twenty', () => {
    expect(Object.keys(calls)).toHaveLength(20)
  })
})

describe('the answer of the reference is kept', () => {
  const read = (name: keyof typeof calls) => examples[name].read(examples[name].body)
  const named = { name: 'alice.reown.id', addresses: { '60': evmAddress }, attributes: [['bio', 'hello']] }
  const tx = { gas: null, gasPrice: '1200000000' }
  const usd = { amount: '100.00', currency: 'USD' }

  test.each<[keyof typeof calls, unknown]>([
    [
      'supportedChains',
      { http: ['eip155:1', 'eip155:10', 'eip155:1313161554', mainnet], ws: ['eip155:1', mainnet], dropped: 0 },
    ],
    ['identity', { name: 'cyberdrk.eth', avatar: 'https://example.org/avatar.png' }],
    [
      'price',
      {
        fungibles: [
          {
            address: `${mainnet}:So11111111111111111111111111111111111111112`,
            name: 'Wrapped SOL',
            symbol: 'WSOL',
            iconUrl: 'https://example.org/sol.png',
            price: '156.2',
            decimals: 9,
          },
        ],
        dropped: 0,
      },
    ],
    [
      'tokens',
      {
        tokens: [
          { name: 'USD Coin', symbol: 'USDC', address: usdc, decimals: 6, logoUrl: 'https://example.org/usdc.png' },
        ],
        dropped: 0,
      },
    ],
    [
      'quotes',
      { quotes: [{ id: null, fromAmount: '1000000', fromAccount: ether, toAmount: '2456100', toAccount: usdc }] },
    ],
    ['allowance', { allowance: String((1n << 256n) - 1n) }],
    ['gasPrice', { standard: '1200000000', fast: '1300000000', instant: '1400000000' }],
    ['buildTransaction', { tx: { ...tx, from: account, to: usdc, data: '0xAb', amount: '41', gas: '21000' } }],
    ['buildApprove', { tx: { ...tx, from: usdc, to: usdc, data: '0x095e', value: '0' } }],
    ['lookupName', named],
    ['reverseLookup', { names: [named], dropped: 0 }],
    ['suggestions', { suggestions: [{ name: 'alice.reown.id', registered: true }], dropped: 0 }],
    ['registerName', { success: true }],
    ['onrampUrl', { url: 'https://pay.example.com/buy?appId=1' }],
    [
      'onrampOptions',
      {
        paymentCurrencies: [{ id: 'USD', limits: [{ id: 'card', min: '10.00', max: '7500' }] }],
        purchaseCurrencies: [
          {
            id: 'c1',
            name: 'USD Coin',
            symbol: 'USDC',
            networks: [{ name: 'ethereum-mainnet', displayName: 'Ethereum', chainId: '1', contractAddress: '' }],
          },
        ],
        dropped: 0,
      },
    ],
    [
      'onrampQuote',
      {
        quote: {
          isPrice: true,
          quoteId: 'q-1',
          paymentTotal: usd,
          paymentSubtotal: usd,
          purchaseAmount: { amount: '98.7', currency: 'USDC' },
          networkFee: { amount: '0.02', currency: 'USD' },
        },
      },
    ],
    [
      'sessions',
      {
        pcis: [
          {
            pci: session.pci,
            project: { name: 'Garden', url: 'https://garden.example/', iconUrl: '' },
            expiresAt: 1_800_000_000_000,
            createdAt: 1_790_000_000_000,
            permissions: ['native-token-recurring-allowance'],
            policies: [],
          },
        ],
        dropped: 0,
      },
    ],
    ['revokeSession', { success: true }],
  ])('%s', (name, kept) => {
    expect(read(name)).toEqual(kept)
  })
})

test('a failed call for options or a quote has the fallback of the reference', () => {
  const options = calls.onrampOptions.fallback?.({})
  expect(
    options?.purchaseCurrencies.map(({ id, symbol, networks }) => [id, symbol, networks.map(one => one.chainId)]),
  ).toEqual([
    ['2b92315d-eab7-5bef-84fa-089a131333f5', 'USDC', ['1', '137']],
    ['2b92315d-eab7-5bef-84fa-089a131333f5', 'ETH', ['1', '137']],
  ])
  const limits = [
    { id: 'card', min: '10.00', max: '7500.00' },
    { id: 'ach_bank_account', min: '10.00', max: '25000.00' },
  ]
  expect(options?.paymentCurrencies).toEqual([
    { id: 'USD', limits },
    { id: 'EUR', limits },
  ])
  const same = { amount: '100', currency: 'EUR' }
  expect(calls.onrampQuote.fallback?.(quoteAsk)).toEqual({
    quote: {
      isPrice: false,
      quoteId: 'mocked-quote-id',
      paymentTotal: same,
      paymentSubtotal: same,
      purchaseAmount: same,
      networkFee: same,
    },
  })
})
