import { expect, test } from 'vitest'
import { currentId, idsOf, networks } from '../../../src/events/values/networks.ts'

test('a former id of a network stands for its present one; any other id for itself', () => {
  expect(currentId('solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ')).toBe('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp')
  expect(currentId('solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K')).toBe('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')
  for (const { caip2 } of networks) expect(currentId(caip2)).toBe(caip2)
  expect(currentId('eip155:1')).toBe('eip155:1')
})

test('a wallet may name a network by each of its ids', () => {
  expect(idsOf('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')).toEqual([
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K',
  ])
  expect(idsOf('solana:localnet')).toEqual(['solana:localnet'])
})
