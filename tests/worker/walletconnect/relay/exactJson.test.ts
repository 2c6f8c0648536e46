/** JSON whose whole numbers stay what they are. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readExact, withoutBlanks } from '../../../../src/worker/walletconnect/relay/exactJson.ts'
import { memberText } from '../../../../src/worker/walletconnect/relay/json.ts'

/** Writes what `JSON.stringify` cannot: a bigint as its digits, and blanks wherever they may stand. */
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

describe('what is read', () => {
  test('is what was written, whole numbers of any size among it', () => {
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
  ])('of %s is %o', (text, value) => {
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
  ])('is nothing where %j is no JSON', text => {
    expect(() => readExact(text)).toThrow(SyntaxError)
  })
})

test('blanks between the parts go, blanks in texts stay', () => {
  fc.assert(
    fc.property(json, blanks, (value, blank) => {
      expect(withoutBlanks(written(value, blank))).toBe(written(value))
    }),
  )
})

test('a member is found by its way, as it stands', () => {
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
