/** One answer of each call as the reference shows it, with the parameters that ask for it. */
import type { ServiceAsk, ServiceCall } from '../../../../src/events/subjects/service/service.ts'
import { calls } from '../../../../src/worker/services/blockchain/calls.ts'
import { type ApiHost, type ApiCall, readBody, requestOf } from '../../../../src/worker/services/blockchain/call.ts'

export const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const solanaAddress = '83astBRguLMdt2h5U1Tpdq5tjFoJ6noeGwaY3mDLVcri'
export const evmAddress = '0x2aae531a81461f029cd55cb46703211c9227ba05'
export const usdcMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const ether = `eip155:1:0x${'e'.repeat(40)}`
const usdc = 'eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const account = `eip155:1:${evmAddress}`

export const host: ApiHost = {
  apiUrl: 'https://rpc.example.org/base/',
  projectId: '0123456789abcdef0123456789abcdef',
  sdkVersion: 'html-solana-1.7.19',
  clientId: 'did:key:z6Mk',
}

type Example = {
  params: unknown
  read: (text: string) => unknown
  request: (host: ApiHost) => ReturnType<typeof requestOf>
  body: string
}

function example<P, A>(call: ApiCall<P, A>, params: P, body: unknown): Example {
  return {
    params,
    read: text => readBody(call, text, params),
    request: asking => requestOf(call, params, asking),
    body: JSON.stringify(body),
  }
}

export const aliceName = {
  name: 'alice.reown.id',
  registered_at: '2026-01-10T09:00:00Z',
  updated_at: '2026-01-10T09:00:00Z',
  attributes: { bio: 'hello' },
  addresses: { '60': { address: evmAddress, created_at: '2026-01-10T09:00:00Z' } },
}

export const solBalance = {
  name: 'Solana',
  symbol: 'SOL',
  chainId: mainnet,
  address: 'So11111111111111111111111111111111111111111',
  value: 312.4,
  price: 156.2,
  quantity: { decimals: '9', numeric: '2' },
  iconUrl: 'https://example.org/sol.png',
}
export const usdcBalance = {
  name: 'USDC',
  symbol: 'USDC',
  chainId: mainnet,
  address: `${mainnet}:${usdcMint}`,
  value: 150,
  price: 1,
  quantity: { decimals: '6', numeric: '150' },
  iconUrl: 'https://example.org/usdc.png',
}

export const received = {
  id: '1eeccf2f-ef04-6d48-a2dd-0e1dca1d3cfb',
  metadata: {
    operationType: 'receive',
    hash: '5h3k',
    minedAt: '2026-05-28T16:59:37.345Z',
    sentFrom: '7ar3r6Mau1Bk7pGLWHCMj1C1bk2eCDwGWTP77j9MXTtd',
    sentTo: solanaAddress,
    status: 'confirmed',
    nonce: 0,
    application: null,
    chain: mainnet as string | null,
  },
  transfers: [
    {
      fungible_info: { name: 'USD Coin', symbol: 'USDC', icon: { url: 'https://example.org/usdc.png' } },
      nft_info: null,
      direction: 'in',
      quantity: { numeric: '25.5' },
      value: 25.5,
      price: 1,
    },
  ],
}

export const session = {
  project: { id: 'p1', name: 'Garden', url: 'https://garden.example/', iconUrl: null },
  pci: '7d4e2a8c-11aa-4b0e-9d52-000000000001',
  expiry: 1_800_000_000,
  createdAt: 1_790_000_000,
  permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: '0x1' } }],
  policies: [],
  context: '0x',
  revokedAt: null,
}

const evmIds = ['eip155:1', 'eip155:10', 'eip155:1313161554']
const amount = { amount: '100.00', currency: 'USD' }
export const usd = { id: 'USD', payment_method_limits: [{ id: 'card', min: '10.00', max: 7500 }] }
export const quoteAsk = {
  purchaseCurrency: { id: 'c1', symbol: 'USDC' },
  paymentCurrency: { id: 'EUR' },
  amount: '100',
  network: 'USDC',
}

export const examples: Readonly<Record<keyof typeof calls, Example>> = {
  supportedChains: example(calls.supportedChains, {}, { http: [...evmIds, mainnet], ws: ['eip155:1', mainnet] }),
  identity: example(
    calls.identity,
    { address: evmAddress, sender: evmAddress },
    { name: 'cyberdrk.eth', avatar: 'https://example.org/avatar.png', resolvedAt: '2026-06-01T10:00:00Z' },
  ),
  history: example(
    calls.history,
    { address: solanaAddress, chainId: mainnet, cursor: '2' },
    { data: [received, { ...received, id: 'x', transfers: null }], next: '2' },
  ),
  balance: example(
    calls.balance,
    { address: solanaAddress, chainId: mainnet, forceUpdate: ['a', 'b'] },
    { balances: [solBalance, usdcBalance] },
  ),
  price: example(
    calls.price,
    { addresses: [ether] },
    {
      fungibles: [
        {
          address: `${mainnet}:So11111111111111111111111111111111111111112`,
          name: 'Wrapped SOL',
          symbol: 'WSOL',
          iconUrl: 'https://example.org/sol.png',
          price: 156.2,
          decimals: 9,
        },
      ],
    },
  ),
  tokens: example(
    calls.tokens,
    { chainId: 'eip155:1' },
    {
      tokens: [
        {
          name: 'USD Coin',
          symbol: 'USDC',
          address: usdc,
          decimals: 6,
          logoUri: 'https://example.org/usdc.png',
          eip2612: true,
        },
      ],
    },
  ),
  quotes: example(
    calls.quotes,
    { amount: '1000000', userAddress: account, from: ether, to: usdc, gasPrice: '1' },
    { quotes: [{ id: null, fromAmount: '1000000', fromAccount: ether, toAmount: '2456100', toAccount: usdc }] },
  ),
  allowance: example(
    calls.allowance,
    { tokenAddress: usdc, userAddress: account },
    { allowance: ((1n << 256n) - 1n).toString() },
  ),
  gasPrice: example(
    calls.gasPrice,
    { chainId: 'eip155:1' },
    { standard: '1200000000', fast: '1300000000', instant: '1400000000' },
  ),
  buildTransaction: example(
    calls.buildTransaction,
    { amount: '1000000', from: usdc, to: ether, userAddress: account, disableEstimate: true },
    { tx: { from: account, to: usdc, data: '0xAb', amount: '41', eip155: { gas: '21000', gasPrice: '1200000000' } } },
  ),
  buildApprove: example(
    calls.buildApprove,
    { userAddress: account, from: usdc, to: ether },
    { tx: { from: usdc, to: usdc, data: '0x095e', value: '0', eip155: { gasPrice: '1200000000' } } },
  ),
  lookupName: example(calls.lookupName, { name: 'alice.reown.id' }, aliceName),
  reverseLookup: example(calls.reverseLookup, { address: evmAddress }, [aliceName]),
  suggestions: example(
    calls.suggestions,
    { name: 'alic', zone: 'reown.id' },
    { suggestions: [{ name: 'alice.reown.id', registered: true }] },
  ),
  registerName: example(
    calls.registerName,
    { coinType: 2_147_483_649, address: evmAddress, message: '{"name":"alice.reown.id"}', signature: '0x1' },
    aliceName,
  ),
  onrampUrl: example(
    calls.onrampUrl,
    { destinationWallets: [{ address: solanaAddress }], partnerUserId: 'user', presetFiatAmount: '100' },
    { url: 'https://pay.example.com/buy?appId=1' },
  ),
  onrampOptions: example(
    calls.onrampOptions,
    {},
    {
      paymentCurrencies: [usd],
      purchaseCurrencies: [
        {
          id: 'c1',
          name: 'USD Coin',
          symbol: 'USDC',
          networks: [{ name: 'ethereum-mainnet', display_name: 'Ethereum', chain_id: '1', contract_address: null }],
        },
      ],
    },
  ),
  onrampQuote: example(calls.onrampQuote, quoteAsk, {
    paymentTotal: amount,
    paymentSubtotal: amount,
    purchaseAmount: { amount: '98.7', currency: 'USDC' },
    networkFee: { amount: 0.02, currency: 'USD' },
    quoteId: 'q-1',
  }),
  sessions: example(calls.sessions, { account }, { pcis: [session] }),
  revokeSession: example(calls.revokeSession, { account, pci: session.pci, signature: '0x1' }, {}),
}

/** The ask of each example. */
export const asks = Object.fromEntries(
  Object.entries(examples).map(([call, { params }]) => [call, { call, ...(params as object) }]),
) as { readonly [C in ServiceCall]: Extract<ServiceAsk, { call: C }> }
