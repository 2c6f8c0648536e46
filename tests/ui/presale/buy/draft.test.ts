import { describe, expect, test } from 'vitest'
import type { AppFact } from '../../../../src/events/app.ts'
import type { FailureCode } from '../../../../src/runtime/failure.ts'
import {
  boundaryWords,
  chosenAsset,
  emptyDraft,
  followingText,
  partsOf,
  readDraft,
} from '../../../../src/ui/presale/buy/draft.ts'
import { timeLeft } from '../../../../src/ui/presale/sale/figures.ts'
import { chainTimeAt } from '../../../../src/events/sale/saleNow.ts'
import { buyBlockOf, knownSale } from '../../../../src/ui/presale/sale/saleStatus.ts'
import { lackFor, maxUnits } from '../../../../src/ui/presale/buy/afford.ts'
import { connected, buyer, fact, noon, saleAt, saleAtPosition, surroundings, terms } from '../story.ts'
import { saleWordsIn } from '../../../../src/ui/presale/saleWords.ts'

const en = saleWordsIn('en')

function known(facts: AppFact[]) {
  const { store } = surroundings(facts)
  const sight = knownSale(store.model(), noon)
  if (!sight?.sale) throw new Error('the story expected a sale that has been read')
  return { ...sight, sale: sight.sale }
}
const pay = (text: string, asset = 'SOL') => ({ ...emptyDraft, text, asset })
const get = (text: string, asset = 'SOL') => ({ ...emptyDraft, side: 'get' as const, text, asset })

describe('the calculator', () => {
  test('gives 416,666.666666667 MAI for 2.5 SOL at $149,900, across the step', () => {
    const { sale, curve } = known(saleAtPosition(149_900n))
    const { quote } = readDraft(en, terms, sale, pay('2.5'))
    expect(quote).toMatchObject({ tokens: '416666666666667', units: '2500000000', averagePrice: '0.00096' })
    const asset = terms.assets[0]
    if (!quote || !asset) throw new Error('expected a quote')
    expect(followingText(en, 'get', quote, terms, asset, true)).toBe('416,666.666')
    expect(followingText(en, 'get', quote, terms, asset, false)).toBe('416666.666')
    expect(boundaryWords(en, partsOf(curve, sale, BigInt(quote.credits)), quote)).toEqual({
      verdict: 'Stage 1 has $100 left.',
      sentence:
        '$100 buys at $0.0006, $300 at $0.0012. If others buy first you may get up to 5% less. Any less and you’re refunded.',
    })
  })

  test('asks 3.75 SOL for the first million MAI and 380 USDC for 400,000 at $149,900', () => {
    expect(readDraft(en, terms, known(saleAtPosition(0n)).sale, get('1000000')).quote?.units).toBe('3750000000')
    expect(readDraft(en, terms, known(saleAtPosition(149_900n)).sale, get('400000', 'USDC')).quote?.units).toBe(
      '380000000',
    )
  })

  test('names the refund when the sale has less left than is paid', () => {
    const { sale } = known(saleAtPosition(824_990n))
    expect(readDraft(en, terms, sale, pay('1')).quote).toMatchObject({ tokens: '6666666666667', overCap: '937500000' })
    expect(readDraft(en, terms, sale, get('7000')).problem).toBe('Only 6,666.666 MAI are left.')
  })

  test.each(['', '.', '0', '0.', '0.000', ' '])('takes %j as nothing typed yet', text => {
    expect(readDraft(en, terms, known(saleAt()).sale, pay(text))).toEqual({})
  })

  test.each([
    ['1e3', 'Use a number like 1.5'],
    ['1,000', 'Use a number like 1.5'],
    ['+1', 'Use a number like 1.5'],
    ['٣', 'Use a number like 1.5'],
    ['1.0000000001', 'SOL has at most 9 decimals.'],
    ['1234567890123456789', 'That is more than there is.'],
  ])('refuses %j with a sentence', (text, problem) => {
    expect(readDraft(en, terms, known(saleAt()).sale, pay(text))).toEqual({ problem })
  })

  test('accepts a number that is being typed', () => {
    const { sale } = known(saleAt())
    expect(readDraft(en, terms, sale, pay('1.')).quote?.units).toBe('1000000000')
    expect(readDraft(en, terms, sale, pay('.5')).quote?.units).toBe('500000000')
  })

  test('uses the first asset by default', () => {
    expect(chosenAsset(terms, emptyDraft)?.symbol).toBe('SOL')
  })
})

describe('the balance of a wallet', () => {
  const balance = (amounts: Record<string, string>) => surroundings(connected(amounts)).store.model().balance[buyer]
  const [sol, usdc] = terms.assets
  if (!sol || !usdc) throw new Error('the terms expected two assets')

  test.each([
    ['2250000000', 2_500_000_000n, '0.250006 SOL short, fee included'],
    ['2500006000', 2_500_000_000n, undefined],
    ['2500006001', 2_500_000_000n, 'Leave 0 or at least 0.00089088 SOL in your wallet.'],
    ['2500896879', 2_500_000_000n, 'Leave 0 or at least 0.00089088 SOL in your wallet.'],
    ['2500896880', 2_500_000_000n, undefined],
  ])('with %s lamports for %s lacks %s', (held, units, reason) => {
    expect(lackFor(en, sol, units, balance({ SOL: held }))?.reason).toBe(reason)
  })

  test('without USDC suggests SOL, and with too little SOL names the missing fee', () => {
    expect(lackFor(en, usdc, 1n, balance({ SOL: '1000000000' }))).toMatchObject({
      reason: 'This wallet holds no USDC.',
      isWhole: true,
    })
    expect(lackFor(en, usdc, 1_000_000n, balance({ SOL: '896879', USDC: '1000000' }))?.reason).toBe(
      '0.000000001 SOL short for the network fee',
    )
    expect(lackFor(en, usdc, 1_000_000n, balance({ SOL: '896880', USDC: '1000000' }))).toBeUndefined()
  })

  test('that is unread lacks nothing', () => {
    expect(lackFor(en, sol, 10n ** 18n, undefined)).toBeUndefined()
  })

  test('allows at most what leaves fee, rent and a reserve, within the limits', () => {
    const { sale } = known(saleAt())
    const most = (amounts: Record<string, string>, boughtCredits = 0n) =>
      maxUnits(sol, balance(amounts), { terms, sale, boughtCredits })
    expect(most({ SOL: '12481000000' })).toBe(12_481_000_000n - 6_000n - 890_880n - 2_000_000n)
    expect(most({ SOL: '1000' })).toBe(0n)
    expect(most({ SOL: '900000000000' })).toBe(156_250_000_000n)
    expect(most({ SOL: '900000000000' }, BigInt(terms.maxBuyer))).toBe(0n)
  })
})

describe('an obstacle to buying', () => {
  const buyBlock = (...more: AppFact[]) => buyBlockOf(en, surroundings([...saleAt(), ...more]).store.model(), noon)
  const failure = (code: FailureCode) => ({
    failure: { code, message: '' },
  })

  test('is absent when everything has been read', () => {
    expect(buyBlock()).toBeUndefined()
  })

  test.each<[string, AppFact[], string, string]>([
    [
      'another tab, in a recording of before tabs shared a core',
      [fact({ type: 'tab.elsewhere', data: {} })],
      'elsewhere',
      'This page is open in another tab. Buying works there.',
    ],
    [
      'another tab, in a browser without locks',
      [fact({ type: 'tab.elsewhere', data: { why: 'oneTab' } })],
      'elsewhere',
      'This page is open in another tab. This browser runs it in one at a time: buy there.',
    ],
    [
      'a tab of another build',
      [fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })],
      'otherBuild',
      'Another version of this page is open in another tab. Continue there, or here.',
    ],
    [
      'a deployment',
      [fact({ type: 'tab.outdated', data: {} })],
      'reload',
      'Reload needed. Part of this page has been replaced. Nothing was sent.',
    ],
    [
      'a dead core',
      [fact({ type: 'tab.coreLost', data: { reason: 'x' } })],
      'lost',
      'Reconnecting… Nothing is lost; this takes a moment.',
    ],
    [
      'no storage',
      [fact({ type: 'core.storageLost', data: { message: '' } })],
      'storage',
      'This browser cannot keep a record. Buying is off here.',
    ],
    ['no network', [fact({ type: 'network.offline', data: {} })], 'readingOnly', 'View only. You are offline.'],
    [
      'another chain',
      [fact({ type: 'network.mismatched', data: { expected: 'a', got: 'b' } })],
      'distrust',
      'This is another network than the terms name. Buying is off.',
    ],
    [
      'another treasury',
      [fact({ type: 'sale.distrusted', data: { ...failure('treasury_mismatch'), about: 'treasury' } })],
      'distrust',
      'The treasury does not match the terms. Do not pay.',
    ],
    [
      'other decimals',
      [fact({ type: 'sale.distrusted', data: { ...failure('decimals'), about: 'terms' } })],
      'distrust',
      'The sale on the chain does not match its terms. Do not pay.',
    ],
    [
      'a lying node',
      [fact({ type: 'sale.distrusted', data: { ...failure('rpc_lying'), about: 'rpc' } })],
      'distrust',
      'Two sources disagree. Buying is off.',
    ],
    [
      'new terms',
      [fact({ type: 'sale.noticesRead', data: { termsHash: 'other', paused: false, closed: false } })],
      'distrust',
      'We cannot confirm these terms. Buying is off until the team signs them. Published: 0c1754de…, signed: other….',
    ],
  ])('%s has a sentence', (_, facts, why, words) => {
    const found = buyBlock(...facts)
    expect(found?.why).toBe(why)
    expect(`${found?.verdict} ${found?.sentence}`).toBe(words)
  })

  test('an unanswering network turns buying off only with old numbers', () => {
    const stale = fact({ type: 'sale.unreachable', data: { ...failure('unreachable'), retryAt: noon + 8000 } })
    const { store } = surroundings([...saleAt(), stale])
    expect(buyBlockOf(en, store.model(), noon + 60_000)).toBeUndefined()
    expect(buyBlockOf(en, store.model(), noon + 60_001)?.why).toBe('readingOnly')
    const limited = fact({ type: 'sale.unreachable', data: { ...failure('rate_limited'), retryAt: noon + 8000 } })
    expect(buyBlockOf(en, surroundings([...saleAt(), limited]).store.model(), noon + 600_000)).toBeUndefined()
  })
})

test('draft: chain time continues from its last reading and never runs backwards with the clock', () => {
  const { sale } = surroundings(saleAt({ chainTime: noon + 5000 })).store.model()
  expect(chainTimeAt(sale, noon + 1500)).toBe(noon + 6500)
  expect(chainTimeAt(sale, noon - 90_000)).toBe(noon + 5000)
})

test('draft: figures have one format everywhere', () => {
  expect(en.figures.regions(['CU', 'IR', 'KP', 'SY', 'US'])).toBe('Cuba, Iran, North Korea, Syria or the United States')
  expect([en.figures.regions(['CU']), en.figures.regions([])]).toEqual(['Cuba', ''])
  expect(['200000', '1500000', '1500', '825'].map(usd => en.figures.shortDollars(`${usd}000000000000`))).toEqual([
    '$200k',
    '$1.5M',
    '$1,500',
    '$825',
  ])
  expect([0, 41_900, 125_000, 7_300_000, 200_000_000].map(en.figures.spanOf)).toEqual([
    '0 s',
    '41 s',
    '2 min',
    '2 h',
    '2 d',
  ])
  expect(timeLeft(1)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 1 })
  expect(timeLeft(-5)).toEqual({ days: 0, hours: 0, minutes: 0, seconds: 0 })
})
