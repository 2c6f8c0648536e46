import { describe, expect, test } from 'vitest'
import { firstDifference } from '../../../src/runtime/replay/firstDifference.ts'
import { differenceReport, verdictLine } from '../../../src/runtime/replay/verdict.ts'

describe('the first differing field', () => {
  test.each([
    ['{"a":1}', '{"a":1}', undefined],
    ['{"a":{"b":1}}', '{"a":{"b":2}}', 'a.b'],
    ['{"a":[1,{"b":1}]}', '{"a":[1,{"b":2}]}', 'a[1].b'],
    ['{"a":1}', '{}', 'a'],
    ['{}', '{"a":null}', 'a'],
    ['{"a":[1]}', '{"a":[1,2]}', 'a[1]'],
    ['{"a":[]}', '{"a":{}}', 'a'],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', 'order of keys'],
    ['{', '{"a":1}', 'text'],
  ])('of %s and %s is %s', (expected, actual, field) => {
    expect(firstDifference(expected, actual)?.path).toBe(field)
  })
})

describe('a verdict in text', () => {
  const difference = {
    index: 4,
    n: 3,
    type: 'wallet.signed',
    input: '{"k":"i"}',
    at: 5,
    line: 7,
    expected: '{"a":1}',
    actual: '{"a":2}',
    field: 'a',
  }

  test('tells that the file has only a fingerprint of effects, and prints those of this run', () => {
    const line = (h: string) => `{"k":"e","n":3,"types":["relay.publish"],"h":"${h}"}`
    const report = differenceReport({
      ...difference,
      expected: line('0'),
      actual: line('1'),
      field: 'h',
      effects: [{ type: 'relay.publish', data: { topic: 't' } }],
    })
    expect(report).toContain('h, the fingerprint of its effects: their recorded data is not in the file\n')
    expect(report).toContain('effects now relay.publish {"topic":"t"}')
  })

  test('gives the number of identical lines', () => {
    expect(verdictLine({ ok: true, inputs: 1, facts: 1490 })).toBe('re-executed 1 input, 1,490 facts: identical')
    expect(verdictLine({ ok: false, inputs: 2, facts: 3, difference })).toBe(
      're-executed 2 inputs, 3 facts: different from input 3 on',
    )
  })

  test('reports the difference on one screen, without terminal control characters', () => {
    const report = differenceReport({ ...difference, input: '\u001b[2J' }, { recorded: 'abc' })
    expect(report).toBe(
      [
        'First difference at input 3, wallet.signed (line 7 of the file)',
        '  field       a',
        '  input       ·[2J',
        '  recorded    {"a":1}',
        '  now         {"a":2}',
        '  recorded by core abc',
        '',
      ].join('\n'),
    )
  })

  test('says when a line is missing on one side', () => {
    const { index, n, type, input, at, line, actual } = difference
    expect(differenceReport({ index, n, type, input, at, line, actual })).toContain('recorded    no line here')
  })
})
