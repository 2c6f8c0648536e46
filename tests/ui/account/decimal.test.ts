import { expect, test } from 'vitest'
import { compared, dollarsOf, floored, sumOf } from '../../../src/ui/account/holdings/decimal.ts'

test('sums of decimal text are exact, however small and large the parts are', () => {
  expect(sumOf(['0.1', '0.2'])).toBe('0.3')
  expect(sumOf(['9007199254740993', '0.000000000000000001'])).toBe('9007199254740993.000000000000000001')
  expect(sumOf([])).toBe('0')
  expect(sumOf(['1', '', '1e3', '-1', '.5'])).toBe('1')
})

test('decimal text is cut, never rounded up, and filled with zeros', () => {
  expect(floored('1.9999', 3)).toBe('1.999')
  expect(floored('0.0009', 3)).toBe('0.000')
  expect(floored('2', 3)).toBe('2.000')
  expect(floored('12.7', 0)).toBe('12')
  for (const text of ['', '1e9', ',5', '-1', 'NaN']) expect(floored(text, 3)).toBeUndefined()
})

test('values split into dollars and two digits of cents', () => {
  expect(dollarsOf('312.4')).toEqual({ dollars: '312', cents: '40' })
  expect(dollarsOf('0.999')).toEqual({ dollars: '0', cents: '99' })
  expect(dollarsOf('')).toBeUndefined()
})

test('decimal text is compared by value; what is none comes first', () => {
  expect(compared('10', '9.5')).toBe(1)
  expect(compared('0.30', '0.3')).toBe(0)
  expect(compared('9007199254740992', '9007199254740993')).toBe(-1)
  expect([compared('', '1'), compared('1', ''), compared('', '')]).toEqual([-1, 1, 0])
})
