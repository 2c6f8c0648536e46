import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatAmount, isBaseUnits, parseAmount, toBigint, toUnits } from '../../../src/events/values/amount.ts'
import { Fault } from '../../../src/runtime/failure.ts'

describe('a typed amount', () => {
  test.each([
    ['1.5', 9, '1500000000'],
    ['0', 9, '0'],
    ['0.0', 9, '0'],
    ['0.000000001', 9, '1'],
    ['375', 6, '375000000'],
    ['7', 0, '7'],
    ['999999999999999999.999999999', 9, '999999999999999999999999999'],
  ])('%s with %i decimals is %s base units', (text, decimals, units) => {
    expect(parseAmount(text, decimals)).toEqual({ ok: true, units })
  })

  test('without text is empty, not a wrong number', () => {
    expect(parseAmount('', 9)).toEqual({ ok: false, reason: 'empty' })
  })

  test.each([
    '1e3',
    '1,5',
    '+1',
    '-1',
    '01',
    '00',
    '.5',
    '1.',
    '1.2.3',
    ' 1',
    '1 ',
    '0x10',
    '١',
    '１',
    'Infinity',
    '1_000',
    '1\n',
  ])('%j is not a number', text => {
    expect(parseAmount(text, 9)).toEqual({ ok: false, reason: 'not_a_number' })
  })

  test('with one decimal too many names the limit', () => {
    expect(parseAmount('1.1234567', 6)).toEqual({ ok: false, reason: 'too_many_decimals', decimals: 6, got: 7 })
    expect(parseAmount('1.0', 0)).toEqual({ ok: false, reason: 'too_many_decimals', decimals: 0, got: 1 })
  })

  test('with nineteen digits before the point is too large', () => {
    expect(parseAmount('1000000000000000000', 9)).toEqual({ ok: false, reason: 'too_large' })
    expect(parseAmount('9'.repeat(100_000), 9)).toEqual({ ok: false, reason: 'too_large' })
  })
})

describe('an amount as text', () => {
  test('has commas between thousands, and no zeros at its end', () => {
    expect(formatAmount('1234567500000000', 9)).toBe('1,234,567.5')
    expect(formatAmount('1234567500000000', 9, { group: false })).toBe('1234567.5')
    expect(formatAmount('999', 0)).toBe('999')
    expect(formatAmount('1000', 0)).toBe('1,000')
    expect(formatAmount('1', 9)).toBe('0.000000001')
  })

  test('never shows more than the amount, and never less than the minimum payment', () => {
    expect(formatAmount('1999999999', 9, { maxDecimals: 3 })).toBe('1.999')
    expect(formatAmount('1999999999', 9, { maxDecimals: 3, round: 'ceil' })).toBe('2')
    expect(formatAmount('1', 9, { maxDecimals: 3 })).toBe('0')
    expect(formatAmount('1', 9, { maxDecimals: 3, round: 'ceil' })).toBe('0.001')
    expect(formatAmount('999999999', 9, { maxDecimals: 0, round: 'ceil' })).toBe('1')
  })

  test('is filled up with zeros where columns should line up', () => {
    expect(formatAmount('1500000000', 9, { maxDecimals: 3, minDecimals: 3 })).toBe('1.500')
    expect(formatAmount('0', 9, { maxDecimals: 3, minDecimals: 3 })).toBe('0.000')
  })

  test('reads back as the same amount', () => {
    const units = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
    fc.assert(
      fc.property(units, fc.nat(12), (value, decimals) => {
        const text = formatAmount(value.toString(), decimals, { group: false })
        expect(parseAmount(text, decimals)).toEqual({ ok: true, units: value.toString() })
      }),
    )
  })

  test('rounds a maximum down and a minimum up to existing units', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n - 1n }), fc.nat(12), fc.nat(12), (value, decimals, shown) => {
        const rounded = (round: 'floor' | 'ceil') => {
          const read = parseAmount(
            formatAmount(value.toString(), decimals, { maxDecimals: shown, round, group: false }),
            12,
          )
          return read.ok ? BigInt(read.units) : -1n
        }
        const exact = value * 10n ** BigInt(12 - decimals)
        expect(rounded('floor') <= exact && exact <= rounded('ceil')).toBe(true)
      }),
    )
  })
})

describe('base units as bigint', () => {
  test('convert to text and back, beyond the range of a double', () => {
    expect(toBigint('9007199254740993')).toBe(9007199254740993n)
    expect(toUnits(18446744073709551615n)).toBe('18446744073709551615')
  })

  test('are never negative', () => {
    expect(() => toUnits(-1n)).toThrow(/got -1/)
  })

  test('that are not whole are refused with the value', () => {
    for (const text of ['', '01', '-1', '1.0', '1e3', ' 1', '9'.repeat(40)]) {
      expect(isBaseUnits(text)).toBe(false)
      expect(() => toBigint(text)).toThrow(Fault)
    }
    expect(isBaseUnits(1)).toBe(false)
    expect(isBaseUnits('0')).toBe(true)
  })
})
