import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encode, versionOf } from '../../../src/events/log/codec.ts'
import { decode } from '../../../src/events/log/decode.ts'
import { longestLine } from '../../../src/runtime/log/createDecoder.ts'
import { shortHash } from '../../../src/runtime/log/shortHash.ts'
import { allInputDefinitions, factDefinitions, pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { lineOf } from '../../../src/events/log/lineOf.ts'
import type { RunningRecord } from '../../../src/runtime/log/record.ts'
import type { Definitions } from '../../../src/runtime/schema/registry.ts'
import { snapshotTables } from '../../../src/events/checkpoint/tables.ts'
import { dataOf } from '../facts.ts'

const numbers = fc.integer({ min: 0, max: 2 ** 40 })
const texts = fc.string({ maxLength: 12 })

function recordOf(k: 'i' | 'f' | 'p', table: Definitions): fc.Arbitrary<RunningRecord> {
  const types = Object.entries(table).map(([type, { version, fields }]) => {
    const ends = { type: fc.constant(type), v: fc.constant(version), data: dataOf(fields) }
    const at = { at: numbers }
    const kinds = {
      i: () =>
        fc.record(
          { k: fc.constant(k), n: numbers, ...at, ...ends, to: texts, tab: texts, ref: texts },
          { requiredKeys: ['k', 'n', 'at', 'type', 'v', 'data'] },
        ),
      f: () =>
        fc.record(
          { k: fc.constant(k), seq: numbers, n: numbers, ...at, ...ends, ref: texts },
          { requiredKeys: ['k', 'seq', 'n', 'at', 'type', 'v', 'data'] },
        ),
      p: () => fc.record({ k: fc.constant(k), p: numbers, life: numbers, after: numbers, tab: texts, ...at, ...ends }),
    }
    return kinds[k]()
  })
  return fc.oneof(...types) as fc.Arbitrary<RunningRecord>
}

const effects = fc.record(
  {
    k: fc.constant('e' as const),
    n: numbers,
    types: fc.array(texts, { maxLength: 3 }),
    h: texts,
  },
  { requiredKeys: ['k', 'types', 'h'] },
)
const records = fc.oneof(
  recordOf('i', allInputDefinitions),
  recordOf('f', factDefinitions),
  recordOf('p', pageFactDefinitions),
  effects,
)

/** The same record with its keys in another order. */
function shuffled<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shuffled) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, shuffled(member)]),
  ) as T
}

describe('a record', () => {
  test('is one line, and the line reads as the record', () => {
    fc.assert(
      fc.property(records, record => {
        const line = encode(record)
        expect(line).not.toContain('\n')
        expect(decode(line)).toEqual(record)
        expect(lineOf(decode(line))).toBe(line)
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('is the same line whatever order its keys came in', () => {
    fc.assert(
      fc.property(recordOf('f', factDefinitions), record => {
        const { data } = record as { data: Record<string, unknown> }
        const other = { ...shuffled(record), data: Object.fromEntries(Object.entries(data).reverse()) } as RunningRecord
        expect(encode(other)).toBe(encode(record))
      }),
      { numRuns: 200, seed: 2 },
    )
  })

  test('has its keys in the order of the page on it', () => {
    const line = encode({
      ref: 'c1',
      data: { orderId: 'o1' },
      v: 1,
      type: 'order.sending',
      at: 3,
      n: 2,
      seq: 1,
      k: 'f',
    })
    expect(line).toBe('{"k":"f","seq":1,"n":2,"at":3,"type":"order.sending","v":1,"data":{"orderId":"o1"},"ref":"c1"}')
  })

  test('of an unknown type or a newer version is kept unchanged', () => {
    for (const line of [
      '{"k":"f","seq":1,"n":1,"at":1,"type":"nobody.spoke","v":7,"data":{"b":[1,{"c":null}],"a":2}}',
      '{"k":"f","seq":1,"n":1,"at":1,"type":"constructor","v":1,"data":{"a":2}}',
    ])
      expect(lineOf(decode(line))).toBe(line)
    const newer = '{"k":"f","seq":1,"n":1,"at":1,"type":"order.sending","v":2,"data":{"orderId":1}}'
    expect(decode(newer)).toMatchObject({ v: 2, data: { orderId: 1 } })
    const unheard = '{"k":"r","type":"nobody.restated","v":2,"data":{"b":1,"a":2}}'
    expect(lineOf(decode(unheard))).toBe(unheard)
    expect(versionOf('f', 'nobody.spoke')).toBe(1)
    expect(versionOf('e', 'order.sending')).toBe(1)
  })
})

describe('a row', () => {
  const row = fc.oneof(
    ...Object.entries(snapshotTables as Definitions).map(([type, { version, fields }]) =>
      dataOf(fields).map(data => ({ k: 'r' as const, type, v: version, data })),
    ),
  )

  test('is one line, and the line reads as the fact', () => {
    fc.assert(
      fc.property(row, record => {
        const line = lineOf(record)
        expect(line).not.toContain('\n')
        expect(decode(line)).toEqual(record)
        expect(lineOf(decode(line))).toBe(line)
      }),
      { numRuns: 400, seed: 3 },
    )
  })

  test.each([
    ['another situation', '{"network":{"phase":"gone","online":true}}', /network\.phase expected/],
    [
      'a field of another situation',
      '{"network":{"phase":"unknown","online":true,"got":"x"}}',
      /network\.got expected/,
    ],
    ['a missing field', '{"network":{"phase":"unknown"}}', /network\.online expected/],
  ])('is refused with %s', (_name, data, sentence) => {
    expect(() => decode(`{"k":"r","type":"network.restated","v":1,"data":${data}}`)).toThrow(sentence)
  })
})

describe('checkpoint', () => {
  const line =
    '{"k":"c","format":2,"n":2,"seq":3,"life":1,"at":5,"build":"b","state":"0badc0de","transient":{"b":1,"a":[2]},"rows":4}'

  test('is one line with its keys in the order of the page on it', () => {
    const quoting = line.replace('0badc0de', '0bad\\"c0de')
    for (const one of [line, quoting]) expect(lineOf(decode(one))).toBe(one)
    expect(() => decode(line.replace('"rows":4', '"rows":"4"'))).toThrow(/rows expected whole number/)
    expect(() => decode(line.replace('"rows":4', '"rows":4,"more":"x"'))).toThrow(/more expected no field/)
  })

  test('of format 1 has no number, and is lifted to the newest format', () => {
    const old = line.replace('"format":2,', '').replace('"rows"', '"restated"')
    expect(decode(old)).toEqual(decode(line))
    expect(() => decode(old.replace(',"restated":4', ''))).toThrow(/format expected whole number/)
  })

  test('of a later format is refused', () => {
    expect(() => decode(line.replace('"format":2', '"format":3'))).toThrow(/format expected at most 2, got 3/)
  })
})

describe('a hostile line', () => {
  const fact = (data: string, more = '') =>
    `{"k":"f","seq":1,"n":1,"at":1,"type":"order.sending","v":1,"data":${data}${more}}`

  test.each([
    ['', /text that does not parse/],
    ['nonsense', /text that does not parse/],
    ['null', /expected an object/],
    ['[]', /expected an object/],
    ['"text"', /expected an object/],
    ['{}', /expected k to be i, f, e, p, c or r, got nothing/],
    ['{"k":"x"}', /expected k to be i, f, e, p, c or r, got "x"/],
    ['{"k":{"toString":1}}', /expected k/],
    ['{"k":"f"}', /seq expected whole number, got undefined/],
    ['{"k":"e","n":1,"types":[1],"h":"x"}', /types expected list of text, got a list/],
    ['{"k":"e","n":"1","types":["a"],"h":"x"}', /n expected whole number, got string/],
    ['{"k":"e","types":["a"],"h":"x","ref":"c1"}', /ref expected no field/],
    [fact('[]'), /data expected object, got a list/],
    [fact('null'), /data expected object, got null/],
    [fact('{}'), /order.sending: orderId expected/],
    [fact('{"orderId":"o","more":1}'), /more expected/],
    [fact('{"orderId":"o"}', ',"ref":1'), /ref expected text, got number/],
    [fact('{"orderId":"o"}', ',"tab":"t"'), /tab expected no field/],
    [fact('{"orderId":"o"}', ',"__proto__":{}'), /expected no key __proto__/],
    [fact('{"orderId":"o","__proto__":{"polluted":1}}'), /expected no key __proto__/],
    [fact('{"orderId":"o","\\u005f_proto__":{"polluted":1}}'), /expected no key __proto__/],
    [fact('{"orderId":"o","constructor":{"prototype":1}}'), /expected no key/],
    ['{"k":"f","seq":1.5,"n":1,"at":1,"type":"a","v":1,"data":{}}', /seq expected whole number, got number/],
    ['{"k":"f","seq":1e400,"n":1,"at":1,"type":"a","v":1,"data":{}}', /seq expected whole number/],
    [`{"k":"${'x'.repeat(longestLine)}"}`, /expected at most 1000000 characters/],
    ['['.repeat(200_000), /text that does not parse/],
    [`{"\\u0061":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, /expected k to be i, f, e, p, c or r, got nothing/],
  ])('%.60s is refused with a sentence', (line, sentence) => {
    let caught: unknown
    try {
      decode(line)
    } catch (fault) {
      caught = fault
    }
    expect(caught).toBeInstanceOf(Fault)
    expect((caught as Fault).code).toBe('bad_input')
    expect((caught as Fault).message).toMatch(sentence)
    expect((caught as Fault).message.length).toBeLessThan(300)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('of any kind is read or refused', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), line => {
        try {
          decode(line)
        } catch (fault) {
          expect(fault).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 1000, seed: 3 },
    )
  })
})

test('the short hash is FNV-1a', () => {
  expect(shortHash('')).toBe('811c9dc5')
  expect(shortHash('a')).toBe('e40c292c')
  expect(shortHash('foobar')).toBe('bf9cf968')
})
