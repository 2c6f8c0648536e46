import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accountId,
  amount,
  chainId,
  decimal,
  keptEntries,
  isNativeMarker,
  labelText,
  chainAndAddress,
  plainText,
  units,
} from '../../../../src/worker/services/blockchain/fields.ts'
import { wholeNumber } from '../../../../src/runtime/schema/schema.ts'
import { evmAddress, mainnet, usdcMint } from './examples.ts'

describe('a decimal number', () => {
  test.each([
    ['0', '0'],
    ['1.50', '1.50'],
    [0, '0'],
    [-0, '0'],
    [156.2, '156.2'],
    [1e-7, '0.0000001'],
    [1.25e-10, '0.000000000125'],
    [9_007_199_254_740_991, '9007199254740991'],
    [18_446_744_073_709_551_616n, '18446744073709551616'],
  ])('%s is kept as %s', (value, text) => {
    expect(decimal.check(value)).toBeUndefined()
    expect(plainText(value)).toBe(text)
  })

  test.each([
    [''],
    ['-1'],
    ['+1'],
    ['1e3'],
    ['1e-7'],
    ['1e-999999999999'],
    ['01'],
    ['.5'],
    ['1.'],
    ['1,5'],
    ['0x10'],
    [' 1'],
    ['١'],
    [-1],
    [-1n],
    [-1e-9],
    [2 ** 64],
    [Number.POSITIVE_INFINITY],
    [Number.NaN],
    ['9'.repeat(79)],
    [true],
    [null],
    [[]],
  ])('%s is refused', value => {
    expect(decimal.check(value)).toMatchObject({ expected: 'a decimal number of 0 or more' })
  })

  test('of a JSON double reads as the same double, without an exponent', () => {
    const double = fc.double({ min: 1e-18, max: 9e15, noNaN: true })
    fc.assert(
      fc.property(double, value => {
        const text = plainText(value)
        expect(text).toMatch(/^\d+(\.\d+)?$/)
        expect(Number(text)).toBe(value)
      }),
    )
  })
})

describe('an amount', () => {
  test.each([['0.1234567890123456789'], [0.1], [0], [123_456_789.012_345], [1e-9], [9_007_199_254_740_991n]])(
    '%s is accepted',
    value => {
      expect(amount.check(value)).toBeUndefined()
    },
  )

  test.each([[0.1 + 0.2], [1 / 3], [156.200_000_000_000_02], ['-1'], [2 ** 64]])('%s is refused', value => {
    expect(amount.check(value)).toMatchObject({ expected: 'an exact decimal number of 0 or more' })
  })
})

describe('base units', () => {
  test.each([['0'], [7], [18_446_744_073_709_551_616n], [String((1n << 256n) - 1n)]])('%s are accepted', value => {
    expect(units.check(value)).toBeUndefined()
  })

  test.each([['1.0'], [1.5], ['-1'], [String(1n << 256n)], ['1e9'], ['']])('%s are refused', value => {
    expect(units.check(value)).toMatchObject({ expected: 'whole base units below 2^256' })
  })
})

describe('an address', () => {
  test.each([
    [`${mainnet}:${usdcMint}`, mainnet, usdcMint],
    [`eip155:1:${evmAddress}`, 'eip155:1', evmAddress],
    ['cosmos:cosmoshub-4:cosmos1abc', 'cosmos:cosmoshub-4', 'cosmos1abc'],
  ])('has a chain and a plain part: %s', (text, chain, address) => {
    expect(chainAndAddress(text)).toEqual({ chain, address })
    expect(accountId.check(text)).toBeUndefined()
  })

  test.each([
    [usdcMint],
    [`${mainnet}:`],
    [`${mainnet}:${evmAddress}`],
    [`eip155:1:${usdcMint}`],
    ['eip155:1:0x12'],
    ['::'],
    [''],
    ['a:b:c'],
    [`${mainnet}:${usdcMint}:x`],
  ])('without them is refused: %j', text => {
    expect(chainAndAddress(text)).toBeUndefined()
    expect(accountId.check(text)).toMatchObject({ expected: 'a CAIP-10 address' })
  })

  test('stands for the asset of its chain only there', () => {
    const [sol, ether] = ['So11111111111111111111111111111111111111111', `0x${'E'.repeat(40)}`]
    expect([isNativeMarker(mainnet, sol), isNativeMarker('eip155:1', ether)]).toEqual([true, true])
    expect([isNativeMarker(mainnet, ether), isNativeMarker('eip155:1', sol)]).toEqual([false, false])
    expect(isNativeMarker(mainnet, 'So11111111111111111111111111111111111111112')).toBe(false)
  })
})

test.each(['solana', 'solana:', ':x', 'SOLANA:x', `solana:${'x'.repeat(33)}`, 'sol\u202eana:x'])(
  'a chain id %j is refused',
  text => {
    expect(chainId.check(text)).toBeDefined()
  },
)

test('labels: a text becomes one visible line, another value none', () => {
  expect([labelText('US\u202eD\n C'), labelText('x'.repeat(99)).length, labelText(7)]).toEqual(['USD C', 60, ''])
})

test('entries: malformed ones are dropped and counted, the others keep their order', () => {
  const found = keptEntries([1, 'x', 2, null, [3]], wholeNumber(0), entry => entry * 2)
  expect(found).toEqual({ entries: [2, 4], dropped: 3 })
})
