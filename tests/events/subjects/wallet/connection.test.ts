import { describe, expect, test } from 'vitest'
import { activeConnection } from '../../../../src/events/subjects/wallet/activeConnection.ts'
import { type ConnectionFact } from '../../../../src/events/subjects/wallet/connection.ts'
import { given, refusal, after, wallet } from '../given.ts'

const requested = (attemptId = 'a1'): ConnectionFact => ({
  type: 'connection.requested',
  data: { attemptId, connector: 'installed', wallet },
})
const made = (connectionId = 'c1', more: object = {}): ConnectionFact => ({
  type: 'connection.made',
  data: {
    connectionId,
    attemptId: 'a1',
    connector: 'installed',
    wallet,
    accounts: ['A', 'B'],
    features: ['signTransaction'],
    ...more,
  },
})
const ended = (connectionId = 'c1'): ConnectionFact => ({
  type: 'connection.ended',
  data: { connectionId, by: 'person' },
})

describe('an attempt to connect', () => {
  test('ends in a connection', () => {
    expect(given(requested()).connection.attempt).toMatchObject({ phase: 'asking', attemptId: 'a1', since: 1000 })
    const model = given(requested(), made())
    expect(model.connection).toMatchObject({ attempt: { phase: 'none' }, active: 'c1' })
    expect(activeConnection(model)).toMatchObject({ account: 'A', connection: { phase: 'live', madeAt: 2000 } })
  })

  test('fails once, with its own failure, and facts of another id change nothing', () => {
    const failed: ConnectionFact = { type: 'connection.failed', data: { attemptId: 'a1', failure: refusal } }
    const model = given(requested(), failed)
    expect(model.connection.attempt).toMatchObject({ phase: 'failed', failure: refusal })
    expect(after(model, failed)).toBe(model)
    const asking = given(requested())
    for (const type of ['connection.failed', 'connection.abandoned'] as const) {
      const stranger = { type, data: { attemptId: 'a2', failure: refusal } } as ConnectionFact
      expect(after(asking, stranger)).toBe(asking)
    }
    expect(given(requested(), { type: 'connection.abandoned', data: { attemptId: 'a1' } }).connection.attempt).toEqual({
      phase: 'none',
    })
  })

  test('stays as it is when an earlier one is answered late', () => {
    const model = given(requested('a2'), made())
    expect(model.connection).toMatchObject({ attempt: { phase: 'asking', attemptId: 'a2' }, active: 'c1' })
  })
})

describe('a connection', () => {
  test('is restored, missing, restored again, and keeps its data', () => {
    const restoring = given(made(), { type: 'connection.restoring', data: { connectionId: 'c1' } })
    expect(restoring.connection.made.c1).toMatchObject({ phase: 'restoring', accounts: ['A', 'B'], madeAt: 1000 })
    const missing = after(restoring, { type: 'connection.missing', data: { connectionId: 'c1', failure: refusal } })
    expect(missing.connection.made.c1).toMatchObject({ phase: 'missing', failure: refusal })
    const live = after(missing, {
      type: 'connection.restored',
      data: { connectionId: 'c1', accounts: ['C'], features: [] },
    })
    expect(live.connection.made.c1).toMatchObject({ phase: 'live', accounts: ['C'], features: [] })
    expect(live.connection.made.c1).not.toHaveProperty('failure')
  })

  test('over WalletConnect keeps its session’s topic through all phases', () => {
    const model = given(
      made('c1', { sessionTopic: 's1', connector: 'walletConnect' }),
      { type: 'connection.restored', data: { connectionId: 'c1', accounts: [], features: ['signMessage'] } },
      { type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: ['Z'] } },
    )
    expect(model.connection.made.c1).toMatchObject({ sessionTopic: 's1', accounts: ['Z'], features: ['signMessage'] })
  })

  test('without an account is not active', () => {
    const gone: ConnectionFact = { type: 'connection.accountsChanged', data: { connectionId: 'c1', accounts: [] } }
    expect(activeConnection(given(made(), gone))).toBeUndefined()
  })

  test('that ends makes another one active, or none, and ends once', () => {
    const two = given(made('c1'), made('c2'))
    expect(two.connection.active).toBe('c2')
    const one = after(two, ended('c2'))
    expect(one.connection.active).toBe('c1')
    expect(after(one, ended('c2'))).toBe(one)
    expect(after(one, ended('c1')).connection).toMatchObject({ active: null, made: {} })
  })

  test('made again under its id takes the new accounts', () => {
    const again = given(made(), made('c1', { accounts: ['N'] }))
    expect(again.connection.made.c1).toMatchObject({ accounts: ['N'], madeAt: 2000 })
    expect(Object.keys(again.connection.made)).toEqual(['c1'])
  })
})

test('connection: the two wallets used last are remembered, newest first, each once', () => {
  const of = (walletId: string) => made('c1', { wallet: { walletId, name: walletId } })
  const model = given(of('w1'), of('w2'), of('w1'), of('w3'))
  expect(model.connection.recent.map(one => one.walletId)).toEqual(['w3', 'w1'])
})
