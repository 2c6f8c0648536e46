import { describe, expect, test } from 'vitest'
import { exitCodeOf, median, percentile, type Row, ratioOf, tableOf, verdictOf } from './verdict.ts'

const row = (ours: number, more: Partial<Row> = {}): Row => ({
  name: 'opening',
  unit: 'ms',
  ours,
  comparison: { what: 'an empty one', value: 40 },
  goal: { of: 'ours', atMost: 50 },
  ...more,
})

describe('a measured figure', () => {
  test.each([
    [49.9, 'ok'],
    [50, 'ok'],
    [50.1, 'WARN'],
    [100, 'WARN'],
    [100.1, 'FAIL'],
  ] as const)('of %s against a goal of 50 is %s', (ours, verdict) => {
    expect(verdictOf(row(ours))).toBe(verdict)
  })

  test.each([
    [60, 'ok'],
    [61, 'WARN'],
    [120, 'WARN'],
    [121, 'FAIL'],
  ] as const)('of %s beside 40 is %s where the ratio may be 1.5', (ours, verdict) => {
    expect(verdictOf(row(ours, { goal: { of: 'ratio', atMost: 1.5 } }))).toBe(verdict)
  })

  test('over a goal of 0 fails at once', () => {
    expect(verdictOf(row(0, { goal: { of: 'ours', atMost: 0 } }))).toBe('ok')
    expect(verdictOf(row(1, { goal: { of: 'ours', atMost: 0 } }))).toBe('FAIL')
  })

  test('without a goal is not judged', () => {
    const free = { name: 'opening', unit: 'ms', comparison: { what: 'an empty one', value: 40 } } as const
    expect(verdictOf({ ...free, ours: 9999 })).toBe('')
  })

  test('that is missing fails instead of passing', () => {
    expect(verdictOf(row(Number.NaN))).toBe('FAIL')
    expect(verdictOf({ name: 'opening', problem: 'no browser' })).toBe('FAIL')
    const beside = { what: 'an empty one', value: 0 }
    expect(ratioOf(row(10, { comparison: beside }))).toBeUndefined()
    expect(verdictOf(row(10, { comparison: beside, goal: { of: 'ratio', atMost: 1.5 } }))).toBe('FAIL')
  })
})

test('exit code: warnings alone give 0, one failure among them gives 1', () => {
  expect(exitCodeOf([row(10), row(60)])).toBe(0)
  expect(exitCodeOf([row(10), row(60), row(101)])).toBe(1)
  expect(exitCodeOf([row(10), { name: 'b', problem: 'broke' }])).toBe(1)
})

test('median and percentiles of a few values', () => {
  expect(median([9, 1, 5])).toBe(5)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(median([])).toBeNaN()
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(percentile(hundred, 0.99)).toBe(99)
  expect(percentile(hundred, 0.5)).toBe(50)
  expect(percentile([7], 0.99)).toBe(7)
})

test('the table has a line for each row, with its verdict first', () => {
  const lines = tableOf([row(30), row(101), { name: 'steps', problem: 'no log\nat a place' }]).split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toMatch(/^ok +opening +30\.0 ms +≤ 50 ms +40\.0 ms +0\.75× +an empty one$/)
  expect(lines[2]).toMatch(/^FAIL +opening +101 ms/)
  expect(lines[3]).toMatch(/^FAIL +steps .* did not run: no log$/)
})
