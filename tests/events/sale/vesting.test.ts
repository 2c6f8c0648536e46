import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { saleOutcomeOf } from '../../../src/events/sale/saleOutcome.ts'
import { deliveriesOf, tranchesOf } from '../../../src/events/sale/vesting.ts'
import { vestedOf } from '../../stack/solana/presale/evaluate.ts'
import { exampleTerms } from '../values/exampleTerms.ts'

const terms = exampleTerms()

describe('the tranches of an allocation', () => {
  test('of the published example are free at the start and after each period', () => {
    const tranches = tranchesOf(terms, 416666666666667n)
    const vested = tranches.map((_, at) => tranches.slice(0, at + 1).reduce((sum, { tokens }) => sum + tokens, 0n))
    expect(vested).toEqual([104166666666666n, 208333333333333n, 312500000000000n, 416666666666667n])
    expect(tranches.map(({ at }) => at)).toEqual([1801958400, 1804550400, 1807142400, 1809734400])
  })

  test('wait for the cliff, the first like the others', () => {
    const cliff = { ...terms, vesting: { ...terms.vesting, cliffSeconds: 100, periods: 1 } }
    expect(tranchesOf(cliff, 10n)).toEqual([
      { at: 1801958400 + 100, tokens: 2n },
      { at: 1801958400 + 100 + 2592000, tokens: 8n },
    ])
  })

  test('without periods are one', () => {
    const whole = { ...terms, vesting: { ...terms.vesting, tgeBps: 10_000, periods: 0 } }
    expect(tranchesOf(whole, 7n)).toEqual([{ at: 1801958400, tokens: 7n }])
  })

  test('add up to the allocation, as the second implementation says', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2n ** 64n }),
        fc.nat(9_999),
        fc.integer({ min: 1, max: 120 }),
        (all, tgeBps, periods) => {
          const vesting = { ...terms.vesting, tgeBps, periods }
          const tranches = tranchesOf({ vesting }, all)
          expect(tranches.reduce((sum, { tokens }) => sum + tokens, 0n)).toBe(all)
          const vested = vestedOf({ vesting }, all)
          expect(tranches.map(({ tokens }) => tokens)).toEqual(vested.map((one, at) => one - (vested[at - 1] ?? 0n)))
        },
      ),
    )
  })
})

describe('the days of delivery', () => {
  const cliff = { ...terms.vesting, cliffSeconds: 100 }
  test.each([
    ['all tranches', cliff, [0, 1, 2, 3]],
    ['no day without tokens', { ...cliff, tgeBps: 0 }, [1, 2, 3]],
    ['the one part', { ...cliff, tgeBps: 10_000, periods: 0 }, [0]],
  ])('are those of %s', (_name, vesting, periods) => {
    expect(deliveriesOf({ vesting })).toEqual(periods.map(period => (1801958400 + 100 + period * 2592000) * 1000))
  })
})

describe('the outcome of a sale', () => {
  const soft = BigInt(terms.softCap)
  const sale = { pos: soft, raised: soft, closed: false, seconds: terms.start }
  test.each([
    ['open before its end', {}, 'open'],
    ['a success at its end with the soft cap', { seconds: terms.end }, 'success'],
    ['a failure at its end without', { seconds: terms.end, raised: soft - 1n }, 'failed'],
    ['a success when closed', { closed: true }, 'success'],
    ['a failure when closed too early', { closed: true, raised: 0n }, 'failed'],
    ['over when everything is sold', { pos: 825_000n * 10n ** 12n }, 'success'],
  ])('is %s', (_name, changes, outcome) => {
    expect(saleOutcomeOf(terms, { ...sale, ...changes })).toBe(outcome)
  })

  test.each([
    [-1, 'open'],
    [0, 'success'],
  ])('that is forfeited from some time on is, %s s from then, %s', (more, outcome) => {
    const endsAt = terms.end - 100
    const timed = { ...terms, stages: terms.stages.map((stage, index) => (index === 2 ? { ...stage, endsAt } : stage)) }
    expect(saleOutcomeOf(timed, { ...sale, seconds: endsAt + more })).toBe(outcome)
  })
})
