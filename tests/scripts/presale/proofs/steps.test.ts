/** The proof of the judgement's rules, small; and judgements with one fault each, which it finds. */
import { describe, expect, test } from 'vitest'
import { judgeOrder } from '../../../../src/events/sale/payments/order.ts'
import { proveSteps } from './steps.ts'

type Judge = typeof judgeOrder
const asked = { seed: 1, steps: 20_000 }

/** @returns a judgement whose taken orders are changed */
function taken(change: (judged: ReturnType<Judge>, given: Parameters<Judge>[1]) => Partial<ReturnType<Judge>>): Judge {
  return (rules, given) => {
    const judged = judgeOrder(rules, given)
    return judged.accepted > 0n ? { ...judged, ...change(judged, given) } : judged
  }
}

describe('random orders', () => {
  test('break no rule, and meet every status', () => {
    const { holds, figures } = proveSteps(asked)
    expect(figures).toMatchObject({ steps: 20_000, violations: 0, told: [] })
    expect(holds).toBe(true)
    expect(Object.keys(figures.statuses as object).sort()).toEqual([
      'accepted',
      'buyer_cap',
      'duplicate',
      'early',
      'late',
      'not_allowed',
      'partial',
      'paused',
      'price_protect',
      'sold_out',
      'under_min',
    ])
    expect(figures.timed).toBeGreaterThan(2)
  })

  test('are the same with the same seed', () => {
    expect(proveSteps({ seed: 7, steps: 500 })).toEqual(proveSteps({ seed: 7, steps: 500 }))
    expect(proveSteps({ seed: 8, steps: 500 })).not.toEqual(proveSteps({ seed: 7, steps: 500 }))
  })
})

describe('a judgement with a fault is found:', () => {
  test.each<[string, Judge, RegExp]>([
    ['a unit lost', taken(({ refund }) => ({ refund: refund + 1n })), /expected units \d+ = accepted/],
    [
      'the hard cap unknown',
      (rules, given) => judgeOrder({ ...rules, curve: { ...rules.curve, hardCap: rules.curve.hardCap * 2n } }, given),
      /expected a position up to/,
    ],
    [
      'the cap per wallet forgotten',
      (rules, given) => judgeOrder({ ...rules, maxBuyer: rules.curve.hardCap }, given),
      /expected credits of a buyer up to/,
    ],
    ['a token too many', taken(({ tokens }) => ({ tokens: tokens + 1n })), /sold and \d+ forfeited/],
    [
      'the minimum forgotten',
      (rules, given) => judgeOrder(rules, { ...given, min: 0n }),
      /expected at least \d+ tokens/,
    ],
    [
      'expired stages still for sale',
      (rules, given) => judgeOrder(rules, { ...given, seconds: rules.start }),
      /expected position \d+ \+ \d+, got/,
    ],
    [
      'a unit of room left',
      taken(({ status, ...judged }, { units }) => {
        const isLess = status === 'partial' && judged.accepted > 1n
        return isLess ? { accepted: judged.accepted - 1n, refund: units - judged.accepted + 1n } : {}
      }),
      /expected all of the room to be taken/,
    ],
  ])('%s', (_name, judge, sentence) => {
    const { holds, figures } = proveSteps({ ...asked, judge })
    expect(holds).toBe(false)
    expect(figures.violations).toBeGreaterThan(0)
    expect((figures.told as string[]).join('\n')).toMatch(sentence)
  })

  test('again by the sale and step that are told', () => {
    const judge = taken(({ tokens }, { units }) => ({ tokens: units % 97n === 0n ? tokens + 1n : tokens }))
    const [first = ''] = proveSteps({ ...asked, judge }).figures.told as string[]
    const [, sale, step] = /^sale (\d+), step (\d+): .* --seed 1 --sale \d+ --steps \d+$/.exec(first) ?? []
    const again = proveSteps({ seed: 1, steps: Number(step), sale: Number(sale), judge })
    expect(again.figures.told).toEqual(expect.arrayContaining([first]))
  })
})
