import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exactIntegers } from '../../../src/runtime/json/bigIntegers.ts'
import { memberText, withoutBlanks } from '../../../src/runtime/json/jsonMembers.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { canonicalJson } from '../../../src/runtime/json/canonicalJson.ts'
import { type Json, type JsonOptions, readJson } from '../../../src/runtime/json/readJson.ts'
import { publishedJson } from '../../../src/runtime/json/publishedJson.ts'

/** Writes a bigint as its digits, which `JSON.stringify` cannot, and blanks at every allowed place. */
function written(value: unknown, blank = ''): string {
  const all = (parts: string[]) => parts.join(`${blank},${blank}`)
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${blank}${all(value.map(one => written(one, blank)))}${blank}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, one]) => `${JSON.stringify(key)}${blank}:${blank}${written(one, blank)}`,
  )
  return `{${blank}${all(members)}${blank}}`
}

const big = fc.bigInt().filter(one => one > 9_007_199_254_740_991n || one < -9_007_199_254_740_991n)
const odd = fc.constantFrom('\uE000', '\uE000n12345678901234567', '\uE000\uE000', '12345678901234567n', '\\', '"')
const json = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map(one => (Object.is(one, -0) ? 0 : one))
      .filter(one => !Number.isInteger(one) || Number.isSafeInteger(one)),
    big,
    odd,
    fc.string({ unit: 'binary' }),
    fc.array(tie('value')),
    fc.dictionary(
      fc.oneof(odd, fc.string()).filter(key => key !== '__proto__'),
      tie('value'),
    ),
  ),
})).value
const blanks = fc.constantFrom('', ' ', '\n\t', '\r\n')

const readExact = (text: string) =>
  readJson(text, { name: 'a text', bigIntegers: exactIntegers, prototypeKeys: 'kept' })

/** @returns the sentence of a text's refusal */
function refusal(text: string, options: Partial<JsonOptions> = {}): unknown {
  try {
    readJson(text, { name: 'a text', ...options })
  } catch (cause) {
    if (cause instanceof Fault) return [cause.code, cause.message, cause.facts?.rule]
    throw cause
  }
  return undefined
}

describe('JSON from outside is refused', () => {
  test.each<[string, string, Partial<JsonOptions>, string]>([
    ['too long', '"aaa"', { maxLength: 4 }, 'expected at most 4 characters, got 5'],
    ['too many bytes', '"é€"', { maxBytes: 6 }, 'expected at most 6 bytes, got 7'],
    ['too deep', '[[{}]]', { maxDepth: 2 }, 'expected at most 2 levels of nesting, got 3'],
    ['too many values', '[1,[2,3]]', { maxValues: 4 }, 'expected at most 4 values, got 5'],
    ['text that is none', '[1,', {}, 'expected JSON, got text that does not parse'],
    ['a prototype key', '{"a":[{"__proto__":{}}]}', {}, 'expected no key __proto__, got one'],
    ['such a key, escaped', '{"\\u005f_proto__":{}}', {}, 'expected no key __proto__, got one'],
    ['the key constructor', '[{"constructor":1}]', {}, 'expected no key constructor, got one'],
  ])('for %s', (_, text, options, sentence) => {
    expect(refusal(text, options)).toEqual(['bad_response', `a text ${sentence}`, undefined])
    expect(refusal(text, { ...options, code: 'bad_input' })).toEqual(['bad_input', `a text ${sentence}`, undefined])
  })

  test('at its limits is accepted', () => {
    expect(refusal('"aaa"', { maxLength: 5 })).toBeUndefined()
    expect(refusal('"é€"', { maxBytes: 7 })).toBeUndefined()
    expect(refusal('[[{}],"[[["]', { maxDepth: 3 })).toBeUndefined()
    expect(refusal('[1,[2,3],",,,"]', { maxValues: 6 })).toBeUndefined()
    expect(refusal(`${'['.repeat(33)}${']'.repeat(33)}`)).toBeDefined()
    expect(refusal(`${'['.repeat(32)}${']'.repeat(32)}`)).toBeUndefined()
    expect(refusal('{"__proto__":1}', { prototypeKeys: 'kept' })).toBeUndefined()
  })

  test.each([
    ['JSON', '{"a":1'],
    ['JSON', '["\\ud800"]'],
    ['DUPLICATE_KEY', '{"a":{"b":1},"a":2}'],
    ['DUPLICATE_KEY', '{"a":1,"\\u0061" :2}'],
    ['FORBIDDEN_KEY', '{"prototype":1}'],
    ['NUMBER', '[1.0]'],
    ['NUMBER', '[-0]'],
    ['NUMBER', '{"a":1e3}'],
    ['NUMBER', '9007199254740992'],
    ['DEPTH', '[[[[[[[[[]]]]]]]]]'],
    ['SIZE', `"${'a'.repeat(65_535)}"`],
  ])('a strict document by the rule %s: %.20s', (rule, text) => {
    expect(refusal(text, publishedJson)).toEqual(['bad_response', expect.any(String), rule])
  })

  test('a strict document may have one key in several objects and as a text', () => {
    expect(refusal('{"a":[{"a":"a","b":"a"},{"a":["a","a",-1,9007199254740991]}]}', publishedJson)).toBeUndefined()
  })

  test('a canonical text is strict and reads as its value', () => {
    const plain = fc.letrec<{ value: Json }>(tie => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constant(null),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.string({ unit: 'grapheme' }),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(
          fc.string().filter(key => !['__proto__', 'constructor', 'prototype'].includes(key)),
          tie('value'),
          { maxKeys: 4 },
        ),
      ),
    })).value
    fc.assert(
      fc.property(plain, value => {
        expect(readJson(canonicalJson(value), { name: 'a text', ...publishedJson })).toEqual(value)
      }),
    )
  })
})

describe('whole numbers of any size', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(json, blanks, (value, blank) => {
        expect(readExact(written(value, blank))).toEqual(value)
      }),
    )
  })

  test.each<[string, unknown]>([
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', 9_007_199_254_740_992n],
    ['-9007199254740993', -9_007_199_254_740_993n],
    ['{"rentEpoch":18446744073709551615,"lamports":1}', { rentEpoch: 18_446_744_073_709_551_615n, lamports: 1 }],
    ['1.2345678901234567', 1.2345678901234567],
    ['1e20', 1e20],
    ['12345678901234567890.0', Number('12345678901234567890')],
    ['"\\ue000n12345678901234567 12345678901234567890"', '\uE000n12345678901234567 12345678901234567890'],
    ['["\\uE000n1",12345678901234567890]', ['\uE000n1', 12_345_678_901_234_567_890n]],
    ['{"12345678901234567890":12345678901234567890}', { '12345678901234567890': 12_345_678_901_234_567_890n }],
  ])('%s reads as %o', (text, value) => {
    expect(readExact(text)).toEqual(value)
  })

  test.each([
    '',
    '12345678901234567890 1',
    '012345678901234567890',
    '--12345678901234567890',
    '{12345678901234567890:1}',
    '[12345678901234567890',
    '12345678901234567890n',
    '"12345678901234567890',
  ])('are refused where %j is no JSON', text => {
    expect(() => readExact(text)).toThrow('expected JSON')
  })
})

test('white space between the parts is dropped, in strings it stays', () => {
  fc.assert(
    fc.property(json, blanks, (value, blank) => {
      expect(withoutBlanks(written(value, blank))).toBe(written(value))
    }),
  )
})

test('a member is found by its path, as written', () => {
  fc.assert(
    fc.property(json, blanks, fc.oneof(odd, fc.string()), (value, blank, key) => {
      fc.pre(key !== '__proto__' && key !== 'z')
      const text = written({ z: [{ [key]: 'not this' }], [key]: { [key]: value } }, blank)
      expect(memberText(text, key, key)).toBe(written(value, blank))
      expect(memberText(text, key, 'no such')).toBeUndefined()
      expect(memberText(text, 'z', key)).toBeUndefined()
    }),
  )
  expect(memberText('{"a":1,"a":2}', 'a')).toBe('2')
})
