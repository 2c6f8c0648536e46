import { expect, test } from 'vitest'
import { tokensOf } from '../../../src/ui/account/holdings/tokens.ts'

const caip2 = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
type Held = Parameters<typeof tokensOf>[0]['balances'][number]
const held = (symbol: string, changes: Partial<Held> = {}): Held => ({
  name: symbol,
  symbol,
  chainId: caip2,
  asset: { kind: 'token', address: `mint of ${symbol}` },
  value: null,
  price: '0',
  decimals: 6,
  quantity: '1',
  iconUrl: '',
  ...changes,
})
const sol = held('SOL', { asset: { kind: 'native' }, decimals: 9, quantity: '0.0499999', value: '7.8' })

test('tokens stand with their network’s coin first, then by value, those without a price last', () => {
  const balances = [held('NEW'), held('USDC', { value: '150' }), sol, held('BONK', { value: '1000.005' })]
  expect(tokensOf({ balances }, caip2).tokens.map(({ key }) => key)).toEqual([
    'native',
    'mint of BONK',
    'mint of USDC',
    'mint of NEW',
  ])
})

test('a token shows its amount rounded down to 3 decimals, its exact quantity and its value', () => {
  const [shown, unpriced] = tokensOf({ balances: [sol, held('NEW')] }, caip2).tokens
  expect(shown).toMatchObject({ amount: '0.049', quantity: '0.0499999', value: { dollars: '7', cents: '80' } })
  expect(unpriced).not.toHaveProperty('value')
})

test('an unknown price, written as 0, is no price and no value', () => {
  const one = (changes: Partial<Held>) => tokensOf({ balances: [held('NEW', changes)] }, caip2).tokens[0]
  const none = one({ value: '0' })
  expect(none).not.toHaveProperty('price')
  expect(none).not.toHaveProperty('value')
  expect(one({ value: '0', price: '1', quantity: '0' })).toMatchObject({
    price: '1',
    value: { dollars: '0', cents: '00' },
  })
  const worth = one({ value: '2' })
  expect(worth).toMatchObject({ value: { dollars: '2', cents: '00' } })
  expect(worth).not.toHaveProperty('price')
})

test('the total is the exact sum of the known values', () => {
  const balances = [held('A', { value: '0.1' }), held('B', { value: '0.2' }), held('C'), sol]
  expect(tokensOf({ balances }, caip2).total).toEqual({ dollars: '8', cents: '10' })
  expect(tokensOf({ balances: [] }, caip2).total).toEqual({ dollars: '0', cents: '00' })
})

test('tokens of another network, and those without decimals, are left out of list and total', () => {
  const balances = [
    held('NFT', { decimals: 0, value: '99' }),
    held('FAR', { chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', value: '99' }),
  ]
  expect(tokensOf({ balances }, caip2)).toEqual({ tokens: [], total: { dollars: '0', cents: '00' } })
})
