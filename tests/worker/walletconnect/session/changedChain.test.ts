import { expect, test } from 'vitest'
import { changedChain } from '../../../../src/worker/walletconnect/session/changedChain.ts'

test.each([
  ['a number', 137, 'eip155:1', 'eip155:137'],
  ['decimal text', '137', 'eip155:1', 'eip155:137'],
  ['hex text', '0x89', 'eip155:1', 'eip155:137'],
  ['hex text in capitals', '0X89', 'eip155:1', 'eip155:137'],
  ['CAIP-2', 'eip155:137', 'eip155:1', 'eip155:137'],
  ['CAIP-2 of another namespace', 'solana:mainnet', 'eip155:1', 'solana:mainnet'],
  [
    'a bare reference of Solana',
    'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana:5eykt',
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  ],
  ['a number under a name', { chainId: 10 }, 'eip155:1', 'eip155:10'],
  ['the same as the event’s own chain', 1, 'eip155:1', 'eip155:1'],
  ['nothing', null, 'eip155:5', 'eip155:5'],
  ['a list', [1], 'eip155:5', 'eip155:5'],
  ['a fraction', 1.5, 'eip155:5', 'eip155:5'],
  ['a negative number', -1, 'eip155:5', 'eip155:5'],
  ['a text that is no chain', 'main net', 'eip155:5', 'eip155:5'],
  ['CAIP-2 with nothing in it', ':', 'eip155:5', 'eip155:5'],
  ['a number beside no chain', 1, 'mainnet', undefined],
  ['CAIP-2 beside no chain', 'eip155:1', 'mainnet', 'eip155:1'],
])('a chain written as %s is read', (_name, data, chainId, chain) => {
  expect(changedChain(data, chainId)).toBe(chain)
})
