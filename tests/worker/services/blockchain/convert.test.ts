import { describe, expect, test } from 'vitest'
import { readQuotes, readSwap, readTokens } from '../../../../src/worker/services/blockchain/convert.ts'
import { evmAddress } from './examples.ts'

const account = `eip155:1:${evmAddress}`
const quote = { id: null, fromAmount: '1', fromAccount: account, toAmount: '2', toAccount: account }
const tx = { from: account, to: account, data: '0x', amount: '1', eip155: null }
const badResponse = (path: string) =>
  expect.objectContaining({ code: 'bad_response', message: expect.stringContaining(`, ${path}: expected `) })

test('tokens: a malformed one is dropped and counted, an ipfs logo is left out', () => {
  const token = { name: 'USDC', symbol: 'USDC', address: account, decimals: 6, logoUri: 'ipfs://x' }
  const bad = [{ decimals: '6' }, { decimals: -1 }, { address: evmAddress }, { name: '' }].map(one => ({
    ...token,
    ...one,
  }))
  expect(readTokens({ tokens: [...bad, token, 7] }, 'the tokens', undefined)).toEqual({
    tokens: [{ name: 'USDC', symbol: 'USDC', address: account, decimals: 6, logoUrl: '' }],
    dropped: 5,
  })
})

describe('quotes', () => {
  test.each([
    ['a negative amount', { toAmount: '-1' }, 'quotes.1.toAmount'],
    ['a fraction', { fromAmount: '1.5' }, 'quotes.1.fromAmount'],
    ['more than 256 bits', { toAmount: String(1n << 256n) }, 'quotes.1.toAmount'],
    ['a rounded number', { toAmount: 2 ** 64 }, 'quotes.1.toAmount'],
    ['no account', { toAccount: undefined }, 'quotes.1.toAccount'],
  ])('with %s are refused, not shifted', (_name, change, path) => {
    const quotes = [quote, { ...quote, ...change }]
    expect(() => readQuotes({ quotes }, 'the quotes', undefined)).toThrow(badResponse(path))
  })

  test('may be none', () => {
    expect(readQuotes({ quotes: [] }, 'the quotes', undefined)).toEqual({ quotes: [] })
  })
})

describe('the transaction of a swap', () => {
  test('may come without gas', () => {
    expect(readSwap({ tx }, 'the swap', undefined)).toEqual({
      tx: { from: account, to: account, data: '0x', amount: '1', gas: null, gasPrice: null },
    })
  })

  test.each([
    ['half a byte', { data: '0xabc' }, 'tx.data'],
    ['no hex', { data: '0xzz' }, 'tx.data'],
    ['too much data', { data: `0x${'0'.repeat(262_146)}` }, 'tx.data'],
    ['a plain receiver', { to: evmAddress }, 'tx.to'],
    ['a negative amount', { amount: '-1' }, 'tx.amount'],
    ['a negative price of gas', { eip155: { gasPrice: '-1' } }, 'tx.eip155.gasPrice'],
  ])('with %s is refused', (_name, change, path) => {
    expect(() => readSwap({ tx: { ...tx, ...change } }, 'the swap', undefined)).toThrow(badResponse(path))
  })
})
