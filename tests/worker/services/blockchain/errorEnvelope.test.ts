import fc from 'fast-check'
import { expect, test } from 'vitest'
import { reasonsOf } from '../../../../src/worker/services/blockchain/errorEnvelope.ts'

test.each<[string, string, [string, string][]]>([
  [
    'the envelope',
    '{"status":"FAILED","reasons":[{"field":"chainId","description":"Not supported"},{"field":"","description":"Bad"}]}',
    [
      ['chainId', 'Not supported'],
      ['', 'Bad'],
    ],
  ],
  ['a code and a message', '{"code":"x","message":"Not enough liquidity"}', [['', 'Not enough liquidity']]],
  ['plain text', 'Internal server error\n', [['', 'Internal server error']]],
  ['text as JSON', '"Forbidden"', [['', 'Forbidden']]],
  ['nothing', '', []],
  ['HTML', '<html>Bad gateway</html>', []],
  ['JSON that is cut off', '{"status":"FAILED","reasons":[{"fie', []],
  ['a polluting key', '{"__proto__":{"message":"x"}}', []],
  ['no text', '{"status":"FAILED","reasons":[{"field":"a"},{"description":7},null,"x",["y"]]}', []],
  ['an envelope that is none', '{"status":"OK","reasons":[{"field":"a","description":"b"}]}', []],
  ['a field that is none', '{"status":"FAILED","reasons":[{"field":7,"description":"b"}]}', [['', 'b']]],
])('reasons: %s', (_name, body, wanted) => {
  expect(reasonsOf(body).map(({ field, description }) => [field, description])).toEqual(wanted)
})

test('reasons: they are few, short, and in one visible line', () => {
  const reasons = Array.from({ length: 50 }, () => ({ field: 'a', description: `x\u202ey\n${'z'.repeat(999)}` }))
  const read = reasonsOf(JSON.stringify({ status: 'FAILED', reasons }))
  expect(read).toHaveLength(10)
  expect(read[0]?.description).toBe(`xy ${'z'.repeat(297)}`)
})

test('reasons: no body throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), body => {
      for (const { field, description } of reasonsOf(body)) {
        expect(description).not.toBe('')
        expect(`${field}${description}`).not.toMatch(/[\p{Cc}\p{Cf}]/u)
      }
    }),
    { numRuns: 2000 },
  )
})
