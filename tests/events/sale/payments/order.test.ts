import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import {
  evaluateOrder,
  judgeOrder,
  type OrderFinding,
  type OrderState,
  orderRules,
} from '../../../../src/events/sale/payments/order.ts'
import { curveOf, stageAt, tokensBelow } from '../../../../src/events/sale/price.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { exampleTerms, exampleTermsText, wholeTerms } from '../../values/exampleTerms.ts'

const { terms } = readTerms(exampleTermsText)
const during = (terms.start + 60) * 1000
const usd = (dollars: number) => `${dollars}000000000000`

function state(changes: Partial<OrderState> = {}): OrderState {
  const fresh = {
    position: '0',
    raised: '0',
    buyerCredits: '0',
    paused: false,
    closed: false,
    allowed: true,
    seen: false,
  }
  return { ...fresh, ...changes }
}
const order = (changes: Partial<OrderFinding> = {}): OrderFinding => {
  return { asset: 'SOL', units: '2500000000', min: '1', time: during, ...changes }
}

describe('an order without a minimum', () => {
  test.each([
    ['gets the one token that it was quoted', '10000000000000', { status: 'accepted', tokens: '1', refund: '0' }],
    ['is refunded where it would get none', '20000000000000', { status: 'price_protect', accepted: '0' }],
  ])('%s', (_, price, judged) => {
    expect(evaluateOrder(state(), order({ units: '62500000', min: '0' }), wholeTerms(price))).toMatchObject(judged)
  })
})

describe('the published examples', () => {
  test('2.5 SOL at 149 900 dollars are accepted across a stage, then 375 USDC', () => {
    const first = evaluateOrder(
      state({ position: usd(149_900), raised: usd(149_900) }),
      order({ min: '416666666666666' }),
      terms,
    )
    expect(first).toEqual({
      status: 'accepted',
      accepted: '2500000000',
      refund: '0',
      tokens: '416666666666667',
      position: usd(150_300),
      raised: usd(150_300),
      buyerCredits: usd(400),
    })
    const second = evaluateOrder(
      state({ position: first.position, raised: first.raised }),
      order({ asset: 'USDC', units: '375000000', min: '312499999999998' }),
      terms,
    )
    expect(second).toMatchObject({ status: 'accepted', tokens: '312500000000000', position: usd(150_675) })
  })

  test('1 SOL at 824 990 dollars gets what is left and most of it back', () => {
    const outcome = evaluateOrder(
      state({ position: usd(824_990), raised: usd(824_990) }),
      order({ units: '1000000000', min: '106666666666665' }),
      terms,
    )
    expect(outcome).toMatchObject({
      status: 'partial',
      accepted: '62500000',
      refund: '937500000',
      tokens: '6666666666667',
      position: usd(825_000),
    })
  })
})

describe('a rejected order is refunded whole', () => {
  test.each<[string, string, Partial<OrderState>, Partial<OrderFinding>]>([
    ['a second before the start', 'early', {}, { time: terms.start * 1000 - 1000 }],
    ['at the very end', 'late', {}, { time: terms.end * 1000 }],
    ['after closing', 'late', { closed: true }, {}],
    ['while paused', 'paused', { paused: true }, {}],
    ['from a wallet that is not on the list', 'not_allowed', { allowed: false }, {}],
    ['that landed twice', 'duplicate', { seen: true }, {}],
    ['when everything is sold', 'sold_out', { position: usd(825_000) }, {}],
    ['when less than one unit is left', 'sold_out', { position: '824999999999840001' }, {}],
    ['from a wallet at its cap', 'buyer_cap', { buyerCredits: usd(25_000) }, {}],
    ['below the smallest order', 'under_min', {}, { units: '62499999' }],
    ['of nothing', 'under_min', {}, { units: '0' }],
    ['when the price moved beyond the least wanted', 'price_protect', {}, { min: '666666666666667' }],
  ])('%s', (_name, status, at, asked) => {
    const given = order(asked)
    const outcome = evaluateOrder(state(at), given, terms)
    expect(outcome).toMatchObject({ status, accepted: '0', refund: given.units, tokens: '0' })
    expect(outcome.raised).toBe('0')
  })

  test('the smallest order is accepted, also at the cap', () => {
    expect(evaluateOrder(state(), order({ units: '62500000' }), terms).status).toBe('accepted')
    const nearly = state({ position: '824999999999680000' })
    expect(evaluateOrder(nearly, order({ units: '2', min: '0' }), terms)).toMatchObject({ status: 'accepted' })
  })

  test('an asset the terms do not list is refused by name', () => {
    expect(() => evaluateOrder(state(), order({ asset: 'DOGE' }), terms)).toThrow(/SOL, USDC, got "DOGE"/)
    expect(() => evaluateOrder(state(), order({ units: '-1' }), terms)).toThrow(Fault)
  })
})

describe('the cap of a wallet', () => {
  test('cuts an order to the remaining room, and its minimum with it', () => {
    const outcome = evaluateOrder(
      state({ buyerCredits: usd(24_840) }),
      order({ units: '2000000000', min: '533333333333332' }),
      terms,
    )
    expect(outcome).toMatchObject({ status: 'partial', accepted: '1000000000', buyerCredits: usd(25_000) })
  })
})

describe('any sequence of orders', () => {
  const one = fc.record({
    asset: fc.constantFrom('SOL', 'USDC'),
    units: fc.bigInt({ min: 0n, max: 10n ** 13n }),
    buyer: fc.nat(5),
    min: fc.bigInt({ min: 0n, max: 10n ** 15n }),
    hour: fc.nat(1000),
  })
  const [first, second, third] = terms.stages
  const timed = {
    ...exampleTerms(),
    stages: [{ ...first, endsAt: terms.start + 900_000 }, { ...second, endsAt: terms.start + 1_800_000 }, third],
  } as typeof terms

  test.each([
    ['of a sale by amount', terms],
    ['of a sale with time limits', timed],
  ])('%s keeps every unit, every cap and every minimum', (_name, these) => {
    const curve = curveOf(these)
    const rules = { SOL: orderRules(these, 'SOL'), USDC: orderRules(these, 'USDC') }
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), list => {
        const orders = [...list].sort((a, b) => a.hour - b.hour)
        let position = 0n
        let raised = 0n
        let tokens = 0n
        let jumped = 0n
        const buyers = new Map<number, bigint>()
        for (const { asset, units, buyer, min, hour } of orders) {
          const seconds = these.start + hour * 3600
          const rule = rules[asset as 'SOL' | 'USDC']
          const buyerCredits = buyers.get(buyer) ?? 0n
          const flags = { paused: false, closed: false, allowed: true, seen: false }
          const outcome = judgeOrder(rule, { position, raised, buyerCredits, ...flags, units, min, seconds })
          const met = outcome.status === 'late' ? position : stageAt(curve, position, seconds).position
          jumped += tokensBelow(curve, met) - tokensBelow(curve, position)
          expect(outcome.accepted + outcome.refund).toBe(units)
          expect(outcome.position).toBe(met + outcome.accepted * rule.creditsPerUnit)
          expect(outcome.position <= curve.hardCap).toBe(true)
          expect(outcome.buyerCredits <= rule.maxBuyer).toBe(true)
          if (outcome.accepted > 0n) expect(outcome.tokens * units >= min * outcome.accepted).toBe(true)
          position = outcome.position
          raised = outcome.raised
          tokens += outcome.tokens
          buyers.set(buyer, outcome.buyerCredits)
        }
        expect(tokens + jumped).toBe(tokensBelow(curve, position))
        expect([...buyers.values()].reduce((sum, credits) => sum + credits, 0n)).toBe(raised)
      }),
      { numRuns: 150 },
    )
  })
})
