import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  averagePrice,
  creditsFor,
  curveOf,
  minTokens,
  nearBoundary,
  stageAt,
  tokensBelow,
  tokensFor,
  unitsFor,
} from '../../../src/events/sale/price.ts'
import { exampleTerms } from '../values/exampleTerms.ts'

const curve = curveOf(exampleTerms())
const usd = (dollars: number) => BigInt(dollars) * 10n ** 12n

describe('the curve of the example sale', () => {
  test.each([
    [0n, 0n],
    [1n, 1n],
    [usd(149_900), 249833333333333333n],
    [usd(150_000), 250000000000000000n],
    [usd(150_300), 250250000000000000n],
    [usd(450_000), 500000000000000000n],
    [usd(825_000), 750000000000000000n],
    [usd(900_000), 750000000000000000n],
  ])('below %s credits lie %s tokens', (position, tokens) => {
    expect(tokensBelow(curve, position)).toBe(tokens)
  })

  test('2.5 SOL at 149 900 dollars cross a stage and get 416 666.666666667 tokens', () => {
    expect(tokensFor(curve, usd(149_900), 2_500_000_000n * 160_000n)).toBe(416666666666667n)
  })

  test('a million tokens from the start cost 600 dollars, 3.75 SOL', () => {
    const credits = creditsFor(curve, 0n, 10n ** 15n)
    expect(credits).toBe(usd(600))
    expect(unitsFor(usd(600), 160_000n)).toBe(3_750_000_000n)
  })

  test('400 000 tokens at 149 900 dollars cost 380 dollars', () => {
    expect(creditsFor(curve, usd(149_900), 4n * 10n ** 14n)).toBe(usd(380))
  })

  test('more tokens than are left have no price', () => {
    expect(creditsFor(curve, usd(825_000), 1n)).toBeUndefined()
    expect(creditsFor(curve, 0n, curve.tokens)).toBe(usd(825_000))
    expect(creditsFor(curve, 0n, curve.tokens + 1n)).toBeUndefined()
  })

  test('the average price of an order has nine significant digits', () => {
    expect(averagePrice(curve, usd(400), 416666666666667n)).toBe('0.00096')
    expect(averagePrice(curve, usd(160), 266666666666666n)).toBe('0.0006')
    expect(averagePrice(curve, usd(1000), 7n * 10n ** 9n)).toBe('142.857143')
    expect(averagePrice(curve, usd(2), 3n * 10n ** 9n)).toBe('0.666666667')
    expect(averagePrice(curve, 0n, 0n)).toBe('0')
  })
})

describe('exactness', () => {
  const position = fc.bigInt({ min: 0n, max: usd(825_000) })

  test('splitting an order anywhere gives the same tokens', () => {
    fc.assert(
      fc.property(position, position, position, (start, first, second) => {
        const whole = tokensFor(curve, start, first + second)
        expect(tokensFor(curve, start, first) + tokensFor(curve, start + first, second)).toBe(whole)
      }),
    )
  })

  test('the price of an amount of tokens is the least that buys them', () => {
    fc.assert(
      fc.property(position, fc.bigInt({ min: 1n, max: 750000000000000000n }), (start, tokens) => {
        const credits = creditsFor(curve, start, tokens)
        if (credits === undefined) {
          expect(tokensFor(curve, start, usd(825_000))).toBeLessThan(tokens)
        } else {
          expect(tokensFor(curve, start, credits)).toBeGreaterThanOrEqual(tokens)
          expect(tokensFor(curve, start, credits - 1n)).toBeLessThan(tokens)
        }
      }),
    )
  })

  test('a hundred thousand small orders lose nothing to rounding', () => {
    let at = 0n
    let sum = 0n
    for (let i = 0; i < 100_000; i += 1) {
      const credits = BigInt(1 + ((i * 7_919) % 1_000_003)) * 160_007n
      sum += tokensFor(curve, at, credits)
      at += credits
    }
    expect(sum).toBe(tokensBelow(curve, at))
  })
})

describe('a stage with a time limit', () => {
  const terms = exampleTerms()
  const [one, two, three] = terms.stages
  const timed = curveOf({
    ...terms,
    stages: [
      { ...(one as (typeof terms.stages)[0]), endsAt: 2000 },
      { ...(two as (typeof terms.stages)[0]), endsAt: 3000 },
      three as (typeof terms.stages)[0],
    ],
  })

  test('keeps its position until its time is over', () => {
    expect(stageAt(timed, 5n, 1999)).toMatchObject({ index: 0, position: 5n })
  })

  test('forfeits what is unsold the second its time is over', () => {
    expect(stageAt(timed, 5n, 2000)).toMatchObject({ index: 1, position: usd(150_000) })
    expect(stageAt(timed, 5n, 3000)).toMatchObject({ index: 2, position: usd(450_000) })
  })

  test('changes nothing for a position already beyond it', () => {
    expect(stageAt(timed, usd(200_000), 2500)).toMatchObject({ index: 1, position: usd(200_000) })
  })

  test('has no stage when everything is sold', () => {
    expect(stageAt(timed, usd(825_000), 0)).toMatchObject({ index: 3, stage: undefined })
  })
})

describe('the minimum of a buyer', () => {
  test('is one base unit less than quoted without tolerance', () => {
    expect(minTokens(416666666666667n, 0)).toBe(416666666666666n)
    expect(minTokens(1n, 0)).toBe(0n)
    expect(minTokens(0n, 0)).toBe(0n)
  })

  test('is five per cent less with 500 basis points', () => {
    expect(minTokens(1000n, 500)).toBe(950n)
  })

  test('an order ending within two per cent of a stage’s end is near a boundary', () => {
    expect(nearBoundary(curve, usd(100_000), usd(46_999))).toBe(false)
    expect(nearBoundary(curve, usd(100_000), usd(47_000))).toBe(true)
    expect(nearBoundary(curve, usd(149_900), usd(400))).toBe(true)
    expect(nearBoundary(curve, usd(150_000), usd(400))).toBe(false)
    expect(nearBoundary(curve, usd(825_000), 0n)).toBe(true)
  })
})
