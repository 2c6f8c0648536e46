/** Payloads of wallets reduced to the fields of inputs, malformed ones above all. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { inputDefinitions } from '../../../../src/events/input.ts'
import { misfit } from '../../../../src/runtime/schema/registry.ts'
import { readIncoming } from '../../../../src/worker/walletconnect/relay/incoming.ts'
import { answerTrue } from '../../../../src/worker/walletconnect/relay/jsonrpc.ts'

const key = 'ab'.repeat(32)
const solana = { accounts: ['solana:x:a'], methods: ['m'], events: ['e'] }
const settlement = {
  relay: { protocol: 'irn' },
  namespaces: { solana },
  controller: { publicKey: key, metadata: { name: 'Torch', description: '', url: 'https://torch.example', icons: [] } },
  expiry: 1_800_000_000,
}
const asked = (method: string, params: unknown, id = 7) => JSON.stringify({ id, jsonrpc: '2.0', method, params })
const read = (method: string, params: unknown, isSubscribed = false) =>
  readIncoming(asked(method, params), { isSubscribed: () => isSubscribed }).payload

describe('a request that is owed an answer keeps its kind and id when it is not of its form, and nothing of what it holds:', () => {
  test.each([
    ['settle', 'wc_sessionSettle', { ...settlement, relay: undefined }, 5],
    ['settle', 'wc_sessionSettle', { ...settlement, controller: { publicKey: 'zz' } }, 5],
    ['settle', 'wc_sessionSettle', { ...settlement, expiry: 'soon' }, 5],
    ['settle', 'wc_sessionSettle', { ...settlement, namespaces: {} }, 5],
    ['settle', 'wc_sessionSettle', { ...settlement, namespaces: { solana: { ...solana, accounts: 'a' } } }, 5103],
    ['settle', 'wc_sessionSettle', null, 5],
    ['update', 'wc_sessionUpdate', { namespaces: { solana: { ...solana, methods: [1] } } }, 5101],
    ['update', 'wc_sessionUpdate', { namespaces: { solana: { ...solana, accounts: ['secret words'] } } }, 5103],
    ['update', 'wc_sessionUpdate', {}, 5],
    ['update', 'wc_sessionUpdate', [], 5],
    ['extend', 'wc_sessionExtend', 'soon', 5],
    ['extend', 'wc_sessionExtend', [], 5],
  ])('%s by %s %j', (kind, method, params, code) => {
    expect(read(method, params)).toEqual({ kind, id: '7', error: { code, message: '' } })
  })
})

describe('text of a peer', () => {
  const hostile = `\u202eTo\u2028r\u0000c\u200bh\u3164${'\u0301'.repeat(100)}\u2066`

  test('reaches the log without characters that turn, break, hide or flood a line', () => {
    const metadata = { name: hostile, description: hostile, url: `https://torch.example/${hostile}`, icons: [hostile] }
    const { peer } = read('wc_sessionSettle', { ...settlement, controller: { publicKey: key, metadata } })
    const clean = 'To rch\u0301\u0301\u0301'
    expect(peer).toEqual({ name: clean, description: clean, url: `https://torch.example/${clean}`, icons: [clean] })
  })

  test('that stands for a method, an event or a chain is kept only when it is plain', () => {
    expect(read(`wc_${hostile}`, {})).toEqual({ kind: 'request', id: '7', method: '(unreadable)' })
    expect(read('wc_other', {})).toEqual({ kind: 'request', id: '7', method: 'wc_other' })
    const event = { event: { name: `accountsChanged\u200b`, data: [] }, chainId: 'solana:x\u202e' }
    expect(read('wc_sessionEvent', event)).toEqual({
      kind: 'event',
      id: '7',
      event: '(unreadable)',
      chainId: '(unreadable)',
    })
    const namespaces = { solana: { ...solana, methods: ['m', 'm\u202e'], events: ['e', '\u200be'] } }
    expect(read('wc_sessionUpdate', { namespaces }).namespaces?.solana).toMatchObject({
      methods: ['m', '(unreadable)'],
      events: ['e', '(unreadable)'],
    })
  })
})

test.each([{}, null, { expiry: 1 }])('an extend with %j is one: what it holds is not read', params => {
  expect(read('wc_sessionExtend', params)).toEqual({ kind: 'extend', id: '7' })
})

describe('a settlement', () => {
  test('brings its properties and its wish along', () => {
    const given = {
      sessionProperties: { a: 'b' },
      scopedProperties: { 'eip155:1': { atomic: true } },
      sessionConfig: { disableDeepLink: true },
    }
    expect(read('wc_sessionSettle', { ...settlement, ...given })).toMatchObject({
      kind: 'settle',
      sessionProperties: { a: 'b' },
      scopedProperties: { 'eip155:1': '{"atomic":true}' },
      disableDeepLink: true,
    })
  })

  test('is taken without those of its properties that are of no use', () => {
    const given = {
      sessionProperties: { a: null, b: 7, c: 'x'.repeat(5000), ['d'.repeat(300)]: 'e', f: 'g' },
      scopedProperties: ['no', 'record'],
      sessionConfig: { disableDeepLink: 'yes' },
    }
    const payload = read('wc_sessionSettle', { ...settlement, ...given })
    expect(payload).toMatchObject({ kind: 'settle', sessionProperties: { f: 'g' } })
    expect(payload).not.toHaveProperty('scopedProperties')
    expect(payload).not.toHaveProperty('disableDeepLink')
  })
})

describe('an event', () => {
  const event = (name: unknown, data: unknown, isSubscribed = false) =>
    read('wc_sessionEvent', { event: { name, data }, chainId: 'eip155:1' }, isSubscribed)

  test('that somebody listens to is told with its words; of any other only the name', () => {
    expect(event('message', { a: [1] }, true)).toEqual({
      kind: 'event',
      id: '7',
      event: 'message',
      chainId: 'eip155:1',
      data: '{"a":[1]}',
    })
    expect(event('message', { otp: 482_913 })).toEqual({
      kind: 'event',
      id: '7',
      event: 'message',
      chainId: 'eip155:1',
    })
  })

  test('about accounts or the chain is always told', () => {
    expect(event('accountsChanged', ['solana:x:a', 'b', 7])).toMatchObject({ accounts: ['a', 'b'] })
    expect(event('chainChanged', '0x89')).toMatchObject({ chain: 'eip155:137', data: '"0x89"' })
  })

  test.each([
    ['no name', undefined, 1],
    ['an empty name', '', 1],
    ['a name with a blank', 'a b', 1],
    ['a name of 101 characters', 'x'.repeat(101), 1],
    ['a name that reaches into a prototype', 'constructor', 1],
    ['more than 65,536 characters to tell', 'message', 'x'.repeat(70_000)],
  ])('with %s is dropped', (_name, name, data) => {
    expect(event(name, data, true).kind).toBe('unopened')
  })
})

describe('what a wallet says to a page', () => {
  const isOfPage = () => true

  test.each([
    ['result', '{"nonce":9007199254740993, "a" : [ 1 ]}', '{"nonce":9007199254740993,"a":[1]}'],
    ['result', '18446744073709551615', '18446744073709551615'],
    ['result', 'null', 'null'],
    [
      'error',
      '{"code":5000,"message":"no way","data":9007199254740993}',
      '{"code":5000,"message":"no way","data":9007199254740993}',
    ],
    ['error', '{}', '{}'],
  ])('as %s %s is kept digit for digit', (member, given, answer) => {
    const { payload } = readIncoming(`{"id":7,"jsonrpc":"2.0","${member}":${given}}`, { isOfPage })
    expect(payload).toMatchObject({ kind: member, id: '7', answer })
  })

  test('by an event is kept digit for digit', () => {
    const params = '{"event":{"name":"paid","data":{ "units":9007199254740993 }},"chainId":"eip155:1"}'
    const text = `{"id":7,"jsonrpc":"2.0","method":"wc_sessionEvent","params":${params}}`
    expect(readIncoming(text, { isSubscribed: () => true }).payload).toMatchObject({
      data: '{"units":9007199254740993}',
    })
  })
})

describe('whatever a wallet says fits the core, so that it can be answered and acknowledged', () => {
  const around = { pushId: '1', topic: key, hash: key, publishedAt: 0, tag: 1 }
  const word = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.nat({ max: 6000 }).map(length => 'x'.repeat(length)),
    fc.nat({ max: 6000 }).map(length => `solana:${'x'.repeat(length)}`),
    fc.nat({ max: 6000 }).map(length => `solana:x:${'y'.repeat(length)}`),
  )
  const words = fc.array(word, { maxLength: 3 })
  const part = fc.record(
    { chains: words, accounts: words, methods: words, events: words },
    { requiredKeys: ['accounts'] },
  )
  const anyNamespaces = fc.dictionary(word, fc.oneof(part, fc.constant(solana)), { maxKeys: 3 })
  const metadata = fc.record({ name: word, description: word, url: word, icons: words }, { requiredKeys: [] })

  test.each([
    [
      'wc_sessionSettle',
      fc.tuple(anyNamespaces, metadata).map(([namespaces, given]) => ({
        ...settlement,
        namespaces,
        controller: { publicKey: key, metadata: given },
      })),
    ],
    ['wc_sessionUpdate', anyNamespaces.map(namespaces => ({ namespaces }))],
    ['wc_sessionEvent', fc.record({ event: fc.record({ name: word, data: words }), chainId: word })],
  ] as [string, fc.Arbitrary<object>][])('%s', (method, params) => {
    fc.assert(
      fc.property(params, given => {
        expect(
          misfit(inputDefinitions['relay.message'], { ...around, payload: read(method, given, true) }),
        ).toBeUndefined()
      }),
    )
  })

  test.each(['accounts', 'methods', 'events'] as const)('but %s of more than 200 characters are refused', which => {
    const long = { solana: { ...solana, [which]: [`solana:x:${'y'.repeat(192)}`] } }
    expect(read('wc_sessionUpdate', { namespaces: long })).toMatchObject({ kind: 'update', error: { code: 5 } })
  })
})

test.each(['7', '1795226335321326765', '"7"', '"a.b:c-d"', '"007"'])(
  'a question by the id %s is answered by that id',
  id => {
    const { payload } = readIncoming(`{"id":${id},"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}`)
    expect(answerTrue(payload.id)).toBe(`{"id":${id},"jsonrpc":"2.0","result":true}`)
  },
)

test('an answer by a quoted id is the answer to the same digits', () => {
  expect(readIncoming('{"id":"7","jsonrpc":"2.0","result":true}').payload.id).toBe('7')
})
