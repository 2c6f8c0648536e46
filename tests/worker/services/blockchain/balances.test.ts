import { describe, expect, test } from 'vitest'
import { copyOf } from '../../../../src/runtime/json/copyOf.ts'
import { readBalances, readPrices } from '../../../../src/worker/services/blockchain/balances.ts'
import { evmAddress, mainnet, solBalance, usdcBalance, usdcMint } from './examples.ts'

const read = (balances: unknown[], chainId: string | undefined = mainnet) =>
  readBalances(copyOf({ balances }), 'the balances', { chainId })
const token = (change: object) => read([{ ...usdcBalance, ...change }])
/** The asset of each, read by itself. */
const assets = (balances: unknown[], chainId?: string) =>
  balances.flatMap(one => read([one], chainId).balances.map(({ asset }) => asset))

describe('balances', () => {
  test('of the reference are kept, with money as text', () => {
    expect(read([solBalance, usdcBalance])).toEqual({
      balances: [
        {
          name: 'Solana',
          symbol: 'SOL',
          chainId: mainnet,
          asset: { kind: 'native' },
          value: '312.4',
          price: '156.2',
          decimals: 9,
          quantity: '2',
          iconUrl: 'https://example.org/sol.png',
        },
        {
          name: 'USDC',
          symbol: 'USDC',
          chainId: mainnet,
          asset: { kind: 'token', address: usdcMint },
          value: '150',
          price: '1',
          decimals: 6,
          quantity: '150',
          iconUrl: 'https://example.org/usdc.png',
        },
      ],
      dropped: 0,
    })
  })

  test('know a mint, bare or as CAIP-10, and the native marker in both forms', () => {
    const bare = { ...usdcBalance, address: usdcMint }
    const native = { ...solBalance, address: `${mainnet}:${solBalance.address}` }
    const mint = { kind: 'token', address: usdcMint }
    expect(assets([bare, usdcBalance, native])).toEqual([mint, mint, { kind: 'native' }])
  })

  test('know the asset of an Ethereum chain by its missing address or its marker', () => {
    const { address: _, ...ether } = { ...solBalance, chainId: 'eip155:1' }
    const marked = { ...ether, address: `eip155:1:0x${'e'.repeat(40)}` }
    const dai = { ...ether, address: `eip155:1:${evmAddress}` }
    expect(assets([ether, { ...ether, address: null }, marked, dai], 'eip155:1')).toEqual([
      { kind: 'native' },
      { kind: 'native' },
      { kind: 'native' },
      { kind: 'token', address: evmAddress },
    ])
  })

  test('leave out collectibles and other chains without counting them', () => {
    const nft = { ...usdcBalance, quantity: { decimals: '0', numeric: '1' } }
    const ether = { ...solBalance, chainId: 'eip155:1', address: null }
    expect(read([nft, ether])).toEqual({ balances: [], dropped: 0 })
  })

  test.each([
    ['no address on Solana', { address: undefined }],
    ['an address of another chain', { address: `eip155:1:${evmAddress}` }],
    ['an address of another Solana chain', { address: `solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1:${usdcMint}` }],
    ['an address that is none', { address: 'x' }],
    ['a negative quantity', { quantity: { decimals: '6', numeric: '-1' } }],
    ['2^64 base units', { quantity: { decimals: '6', numeric: '18446744073709.551616' } }],
    ['finer parts than its decimals', { quantity: { decimals: '6', numeric: '0.0000001' } }],
    ['decimals as a number', { quantity: { decimals: 6, numeric: '1' } }],
    ['no quantity', { quantity: undefined }],
    ['a negative price', { price: -1 }],
    ['no price', { price: undefined }],
    ['a symbol that does not show', { symbol: '\u200b' }],
    ['no chain', { chainId: 'solana' }],
  ])('with %s are dropped and counted', (_name, change) => {
    expect(token(change)).toEqual({ balances: [], dropped: 1 })
  })

  test('keep the largest amount of a Solana token, digit for digit', () => {
    const quantity = { decimals: '6', numeric: '18446744073709.551615' }
    expect(token({ quantity }).balances[0]?.quantity).toBe('18446744073709.551615')
  })

  test.each(['http://x.example/i.png', 'javascript:alert(1)', 'data:,', '', null, 7])(
    'lose the icon %j and stay',
    iconUrl => {
      const { balances, dropped } = token({ iconUrl })
      const stays = iconUrl !== 7
      expect([balances.map(one => one.iconUrl), dropped]).toEqual(stays ? [[''], 0] : [[], 1])
    },
  )
})

describe('prices', () => {
  const price = {
    address: `${mainnet}:${usdcMint}`,
    name: 'USDC',
    symbol: 'USDC',
    iconUrl: '',
    price: 0.99984,
    decimals: 6,
  }
  const prices = (change: object) =>
    readPrices(copyOf({ fungibles: [{ ...price, ...change }] }), 'the prices', undefined)

  test('are text, and may come without address and decimals', () => {
    expect(prices({}).fungibles[0]?.price).toBe('0.99984')
    const bare = prices({ address: undefined, decimals: undefined }).fungibles[0]
    expect([bare?.address, bare?.decimals]).toEqual(['', undefined])
  })

  test.each([
    { price: -1 },
    { price: null },
    { price: 2 ** 64 },
    { decimals: '6' },
    { decimals: 1.5 },
    { address: 'x' },
  ])('with %j are dropped and counted', change => {
    expect(prices(change)).toEqual({ fungibles: [], dropped: 1 })
  })
})
