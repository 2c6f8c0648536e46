import { describe, expect, test } from 'vitest'
import {
  askKey,
  entriesKept,
  type ServiceAnswer,
  type ServiceAsk,
  type ServiceCall,
} from '../../../../src/events/subjects/service/service.ts'
import { serviceRules } from '../../../../src/worker/deciders/services/serviceRules.ts'
import { calls } from '../../../../src/worker/services/blockchain/calls.ts'
import { asks } from '../../services/blockchain/examples.ts'
import { account, begun, caip2, ready } from '../../story.ts'
import type { World } from '../../world.ts'

const balance: ServiceAsk = { call: 'balance', address: account, chainId: caip2 }
const balances: ServiceAnswer = { call: 'balance', balances: [], dropped: 0 }
const history = (cursor?: string): ServiceAsk => ({
  call: 'history',
  address: account,
  chainId: caip2,
  ...(cursor !== undefined && { cursor }),
})
const pageOf = (next?: string): ServiceAnswer => ({
  call: 'history',
  data: [],
  dropped: 0,
  ...(next !== undefined && { next }),
})
const chains = (http: string[]): ServiceAnswer => ({ call: 'supportedChains', http, ws: [], dropped: 0 })

const ask = (world: World, one: ServiceAsk) => world.command('service.ask', { ask: one })
const answer = (world: World, one: ServiceAnswer) => world.answer('service.call', 'service.answered', { answer: one })
const entryOf = (world: World, one: ServiceAsk) => world.model.service[askKey(one)]
const orders = (world: World) => world.ordered('service.call').map(({ data }) => data.ask.call)

/** A world whose chain is served. */
function served(http = [caip2]): World {
  const world = ready()
  ask(world, { call: 'supportedChains' })
  answer(world, chains(http))
  return world
}

describe('a call of the Blockchain API', () => {
  test('is ordered once the served networks are known, and its answer stands under its ask', () => {
    const world = ready()
    expect(ask(world, balance).types).toEqual(['service.asked', 'service.asked'])
    expect(orders(world)).toEqual(['supportedChains'])
    expect(entryOf(world, balance)).toMatchObject({ isAsked: true })
    answer(world, chains([caip2]))
    expect(orders(world)).toEqual(['supportedChains', 'balance'])
    expect(world.last('service.call').data).toEqual({ ask: balance })
    world.wait(700)
    answer(world, balances)
    expect(entryOf(world, balance)).toMatchObject({ isAsked: false, at: world.at, readAt: world.at, answer: balances })
  })

  test('has its parameters in one order, in which a checkpoint restores them, however it was asked', () => {
    const world = served(['eip155:1', caip2])
    const [from, to] = ['eip155:1:0xa0', 'eip155:1:0xee']
    ask(world, { call: 'buildTransaction', to, from, amount: '1', userAddress: 'eip155:1:0x2a' } as ServiceAsk)
    const names = ['call', 'amount', 'userAddress', 'from', 'to']
    expect(Object.keys(world.last('service.call').data.ask)).toEqual(names)
    expect(Object.values(world.model.service).map(entry => Object.keys(entry.ask))).toContainEqual(names)
  })

  test.each(Object.entries(asks))('%s is ordered where its network is served', (_name, one) => {
    const world = served([caip2, 'eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
    world.wait(86_400_000)
    if (one.call !== 'supportedChains') {
      ask(world, { call: 'supportedChains' })
    }
    ask(world, one)
    expect(world.last('service.call').data).toEqual({ ask: one })
  })

  test('waits for one list of networks, however many there are', () => {
    const world = ready()
    ask(world, balance)
    ask(world, history())
    expect(orders(world)).toEqual(['supportedChains'])
    answer(world, chains([caip2]))
    expect(orders(world)).toEqual(['supportedChains', 'balance', 'history'])
  })

  test('that is on its way is not ordered again when the networks are read anew', () => {
    const world = served()
    ask(world, balance)
    world.wait(86_400_001)
    ask(world, { call: 'supportedChains' })
    answer(world, chains([caip2]))
    expect(orders(world)).toEqual(['supportedChains', 'balance', 'supportedChains'])
  })

  test('that is under way serves every equal ask, and one that is answered does while it is fresh', () => {
    const world = served()
    ask(world, balance)
    const callId = entryOf(world, balance)?.callId
    expect(ask(world, { ...balance, forceUpdate: ['a'] }).facts[0]).toMatchObject({
      type: 'service.reused',
      data: { callId, ageMs: 0 },
    })
    answer(world, balances)
    world.wait(30_000)
    expect(ask(world, balance).facts[0]).toMatchObject({ type: 'service.reused', data: { callId, ageMs: 30_000 } })
    expect(orders(world)).toHaveLength(2)
    expect(ask(world, { ...balance, forceUpdate: ['a'] }).types).toEqual(['service.asked'])
    answer(world, balances)
    world.wait(30_001)
    expect(ask(world, balance).types).toEqual(['service.asked'])
  })

  test('is not fresh while the clock is behind it', () => {
    const world = served()
    ask(world, balance)
    answer(world, balances)
    world.jump(-1000)
    expect(ask(world, balance).types).toContain('service.asked')
  })

  test('is known by its parameters, not by who asks or by the order of tokens', () => {
    const key = (one: ServiceAsk) => askKey(one)
    expect(key({ call: 'price', addresses: ['b', 'a', 'b'] })).toBe(key({ call: 'price', addresses: ['a', 'b'] }))
    expect(key({ call: 'identity', address: 'a', sender: 's' })).toBe(key({ call: 'identity', address: 'a' }))
    expect(key({ chainId: caip2, address: account, call: 'history' })).toBe(
      key({ call: 'history', address: account, chainId: caip2 }),
    )
    const different: ServiceAsk[] = [
      history(),
      history('2'),
      { call: 'history', address: account },
      { call: 'history', address: 'other', chainId: caip2 },
      balance,
      { ...balance, chainId: 'eip155:1' },
      { call: 'price', addresses: ['a'] },
      { call: 'price', addresses: ['a', 'b'] },
    ]
    expect(new Set(different.map(key)).size).toBe(different.length)
  })

  test('keeps each page of a history apart', () => {
    const world = served()
    ask(world, history())
    answer(world, pageOf('2'))
    ask(world, history('2'))
    answer(world, pageOf())
    expect(entryOf(world, history())?.answer).toEqual(pageOf('2'))
    expect(entryOf(world, history('2'))?.answer).toEqual(pageOf())
  })

  test('that fails leaves the answer before it, and of balances and identities it rests', () => {
    const world = served()
    ask(world, balance)
    answer(world, balances)
    world.wait(40_000)
    ask(world, balance)
    const { facts } = world.fail('service.call', 'unreachable')
    expect(facts[0]).toMatchObject({ type: 'service.failed', data: { toast: 'Token Balance Unavailable' } })
    expect(entryOf(world, balance)).toMatchObject({
      answer: balances,
      failure: { code: 'unreachable' },
      isAsked: false,
    })
    world.wait(29_999)
    expect(ask(world, { ...balance, forceUpdate: ['a'] }).types).toEqual(['service.reused'])
    world.wait(2)
    expect(ask(world, balance).types).toEqual(['service.asked'])
    answer(world, balances)
    expect(entryOf(world, balance)).not.toHaveProperty('failure')
  })

  test('of a history that fails is told, and asked again at once', () => {
    const world = served()
    ask(world, history())
    expect(world.fail('service.call', 'rate_limited').facts[0]?.data).toMatchObject({
      toast: 'Failed to fetch transactions',
    })
    expect(ask(world, history()).types).toEqual(['service.asked'])
  })

  test('that the service refuses keeps its reasons', () => {
    const world = served()
    ask(world, history())
    const failure = { code: 'bad_input', message: 'the history: HTTP status code: 400' } as const
    world.answer('service.call', 'service.refused', { failure, reasons: ['no such cursor'] })
    expect(world.said('service.failed')[0]).toMatchObject({ failure, reasons: ['no such cursor'] })
    expect(entryOf(world, history())).toMatchObject({ failure, reasons: ['no such cursor'] })
    ask(world, history())
    world.fail('service.call', 'timeout')
    expect(entryOf(world, history())).not.toHaveProperty('reasons')
  })

  test('with a fallback has it beside the failure', () => {
    const world = served()
    const one: ServiceAsk = { call: 'onrampOptions' }
    const fallback: ServiceAnswer = { call: 'onrampOptions', paymentCurrencies: [], purchaseCurrencies: [], dropped: 0 }
    ask(world, one)
    world.answer('service.call', 'service.answered', {
      answer: fallback,
      failure: { code: 'unreachable', message: 'x' },
    })
    expect(entryOf(world, one)).toMatchObject({ answer: fallback, failure: { code: 'unreachable' } })
  })

  test('that a core leaves behind has failed in the next one, also while it waits for the networks', () => {
    const world = ready()
    ask(world, balance)
    world.kill('lost')
    expect(entryOf(world, balance)).toMatchObject({ isAsked: false, failure: { code: 'core_lost' } })
    expect(entryOf(world, { call: 'supportedChains' })).toMatchObject({ failure: { code: 'core_lost' } })
    expect(ask(world, history()).types).toEqual(['service.asked', 'service.asked'])
  })

  test('is refused while as many of its kind are under way as are kept', () => {
    const world = served()
    for (let at = 0; at < entriesKept; at += 1) ask(world, history(String(at)))
    expect(ask(world, history('one more')).facts.map(({ type, data }) => [type, data.failure])).toEqual([
      ['service.failed', expect.objectContaining({ code: 'busy' })],
    ])
    expect(ask(world, balance).types).toEqual(['service.asked'])
  })

  test('keeps the latest few answers of its kind', () => {
    const world = served()
    for (let at = 0; at < 20; at += 1) {
      ask(world, history(String(at)))
      answer(world, pageOf())
    }
    ask(world, balance)
    const kept = Object.values(world.model.service).filter(({ ask: { call } }) => call === 'history')
    expect(kept.map(({ ask: one }) => one.call === 'history' && one.cursor)).toEqual(
      Array.from({ length: entriesKept }, (_, at) => String(20 - entriesKept + at)),
    )
    expect(entryOf(world, balance)).toBeDefined()
  })
})

describe('a network that the API does not serve', () => {
  const other = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  const elsewhere = Object.entries(serviceRules).filter(([, rule]) => rule.elsewhere !== undefined)
  const refusals = elsewhere.filter(([, rule]) => typeof rule.elsewhere === 'string').map(([name]) => name)

  test('is told from a call that needs none', () => {
    expect(Object.keys(serviceRules)).toEqual(Object.keys(calls))
    expect(elsewhere).toHaveLength(19)
    expect(refusals).toEqual(['gasPrice', 'buildTransaction', 'buildApprove'])
  })

  test.each<[ServiceCall, object]>([
    ['identity', { name: '', avatar: '' }],
    ['history', { data: [], dropped: 0 }],
    ['balance', { balances: [], dropped: 0 }],
    ['price', { fungibles: [], dropped: 0 }],
    ['tokens', { tokens: [], dropped: 0 }],
    ['quotes', { quotes: [] }],
    ['allowance', { allowance: '0' }],
    ['lookupName', { name: '', addresses: {}, attributes: [] }],
    ['reverseLookup', { names: [], dropped: 0 }],
    ['suggestions', { suggestions: [], dropped: 0 }],
    ['registerName', { success: false }],
    ['onrampUrl', { url: '' }],
    ['onrampOptions', { paymentCurrencies: [], purchaseCurrencies: [], dropped: 0 }],
    ['onrampQuote', {}],
    ['sessions', { pcis: [], dropped: 0 }],
    ['revokeSession', { success: false }],
  ])('has a default answer without a request: %s', (name, bare) => {
    const world = served([other])
    const before = orders(world).length
    const { facts } = ask(world, { ...asks[name], ...('chainId' in asks[name] && { chainId: caip2 }) } as ServiceAsk)
    expect(facts.at(-1)).toMatchObject({ type: 'service.answered', data: { answer: { call: name, ...bare } } })
    expect(facts.at(-1)?.data.failure).toMatchObject({ code: 'unsupported' })
    expect(facts.at(-1)?.data.toast).toBe(name === 'balance' ? 'Token Balance Unavailable' : undefined)
    expect(orders(world)).toHaveLength(before)
  })

  test.each([
    ['gasPrice', 'Network not supported for Gas Price'],
    ['buildTransaction', 'Network not supported for Swaps'],
    ['buildApprove', 'Network not supported for Swaps'],
  ] as const)('refuses %s', (name, message) => {
    const world = served([other])
    const { facts } = ask(world, { ...asks[name], ...('chainId' in asks[name] && { chainId: caip2 }) } as ServiceAsk)
    expect(facts.at(-1)).toMatchObject({ type: 'service.failed', data: { failure: { code: 'unsupported', message } } })
  })

  test('is the one in an ask, else the active one, and none is served while neither is known', () => {
    const world = served([other])
    ask(world, { ...balance, chainId: other })
    expect(orders(world).at(-1)).toBe('balance')
    const unknown = begun()
    ask(unknown, { call: 'price', addresses: ['a'] })
    answer(unknown, chains([caip2]))
    expect(unknown.said('service.answered').at(-1)).toMatchObject({ answer: { call: 'price', fungibles: [] } })
  })

  test('is every one when the list cannot be read, and it is read again for the next ask', () => {
    const world = ready()
    ask(world, history())
    world.fail('service.call', 'unreachable')
    const failure = { code: 'unreachable' }
    expect(entryOf(world, history())).toMatchObject({ isAsked: false, answer: pageOf(), failure })
    ask(world, balance)
    expect(orders(world)).toEqual(['supportedChains', 'supportedChains'])
  })

  test('leaves the earlier answer standing when only the list cannot be read', () => {
    const world = served()
    ask(world, balance)
    const token = { kind: 'token', address: account } as const
    const held = { name: 'A', symbol: 'A', chainId: caip2, asset: token, value: null, price: '1', iconUrl: '' }
    const real: ServiceAnswer = { ...balances, balances: [{ ...held, decimals: 6, quantity: '1' }] } as ServiceAnswer
    answer(world, real)
    for (let time = 0; time < 2; time += 1) {
      world.wait(86_400_001)
      ask(world, balance)
      world.fail('service.call', 'unreachable')
      expect(entryOf(world, balance)).toMatchObject({ answer: real, failure: { code: 'unreachable' }, isAsked: false })
    }
  })

  test('is looked up again when the list is empty, and else once a day', () => {
    const world = served([])
    ask(world, balance)
    expect(orders(world)).toEqual(['supportedChains', 'supportedChains'])
    answer(world, chains([caip2]))
    answer(world, balances)
    world.wait(86_400_000)
    ask(world, balance)
    expect(orders(world).at(-1)).toBe('balance')
    answer(world, balances)
    world.wait(40_000)
    ask(world, balance)
    expect(orders(world).at(-1)).toBe('supportedChains')
  })
})

test('services: an answer nobody waits for any more changes nothing', () => {
  const world = served()
  const before = structuredClone(world.model.service)
  expect(world.input('service.answered', { answer: balances }, { to: 'e1.1.0' }).types).toEqual([])
  expect(world.model.service).toEqual(before)
})
