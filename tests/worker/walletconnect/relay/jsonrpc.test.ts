import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/runtime/json/readJson.ts'
import {
  answerError,
  answerTrue,
  parsePayload,
  longestFrame,
  parseRelayFrame,
  relayRequest,
  wcRequest,
} from '../../../../src/worker/walletconnect/relay/jsonrpc.ts'
import { endsWell, faultOf } from '../refusals.ts'

const topic = '7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'
const push = (id: string, data = `{"topic":"${topic}","message":"AA==","publishedAt":1,"tag":1100}`) =>
  `{"id":${id},"jsonrpc":"2.0","method":"irn_subscription","params":{"id":"s","data":${data}}}`

describe('a frame from the relay', () => {
  test('with a message is a push, with all its parts', () => {
    expect(parseRelayFrame(push('458622615585601'))).toEqual({
      kind: 'push',
      id: '458622615585601',
      echo: '458622615585601',
      subscriptionId: 's',
      topic,
      message: 'AA==',
      publishedAt: 1,
      tag: 1100,
      attestation: null,
    })
  })

  test('may leave out all but topic and message, or give null', () => {
    const frame = parseRelayFrame(push('1', `{"topic":"${topic}","message":"","attestation":null}`))
    expect(frame).toMatchObject({ kind: 'push', message: '', publishedAt: null, tag: null, attestation: null })
  })

  test('with an id beyond 2^53 is answered digit for digit', () => {
    const frame = parseRelayFrame(push('1795226335321326765'))
    expect(frame.kind === 'push' && answerTrue(frame.echo)).toBe(
      '{"id":1795226335321326765,"jsonrpc":"2.0","result":true}',
    )
  })

  test('with an id in text is answered in text', () => {
    const frame = parseRelayFrame(push('"1795226335321326765n"'))
    expect(frame.kind === 'push' && answerTrue(frame.echo)).toBe(
      '{"id":"1795226335321326765n","jsonrpc":"2.0","result":true}',
    )
  })

  test('keeps any id, number or text, wherever it stands and whatever is around it', () => {
    const number = fc.bigInt({ min: 0n, max: 10n ** 39n }).map(String)
    const blank = fc.constantFrom('', ' ', '\n', '\t \r\n')
    const other = fc.tuple(fc.string(), fc.json({ maxDepth: 3 })).filter(([key]) => key !== 'id')
    fc.assert(
      fc.property(number, fc.boolean(), blank, fc.array(other, { maxLength: 4 }), (digits, quoted, gap, others) => {
        const literal = quoted ? `"${digits}"` : digits
        const members = [
          `"jsonrpc"${gap}:${gap}"2.0"`,
          `"result":{"id":1,"x":"\\"id\\":2"}`,
          `"\\u0069d"${gap}:${gap}${literal}`,
        ]
        for (const [key, value] of others) {
          if (['jsonrpc', 'result', 'error', 'method', '__proto__', 'constructor', 'prototype'].includes(key)) continue
          if (/"(__proto__|constructor|prototype)"/.test(value)) continue
          members.push(`${JSON.stringify(key)}:${value}`)
        }
        const frame = parseRelayFrame(`{${gap}${members.reverse().join(`${gap},`)}${gap}}`)
        expect(frame).toMatchObject({ kind: 'result', id: digits })
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['a push without topic', push('7', '{"message":"x"}')],
    ['a push to a topic in capitals', push('7', `{"topic":"${topic.toUpperCase()}","message":"x"}`)],
    ['a push without message', push('7', `{"topic":"${topic}"}`)],
    ['a push whose tag is text', push('7', `{"topic":"${topic}","message":"x","tag":"1"}`)],
    ['a push whose time is a fraction', push('7', `{"topic":"${topic}","message":"x","publishedAt":1.5}`)],
    ['a push whose attestation is a number', push('7', `{"topic":"${topic}","message":"x","attestation":1}`)],
    ['a push without params', '{"id":7,"jsonrpc":"2.0","method":"irn_subscription"}'],
  ])('that is %s is a fault which names the id to acknowledge', (_what, text) => {
    const fault = faultOf(() => parseRelayFrame(text))
    expect(fault.code).toBe('bad_response')
    expect(fault.facts?.echo).toBe('7')
  })

  test.each([
    ['an answer', '{"id":"12","jsonrpc":"2.0","result":"sub"}', { kind: 'result', id: '12', result: 'sub' }],
    [
      'an answer of null',
      '{"id":1,"jsonrpc":"2.0","result":null,"error":null}',
      { kind: 'result', id: '1', result: null },
    ],
    [
      'a refusal',
      '{"id":1,"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}',
      { kind: 'error', id: '1', error: { code: -32000, message: 'no' } },
    ],
    [
      'a refusal of nobody',
      '{"id":null,"jsonrpc":"2.0","error":{"code":-32700}}',
      { kind: 'error', id: null, error: { code: -32700, message: '' } },
    ],
    [
      'another request',
      '{"id":1,"jsonrpc":"2.0","method":"relay_x"}',
      { kind: 'request', id: '1', echo: '1', method: 'relay_x', params: null },
    ],
  ])('that is %s is told apart', (_what, text, frame) => {
    expect(parseRelayFrame(text)).toEqual(frame)
  })
})

const refusals: [string, unknown][] = [
  ['nothing', ''],
  ['no JSON', 'hello'],
  ['half a frame', '{"id":1,"jsonrpc":"2.0","resu'],
  ['a list', '[{"id":1,"jsonrpc":"2.0","result":true}]'],
  ['null', 'null'],
  ['a number', '1'],
  ['binary', new Uint8Array(3)],
  ['another version', '{"id":1,"jsonrpc":"1.0","result":true}'],
  ['no id', '{"jsonrpc":"2.0","result":true}'],
  ['two ids', '{"id":1,"id":2,"jsonrpc":"2.0","result":true}'],
  ['two ids, one in escapes', '{"id":1,"\\u0069d":2,"jsonrpc":"2.0","result":true}'],
  ['a fraction as id', '{"id":1.5,"jsonrpc":"2.0","result":true}'],
  ['an exponent as id', '{"id":1e3,"jsonrpc":"2.0","result":true}'],
  ['a negative id', '{"id":-1,"jsonrpc":"2.0","result":true}'],
  ['an object as id', '{"id":{"a":1},"jsonrpc":"2.0","result":true}'],
  ['an id with quotes in it', '{"id":"a\\"b","jsonrpc":"2.0","result":true}'],
  ['an endless id', `{"id":${'9'.repeat(500)},"jsonrpc":"2.0","result":true}`],
  ['no content', '{"id":1,"jsonrpc":"2.0"}'],
  ['an answer and a refusal', '{"id":1,"jsonrpc":"2.0","result":true,"error":{"code":1,"message":"no"}}'],
  ['a request and its answer', '{"id":1,"jsonrpc":"2.0","method":"wc_sessionPing","result":true}'],
  ['a request and a refusal of nobody', '{"jsonrpc":"2.0","method":"wc_sessionPing","error":{}}'],
  ['a method that is no text', '{"id":1,"jsonrpc":"2.0","method":7,"result":true}'],
  ['a prototype as key', '{"id":1,"jsonrpc":"2.0","result":{"a":[{"__proto__":{}}]}}'],
  ['a prototype as escaped key', '{"id":1,"jsonrpc":"2.0","result":{"\\u005f_proto__":{}}}'],
  ['a constructor as key', '{"id":1,"jsonrpc":"2.0","result":true,"constructor":1}'],
  ['more than 50,000 values', `{"id":1,"jsonrpc":"2.0","result":[${'0,'.repeat(50_000)}0]}`],
  ['more than 32 levels', `{"id":1,"jsonrpc":"2.0","result":${'['.repeat(32)}${']'.repeat(32)}}`],
  ['a million open brackets', '['.repeat(1_000_000)],
  ['more than the longest frame', `{"id":1,"jsonrpc":"2.0","result":"${'x'.repeat(longestFrame)}"}`],
]

test.each(refusals)('a frame or payload that is %s is a fault', (_what, text) => {
  expect(faultOf(() => parseRelayFrame(text)).code).toBe('bad_response')
  expect(faultOf(() => parsePayload(text as string)).code).toBe('bad_response')
})

test('a frame may hold a page of messages, each of which is no longer than the longest text', () => {
  const text = `{"id":1,"jsonrpc":"2.0","result":"${'x'.repeat(1_048_576)}"}`
  expect(parseRelayFrame(text).kind).toBe('result')
  expect(faultOf(() => parsePayload(text)).message).toContain('expected at most 1048576 characters')
})

test('a frame of exactly 32 levels, and one full of brackets in text, are read', () => {
  const deep = `{"id":1,"jsonrpc":"2.0","result":${'['.repeat(31)}${']'.repeat(31)}}`
  expect(parseRelayFrame(deep).kind).toBe('result')
  expect(parsePayload(`{"id":1,"jsonrpc":"2.0","result":"${'{['.repeat(999)}\\""}`).kind).toBe('result')
})

test('a payload that is neither request nor answer names its id', () => {
  expect(faultOf(() => parsePayload('{"id":17,"jsonrpc":"2.0"}')).facts?.id).toBe('17')
})

test.each([
  ['{"id":1,"jsonrpc":"2.0","error":{}}', { message: '' }],
  ['{"id":1,"jsonrpc":"2.0","error":"User rejected"}', { message: 'User rejected' }],
  ['{"id":1,"jsonrpc":"2.0","error":{"message":"no"}}', { message: 'no' }],
  ['{"id":1,"jsonrpc":"2.0","error":null}', { message: '' }],
])('a payload %s is read as a refusal', (text, error) => {
  expect(parsePayload(text)).toEqual({ kind: 'error', id: '1', error })
})

describe('random frames', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '"id"',
    '"jsonrpc":"2.0"',
    '"result"',
    '1',
    '\\',
    ' ',
    'null',
  )
  const mutated = fc
    .tuple(fc.nat(300), fc.nat(5), fc.oneof(piece, fc.string({ maxLength: 3 })))
    .map(
      ([at, cut, put]) => push('1795226335321326765').slice(0, at) + put + push('1795226335321326765').slice(at + cut),
    )
  const frames = fc.oneof(
    fc.string(),
    fc.json(),
    fc.array(piece, { maxLength: 30 }).map(list => list.join('')),
    mutated,
    fc.anything(),
  )

  test('end in a frame or in a fault, never in another error', () => {
    fc.assert(
      fc.property(frames, frame => {
        expect(endsWell(() => parseRelayFrame(frame))).toBe(true)
        expect(endsWell(() => parsePayload(frame as string))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('never reach a prototype', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        endsWell(() => parsePayload(`{"id":1,"jsonrpc":"2.0","result":{"__proto__":${JSON.stringify(value)}}}`))
        expect(Object.keys(Object.prototype)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})

describe('what is sent', () => {
  test('has its members in order, with the id as text for the relay and as a number for the wallet', () => {
    expect(relayRequest('1795226155855030784', 'irn_subscribe', { topic })).toBe(
      `{"id":"1795226155855030784","jsonrpc":"2.0","method":"irn_subscribe","params":{"topic":"${topic}"}}`,
    )
    expect(wcRequest(1795226160744614, 'wc_sessionPing', {})).toBe(
      '{"id":1795226160744614,"jsonrpc":"2.0","method":"wc_sessionPing","params":{}}',
    )
    expect(answerError('1795226158704949', { code: 5000, message: 'User rejected.' })).toBe(
      '{"id":1795226158704949,"jsonrpc":"2.0","error":{"code":5000,"message":"User rejected."}}',
    )
  })

  test('is read back as it was meant', () => {
    const leaf = fc.oneof(
      fc.string().filter(text => !/^\d+n$/.test(text)),
      fc.maxSafeInteger(),
      fc.boolean(),
      fc.constant(null),
    )
    const key = fc.string().filter(text => !['__proto__', 'constructor', 'prototype'].includes(text))
    const { json } = fc.letrec<{ json: Json }>(tie => ({
      json: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('json')), fc.dictionary(key, tie('json'))),
    }))
    fc.assert(
      fc.property(fc.maxSafeNat(), json, (id, params) => {
        const echo = String(id)
        expect(parsePayload(wcRequest(id, 'm', params))).toEqual({
          kind: 'request',
          id: echo,
          echo,
          method: 'm',
          params,
        })
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    ['a number beyond 2^53', { amount: 2 ** 60 }],
    ['a text that wallets read as a big integer', ['12345n']],
    ['an endless number', [Number.POSITIVE_INFINITY]],
    ['a function', { a: () => 1 }],
    ['a bigint', [1n]],
    ['undefined', [undefined]],
  ])('is refused with %s inside', (_what, params) => {
    expect(faultOf(() => wcRequest(1, 'm', params as never)).code).toBe('bad_input')
  })

  test('is refused as a loop', () => {
    const loop: unknown[] = []
    loop.push(loop)
    expect(faultOf(() => relayRequest('1', 'm', loop as never)).code).toBe('bad_input')
  })

  test.each(['', '1,"x":2', '"a"b"', '1.5', '{}'])('is refused as an answer to the id %s', echo => {
    expect(faultOf(() => answerTrue(echo)).code).toBe('bad_input')
    expect(faultOf(() => relayRequest(echo, 'm', {})).code).toBe('bad_input')
  })
})

test('a thousand readings of one frame give one thing', () => {
  const text = push('1795226335321326765')
  const seen = new Set(Array.from({ length: 1000 }, () => JSON.stringify(parseRelayFrame(text))))
  expect(seen.size).toBe(1)
})
