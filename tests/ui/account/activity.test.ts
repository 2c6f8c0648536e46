import { describe, expect, test } from 'vitest'
import { activityOf, itemsOf } from '../../../src/ui/account/activity/activity.ts'
import type { Transaction } from '../../../src/ui/account/activity/history.ts'

const place = { language: 'en' as const, timeZone: 'UTC', now: Date.parse('2026-11-25T12:00:00Z') }
type Transfer = Transaction['transfers'][number]
const transfer = (symbol: string, quantity = '1', changes: Partial<Transfer> = {}): Transfer => ({
  direction: 'in',
  quantity,
  value: null,
  price: null,
  token: { name: symbol, symbol, iconUrl: `https://icons.example/${symbol}` },
  ...changes,
})
const nft = (name: string): Transfer => ({
  direction: 'out',
  quantity: '1',
  value: null,
  price: null,
  nft: { name, imageUrl: 'https://nft.example', isSpam: false },
})
const transaction = (changes: Partial<Transaction> = {}): Transaction => ({
  id: 'i1',
  operation: 'receive',
  hash: 'h1',
  minedAt: Date.parse('2026-11-03T10:00:00Z'),
  sentFrom: 'from',
  sentTo: 'to',
  status: 'confirmed',
  chain: null,
  isSpam: false,
  transfers: [transfer('SOL', '2.50004')],
  ...changes,
})

describe('activity by month', () => {
  test('names the month, with its year when it is another one', () => {
    const times = ['2026-11-25', '2026-11-01', '2026-05-09', '2025-11-20'].map(day => Date.parse(`${day}T08:00:00Z`))
    const list = times.map((minedAt, nth) => transaction({ id: `i${nth}`, minedAt }))
    const months = activityOf(list, place)
    expect(months.map(({ key, title, items }) => [key, title, items.length])).toEqual([
      ['2026-11', 'November', 2],
      ['2026-05', 'May', 1],
      ['2025-11', 'November 2025', 1],
    ])
    expect(activityOf(list, { ...place, language: 'es' }).at(-1)?.title).toBe('noviembre de 2025')
  })

  test('counts a night at a month’s end by the person’s own clock', () => {
    const list = [transaction({ minedAt: Date.parse('2026-10-31T23:30:00Z') })]
    expect(activityOf(list, place)[0]?.key).toBe('2026-10')
    expect(activityOf(list, { ...place, timeZone: 'Asia/Tokyo' })[0]?.key).toBe('2026-11')
  })
})

describe('the items of a transaction', () => {
  test('of one transfer are one item with picture, direction and signed amount of 3 decimals', () => {
    expect(itemsOf(transaction())).toEqual([
      {
        key: 'i1 h1 0',
        operation: 'receive',
        status: 'confirmed',
        direction: 'in',
        pictures: [{ kind: 'token', url: 'https://icons.example/SOL', name: 'SOL' }],
        lines: [{ kind: 'amount', sign: '+', amount: '2.500', of: 'SOL' }],
        hash: 'h1',
        at: Date.parse('2026-11-03T10:00:00Z'),
      },
    ])
  })

  test.each([
    ['receive', '+'],
    ['deposit', '+'],
    ['borrow', '+'],
    ['claim', '+'],
    ['withdraw', '−'],
    ['repay', '−'],
    ['burn', '−'],
    ['send', '−'],
    ['execute', ''],
  ])('named %s have the sign "%s"', (operation, sign) => {
    expect(itemsOf(transaction({ operation }))[0]?.lines).toMatchObject([{ sign }])
  })

  test('of two transfers of tokens are one item with two pictures, the second first, and no sign', () => {
    const transfers = [transfer('SOL', '1', { direction: 'out' }), transfer('USDC', '150')]
    const [item, ...others] = itemsOf(transaction({ operation: 'trade', transfers }))
    expect(others).toEqual([])
    expect(item?.pictures.map(({ name }) => name)).toEqual(['USDC', 'SOL'])
    expect(item?.lines).toEqual([
      { kind: 'amount', sign: '', amount: '1.000', of: 'SOL' },
      { kind: 'amount', sign: '', amount: '150.000', of: 'USDC' },
    ])
  })

  test('of other transfers are one item each, with keys of their own', () => {
    const two = itemsOf(transaction({ transfers: [transfer('SOL'), nft('Ape')] }))
    expect(two.map(({ pictures }) => pictures.map(({ kind }) => kind))).toEqual([['token'], ['nft']])
    const three = itemsOf(transaction({ transfers: [transfer('A'), transfer('B'), transfer('C')] }))
    expect(new Set(three.map(({ key }) => key)).size).toBe(3)
  })

  test('without transfers tell sender and receiver, else the status', () => {
    const lines = (changes: Partial<Transaction>) => itemsOf(transaction({ transfers: [], ...changes }))[0]?.lines
    expect(lines({ operation: 'send' })).toEqual([
      { kind: 'address', address: 'from' },
      { kind: 'address', address: 'to' },
    ])
    expect(lines({ operation: 'approve', status: 'failed' })).toEqual([{ kind: 'status' }])
    expect(lines({ operation: 'send', sentTo: '' })).toEqual([{ kind: 'status' }])
  })
})
