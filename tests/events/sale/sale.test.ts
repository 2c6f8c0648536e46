import { describe, expect, test } from 'vitest'
import { quoteGetting, quotePaying, stillHolds } from '../../../src/events/sale/quote.ts'
import { baseline, mayBeSoldOut, readSale } from '../../../src/events/sale/sale.ts'
import { exampleTerms, wholeTerms } from '../values/exampleTerms.ts'

const terms = exampleTerms()
const start = baseline({ SOL: '890880', USDC: '0' })
const during = (terms.start + 60) * 1000
const usd = (dollars: number) => `${dollars}000000000000`
// 100 000 dollars in SOL at 160, and 50 000 in USDC.
const halfway = { SOL: '625000890880', USDC: '50000000000' }

const paidSince = { SOL: '626250890880', USDC: '50000000000' }
const audited = { time: during - 1000, balances: halfway, raised: usd(149_000), pos: usd(149_000) }

describe('reading the sale', () => {
  test('does not count the treasury’s earlier balance as received', () => {
    expect(readSale(terms, start, { SOL: '890880', USDC: '0' }, during)).toMatchObject({
      state: 'live',
      audited: '0',
      received: '0',
      sold: '0',
      tokensLeft: '750000000000000000',
      stage: { index: 0, price: '600000000', filled: '0', left: usd(150_000) },
      next: { index: 1, name: 'Stage 2', price: '1200000000', inCredits: usd(150_000) },
    })
  })

  test('does not move stage, price or caps by received money, only the possible position', () => {
    expect(readSale(terms, start, halfway, during)).toMatchObject({
      audited: '0',
      received: usd(150_000),
      pos: '0',
      mostPos: usd(150_000),
      sold: '0',
      remaining: usd(825_000),
      softCapReached: false,
      stage: { index: 0, name: 'Stage 1' },
    })
  })

  test('moves the position by checked payments, and begins the next stage at the end of one', () => {
    const sale = readSale(terms, start, halfway, during, undefined, 150_000n * 10n ** 12n)
    expect(sale).toMatchObject({ pos: usd(150_000), auditedPos: '0', stage: { index: 1, name: 'Stage 2' } })
  })

  test('splits the sum at a checkpoint into audited and received since', () => {
    expect(readSale(terms, audited, paidSince, during)).toMatchObject({
      audited: usd(149_000),
      received: usd(200),
      pos: usd(149_000),
      mostPos: usd(149_200),
    })
  })

  test('knows neither received sum nor farthest position when the treasury holds less than at the checkpoint', () => {
    const sale = readSale(terms, audited, { SOL: '5', USDC: '60000000000' }, during)
    expect(sale).toMatchObject({ received: null, audited: usd(149_000), pos: usd(149_000), mostPos: usd(825_000) })
    expect(mayBeSoldOut(terms, sale)).toBe(false)
    const quote = quotePaying(terms, sale, 'SOL', '2500000000')
    expect(quote).toMatchObject({ tokens: '666666666666667', min: '633333333333334', least: { tokens: '0' } })
    expect(stillHolds(quote, quote)).toBe(true)
  })

  test('stays open with more money than the hard cap until a checkpoint judges it', () => {
    const sale = readSale(terms, start, { SOL: '890880', USDC: '900000000000' }, during)
    expect(sale).toMatchObject({ state: 'live', pos: '0', mostPos: usd(825_000), received: usd(900_000) })
    const full = readSale(terms, { ...start, pos: usd(825_000) }, start.balances, during)
    expect(full).toMatchObject({ state: 'soldOut', sold: '750000000000000000', stage: null, next: null })
  })

  test('derives the state from time, notices and the remaining tokens', () => {
    const at = (seconds: number, notices = { paused: false, closed: false }) =>
      readSale(terms, start, halfway, seconds * 1000, notices).state
    expect(at(terms.start - 1)).toBe('soon')
    expect(at(terms.start)).toBe('live')
    expect(at(terms.start, { paused: true, closed: false })).toBe('paused')
    expect(at(terms.end - 1)).toBe('live')
    expect(at(terms.end)).toBe('ended')
    expect(at(terms.start, { paused: true, closed: true })).toBe('ended')
    expect(readSale(terms, start, halfway, 0, { paused: false, closed: true, result: 'failed' }).state).toBe('failed')
  })
})

describe('a stage that ends by time', () => {
  const [one, two, three] = terms.stages
  const timed = exampleTerms({
    stages: [{ ...one, endsAt: terms.start + 100 }, two, three] as typeof terms.stages,
  })
  const paid = { SOL: '890880', USDC: '1000000' }

  test('has its end in milliseconds', () => {
    const sale = readSale(timed, baseline(start.balances, during), paid, during)
    expect(sale.stage?.endsAt).toBe((terms.start + 100) * 1000)
    expect(sale.next?.at).toBe((terms.start + 100) * 1000)
  })

  test('moves the position but not the sold tokens, and what came in may all be beyond it', () => {
    const sale = readSale(timed, baseline(start.balances, during), paid, (terms.start + 100) * 1000)
    expect(sale).toMatchObject({ pos: usd(150_000), received: usd(1), mostPos: usd(150_001), sold: '0' })
    const more = { SOL: '890880', USDC: '310000000000' }
    const later = readSale(timed, baseline(start.balances, during), more, (terms.start + 100) * 1000)
    expect(later).toMatchObject({ pos: usd(150_000), mostPos: usd(460_000), stage: { index: 1 } })
  })

  test('counts no more than the hard cap, nor twice after a checkpoint taken later', () => {
    const mark = {
      time: (terms.start + 101) * 1000,
      balances: paid,
      raised: usd(1),
      pos: usd(150_000),
      tokens: '1666666666666',
    }
    const sale = readSale(timed, mark, { SOL: '890880', USDC: '2000000' }, (terms.start + 200) * 1000)
    expect(sale).toMatchObject({ pos: usd(150_000), mostPos: usd(150_001), sold: '1666666666666' })
    const full = readSale(timed, mark, { SOL: '890880', USDC: '700000000000' }, (terms.start + 200) * 1000)
    expect(full).toMatchObject({ mostPos: usd(825_000) })
  })
})

describe('the calculator', () => {
  const at = (dollars: number) => ({ pos: usd(dollars), time: during })

  test('paying 2.5 SOL across a stage shows tokens, average price and a wider tolerance', () => {
    expect(quotePaying(terms, at(149_900), 'SOL', '2500000000')).toEqual({
      asset: 'SOL',
      units: '2500000000',
      credits: usd(400),
      tokens: '416666666666667',
      overCap: '0',
      min: '395833333333334',
      least: { tokens: '416666666666667', overCap: '0' },
      toleranceBps: 500,
      nearBoundary: true,
      averagePrice: '0.00096',
    })
  })

  test('lowers the accepted amount by unjudged money, never the quote', () => {
    const doubtful = { pos: usd(100_000), mostPos: usd(150_000), time: during }
    const quote = quotePaying(terms, doubtful, 'SOL', '2500000000')
    expect(quote).toMatchObject({
      tokens: '666666666666667',
      least: { tokens: '333333333333333', overCap: '0' },
      min: '333333333333332',
      toleranceBps: 0,
    })
    expect(stillHolds(quote, quote)).toBe(true)
    const later = quotePaying(terms, { ...doubtful, mostPos: usd(450_000) }, 'SOL', '2500000000')
    expect(stillHolds(later, quote)).toBe(false)
  })

  test('keeps the order open while the sale may be full, and not when it is full', () => {
    const maybe = quotePaying(terms, { pos: usd(100_000), mostPos: usd(825_000), time: during }, 'SOL', '2500000000')
    expect(maybe.least).toEqual({ tokens: '0', overCap: '2500000000' })
    expect(stillHolds(maybe, maybe)).toBe(true)
    const full = quotePaying(terms, at(825_000), 'SOL', '2500000000')
    expect(stillHolds(full, maybe)).toBe(false)
  })

  test('keeps an order of a single base unit open, whose minimum is nothing', () => {
    const one = quotePaying(wholeTerms(), at(100), 'SOL', '62500000')
    expect(one).toMatchObject({ tokens: '1', min: '0' })
    expect(stillHolds(one, one)).toBe(true)
    const none = quotePaying(wholeTerms('20000000000000'), at(100), 'SOL', '62500000')
    expect(none).toMatchObject({ tokens: '0', overCap: '0' })
    expect(stillHolds(none, one)).toBe(false)
  })

  test('keeps an order open whose buyer takes any price, unless it may get nothing', () => {
    const any = quotePaying(terms, at(100), 'SOL', '2500000000', 10_000)
    expect(any.min).toBe('0')
    expect(stillHolds(any, any)).toBe(true)
    expect(stillHolds({ ...any, least: { tokens: '0', overCap: '0' } }, any)).toBe(false)
  })

  test('a tolerance of nothing asks for one base unit less than shown', () => {
    expect(quotePaying(terms, at(149_900), 'SOL', '2500000000', 0).min).toBe('416666666666666')
  })

  test('asking for a million tokens gives the smallest payment', () => {
    expect(quoteGetting(terms, { pos: '0', time: during }, 'SOL', '1000000000000000')).toMatchObject({
      units: '3750000000',
      tokens: '1000000000000000',
      nearBoundary: false,
      min: '999999999999999',
    })
  })

  test('near the cap names the part that does not fit, and has no answer beyond the remaining tokens', () => {
    expect(quotePaying(terms, at(824_990), 'SOL', '1000000000', 0)).toMatchObject({
      tokens: '6666666666667',
      overCap: '937500000',
      min: '106666666666656',
    })
    expect(quoteGetting(terms, at(824_990), 'SOL', '6666666666668')).toBeUndefined()
  })

  test('gives nothing for a payment when everything is sold', () => {
    expect(quotePaying(terms, at(825_000), 'SOL', '5')).toMatchObject({ tokens: '0', overCap: '5', min: '0' })
  })
})
