import { describe, expect, test } from 'vitest'
import {
  askKey,
  entriesKept,
  type ServiceAsk,
  type ServiceEntry,
  type ServiceView,
} from '../../../src/events/subjects/service/service.ts'
import { historyOf, type Transaction } from '../../../src/ui/account/activity/history.ts'
import { nextAskAt, serviceAnswerOf } from '../../../src/ui/account/serviceReads.ts'

const of = { address: 'a', chainId: 'solana:x' }
const transaction = (id: string, changes: Partial<Transaction> = {}): Transaction => ({
  id,
  operation: 'send',
  hash: id,
  minedAt: Number(id),
  sentFrom: '',
  sentTo: '',
  status: 'confirmed',
  chain: of.chainId,
  isSpam: false,
  transfers: [],
  ...changes,
})

type Page = { data: Transaction[]; next?: string } & Partial<ServiceEntry>
/** Pages by their cursor; the first has none. */
function viewOf(pages: Record<string, Page>): ServiceView {
  return Object.fromEntries(
    Object.entries(pages).map(([cursor, { data, next, ...changes }]) => {
      const ask: ServiceAsk = { call: 'history', ...of, ...(cursor !== '' && { cursor }) }
      const answer = { call: 'history', data, dropped: 0, ...(next !== undefined && { next }) } as const
      return [askKey(ask), { callId: 'c', ask, isAsked: false, at: 1, readAt: 1, answer, ...changes }]
    }),
  )
}
const ids = (view: ServiceView) => historyOf(view, of).transactions.map(({ id }) => id)
const down = { code: 'unreachable', message: '', facts: { status: 503 } } as const

describe('a history', () => {
  test('joins its pages, newest first and each transaction once, and names the next page', () => {
    const view = viewOf({
      '': { data: [transaction('9'), transaction('7')], next: '2' },
      2: { data: [transaction('7'), transaction('5')], next: '3' },
    })
    expect(ids(view)).toEqual(['9', '7', '5'])
    expect(historyOf(view, of).next).toEqual({ call: 'history', ...of, cursor: '3' })
  })

  test('hides spam, and transactions of another network', () => {
    const data = [
      transaction('3', { isSpam: true }),
      transaction('2', { chain: 'solana:y' }),
      transaction('1', { chain: null }),
    ]
    expect(ids(viewOf({ '': { data } }))).toEqual(['1'])
  })

  test('before its first answer is loading and empty; without a cursor it ends', () => {
    expect(historyOf({}, of)).toEqual({ transactions: [], isLoading: false, hasFailed: false, isCut: false })
    const view = viewOf({ '': { data: [transaction('1')] } })
    expect(historyOf(view, of)).not.toHaveProperty('next')
    const { '': _, ...asked } = { '': 0, isAsked: true }
    expect(historyOf(viewOf({ '': { data: [], ...asked } }), of).isLoading).toBe(true)
  })

  test('that failed keeps what it shows and drops the cursor', () => {
    const view = viewOf({ '': { data: [transaction('9')], next: '2' }, 2: { data: [], next: '3', failure: down } })
    expect(historyOf(view, of)).toMatchObject({ transactions: [{ id: '9' }], hasFailed: true })
    expect(historyOf(view, of)).not.toHaveProperty('next')
  })

  test('while its first page is read again keeps its later pages, and asks for no other', () => {
    const view = viewOf({
      '': { data: [transaction('9')], next: '2', isAsked: true },
      2: { data: [transaction('5')], next: '3' },
    })
    expect(ids(view)).toEqual(['9', '5'])
    expect(historyOf(view, of)).not.toHaveProperty('next')
  })

  test('ends at as many pages as the log keeps', () => {
    const pages = Array.from({ length: entriesKept }, (_, at) => [
      at === 0 ? '' : String(at + 1),
      { data: [transaction(String(100 - at))], next: String(at + 2) },
    ])
    const history = historyOf(viewOf(Object.fromEntries(pages)), of)
    expect(history).toMatchObject({ isCut: true })
    expect(history.transactions).toHaveLength(entriesKept)
    expect(history).not.toHaveProperty('next')
  })
})

describe('a reading of the service', () => {
  const ask = { call: 'balance', address: 'a', chainId: 'solana:x' } as const
  const entry = (changes: Partial<ServiceEntry>): ServiceView => ({
    [askKey(ask)]: { callId: 'c', ask, isAsked: false, at: 1000, readAt: 1000, ...changes },
  })

  test('is due at once, then every 3 min for balances and 5 min for each page of history', () => {
    expect(nextAskAt({}, ask)).toBe(0)
    expect(nextAskAt(entry({}), ask)).toBe(181_000)
    const first = viewOf({ '': { data: [], at: 1000 } })
    expect(nextAskAt(first, { call: 'history', ...of })).toBe(301_000)
    expect(nextAskAt(first, { call: 'history', ...of, cursor: '2' })).toBe(0)
  })

  test('is not due while it is under way, nor for balances after a 503', () => {
    expect(nextAskAt(entry({ isAsked: true }), ask)).toBeUndefined()
    expect(nextAskAt(entry({ failure: down }), ask)).toBeUndefined()
    expect(nextAskAt(entry({ failure: { ...down, facts: { status: 500 } } }), ask)).toBe(181_000)
  })

  test('is due soon after a change of the account, as the core answers anew', () => {
    expect(nextAskAt(entry({}), ask, 500)).toBe(181_000)
    expect(nextAskAt(entry({}), ask, 2000)).toBe(31_000)
    expect(nextAskAt(entry({}), ask, 60_000)).toBe(60_000)
    expect(nextAskAt(entry({ isAsked: true }), ask, 60_000)).toBeUndefined()
  })

  test('gives the latest answer, of the right call only', () => {
    const answer: NonNullable<ServiceEntry['answer']> = { call: 'balance', balances: [], dropped: 0 }
    expect(serviceAnswerOf(entry({ answer }), ask)).toBe(answer)
    expect(serviceAnswerOf({}, ask)).toBeUndefined()
  })
})
