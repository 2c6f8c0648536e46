/** Thousands of sessions: an event in one of them causes no work for the others. */
import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { versionOf } from '../../src/events/log/codec.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import type { InputData, InputType } from '../../src/worker/core/context.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { settledSessions } from '../bench/manySessions.ts'
import { bootData, noon } from './world.ts'
import type { Payload } from './wcStory.ts'

type Table = Record<string, never>

/** A core with this number of settled sessions, whose tables report each full scan. */
function crowded(count: number) {
  const gone: string[] = []
  const watched = (name: string, rows: Table) =>
    new Proxy(rows, {
      ownKeys(target) {
        gone.push(name)
        return Reflect.ownKeys(target)
      },
    })
  const model = emptyCoreModel()
  model.session = watched('session', model.session as Table)
  model.connection.made = watched('made', model.connection.made as Table)
  model.connection.bySession = watched('bySession', model.connection.bySession as Table)
  const core = createCore(deciders, model)
  const topics: string[] = []
  let seq = 0
  const recall = (type: string, data: Record<string, unknown>) =>
    core.recall({ k: 'f', seq: ++seq, n: 1, at: noon, type, v: versionOf('f', type), data })
  for (const { accounts, ...settled } of settledSessions(count)) {
    const { sessionTopic } = settled
    topics.push(sessionTopic)
    recall('session.settled', { ...settled, expiresAt: noon + 604_800_000, transport: 'relay' })
    recall('connection.made', {
      connectionId: `connection-${seq}`,
      attemptId: 'attempt',
      connector: 'walletConnect',
      wallet: { walletId: 'walletConnect', name: 'WalletConnect' },
      accounts,
      features: ['signTransaction'],
      sessionTopic,
    })
  }
  let n = 0
  const take = <T extends InputType>(type: T, data: InputData<T>, to?: string) => {
    n += 1
    const input = { k: 'i', n, at: noon + n, type, v: versionOf('i', type), data, ...(to !== undefined && { to }) }
    return core.step(input as unknown as InputRecord)
  }
  const { effects } = take('core.boot', bootData(1))
  take('relay.opened', {}, effects.find(({ type }) => type === 'relay.open')?.id ?? '')
  gone.length = 0
  const message = (at: number, payload: Payload) => {
    const topic = topics[at] ?? ''
    return take('relay.message', { pushId: `p${n}`, topic, hash: `h${n}`, publishedAt: noon, tag: 1, payload })
  }
  return { model, topics, gone, take, message, effects }
}

const id = '1799000000000001'
const changed = { solana: { accounts: [], methods: ['solana_signMessage'], events: [] } }

describe('one of three thousand sessions', () => {
  const { model, topics, gone, take, message } = crowded(3000)
  const account = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
  const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

  test.each<[string, () => ReturnType<typeof take>]>([
    ['is pinged', () => message(1, { kind: 'ping', id })],
    ['lives longer', () => message(2, { kind: 'extend', id })],
    ['is changed by its wallet', () => message(3, { kind: 'update', id, namespaces: changed })],
    [
      'has another account',
      () => message(4, { kind: 'event', id, event: 'accountsChanged', chainId, accounts: [account] }),
    ],
    ['is ended by its wallet', () => message(5, { kind: 'delete', id })],
    [
      'is asked to sign',
      () =>
        take('request.send', { sessionTopic: topics[7] ?? '', chainId, method: 'solana_signMessage', params: '{}' }),
    ],
    ['is pinged by us', () => take('session.ping', { sessionTopic: topics[8] ?? '' })],
    [
      'does not answer a call of ours',
      () => {
        take('session.ping', { sessionTopic: topics[11] ?? '' })
        const [called = ''] = Object.keys(model.session[topics[11] ?? '']?.calls ?? {})
        return take('timer.fired', { timerId: `call:${called}` })
      },
    ],
    [
      'cannot be called, because its key is gone',
      () => {
        const { effects } = take('session.ping', { sessionTopic: topics[12] ?? '' })
        const { id: sealing = '' } = effects.find(({ type }) => type === 'vault.seal') ?? {}
        return take('effect.failed', { failure: { code: 'expired', message: 'no key' } }, sealing)
      },
    ],
    ['is looked at for its end, which is not yet', () => take('timer.fired', { timerId: `session:${topics[9]}` })],
  ])('%s, and no other is read', (_, happen) => {
    gone.length = 0
    const { facts, effects } = happen()
    expect(facts.length + effects.length).toBeGreaterThan(0)
    expect(facts.map(({ type }) => type).filter(type => /refused|Refused|faulted/.test(type))).toEqual([])
    expect(gone).toEqual([])
  })

  test('the end of one leaves all others', () => {
    const before = Object.keys(model.session).length
    message(10, { kind: 'delete', id })
    expect(Object.keys(model.session)).toHaveLength(before - 1)
  })
})

describe('a start with three thousand sessions', () => {
  const { effects, topics, take } = crowded(3000)

  test('sets one timer for each', () => {
    const set = effects.flatMap(({ type, data }) =>
      type === 'timer.set' ? [(data as { timerId: string }).timerId] : [],
    )
    expect(set.filter(timerId => timerId.startsWith('session:')).sort()).toEqual(
      topics.map(topic => `session:${topic}`).sort(),
    )
  })

  test('subscribes to them in batches of 500, one of which is also a test of the socket', () => {
    const subscribed = (came: ReturnType<typeof take>) =>
      came.effects.flatMap(({ type, data }) =>
        type === 'relay.subscribe' ? [(data as { topics: string[] }).topics.length] : [],
      )
    const closed = take('relay.closed', { code: 1006, failure: { code: 'unreachable', message: 'gone' } })
    expect(closed.facts.map(({ type }) => type)).toContain('relay.lost')
    const opening = take('timer.fired', { timerId: 'relay:retry' })
    const opened = take('relay.opened', {}, opening.effects.find(({ type }) => type === 'relay.open')?.id ?? '')
    expect(subscribed(opened)).toEqual([500, 500, 500, 500, 500, 500])
    expect(subscribed(take('page.resumed', {}))).toEqual([500])
  })
})
