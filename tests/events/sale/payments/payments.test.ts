import { describe, expect, test } from 'vitest'
import { type KnownAtPayment, refusals } from '../../../../src/events/sale/payments/payments.ts'
import type { Purchase } from '../../../../src/events/subjects/sale/purchase.ts'
import type { NoticeChange } from '../../../../src/events/subjects/sale/saleFacts.ts'
import { exampleTerms, exampleTermsHash } from '../../values/exampleTerms.ts'

const terms = exampleTerms()
const during = (terms.start + 60) * 1000
const published: NoticeChange[] = [{ slot: 1, verb: 'terms', hash: exampleTermsHash }]
const known: KnownAtPayment = {
  terms,
  termsHash: exampleTermsHash,
  changes: published,
  allowed: true,
  mostPos: '0',
}
const paid = (change: Partial<Purchase> = {}): Purchase => ({
  signature: 's1',
  orderId: '5b0e9d7c31f4a826',
  slot: 100,
  paidAt: during,
  asset: 'SOL',
  units: '2500000000',
  quoted: '666666666666667',
  status: 'final',
  terms: exampleTermsHash.slice(0, 16),
  ...change,
})
const why = (payment: Partial<Purchase>, more: Partial<KnownAtPayment> = {}) =>
  refusals([paid(payment)], { ...known, ...more }).get('s1')
const after = (...changes: NoticeChange[]) => ({ changes: [...published, ...changes] })

describe('a payment without a ledger', () => {
  test('that may be accepted is not judged', () => {
    expect(why({})).toBeUndefined()
  })

  test.each<[string, Partial<Purchase>, Partial<KnownAtPayment>, string]>([
    ['before the start', { paidAt: terms.start * 1000 - 1 }, {}, 'early'],
    ['at the end', { paidAt: terms.end * 1000 }, {}, 'late'],
    ['after a notice to close', {}, after({ slot: 99, verb: 'close' }), 'late'],
    ['after a notice to pause', {}, after({ slot: 99, verb: 'pause' }), 'paused'],
    ['of an account that is not on the list', {}, { allowed: false }, 'not_allowed'],
    ['under the smallest order', { units: '62499999' }, {}, 'under_min'],
    ['of terms nobody published', { terms: '0123456789abcdef' }, {}, 'unknown_terms'],
    ['of such terms, up to the newest list', { terms: '0123456789abcdef' }, { toldUntil: during }, 'unknown_terms'],
    [
      'after a notice to close, whatever else is announced',
      {},
      { ...after({ slot: 99, verb: 'close' }), toldUntil: 0 },
      'late',
    ],
    [
      'of terms published after it',
      {},
      { changes: [{ slot: 101, verb: 'terms', hash: exampleTermsHash }] },
      'unknown_terms',
    ],
    ['of another amount than its memo says', { fault: 'mismatch' }, {}, 'mismatch'],
    ['whose memo cannot be read', { fault: 'malformed' }, {}, 'malformed'],
    ['without a memo', { fault: 'no_memo' }, {}, 'no_memo'],
  ])('%s is refused', (_, payment, more, status) => {
    expect(why(payment, more)).toBe(status)
  })

  test.each<[string, Partial<Purchase>, Partial<KnownAtPayment>]>([
    ['before a pause', {}, after({ slot: 101, verb: 'pause' })],
    ['in the slot of a pause', {}, after({ slot: 100, verb: 'pause' })],
    ['after a pause and its end', {}, after({ slot: 98, verb: 'pause' }, { slot: 99, verb: 'resume' })],
    ['in the slot of a resumption', {}, after({ slot: 98, verb: 'pause' }, { slot: 100, verb: 'resume' })],
    ['that may be the last of the sale, however small', { units: '62499999' }, { mostPos: '824995000000000000' }],
    ['that may be under other terms’ least', { units: '62499999', terms: 'ffffffffffffffff' }, { changes: undefined }],
    ['in an asset the terms do not list', { asset: 'ETH' }, {}],
    ['of terms that an unread notice may publish', { terms: '0123456789abcdef' }, { toldUntil: during - 1 }],
    [
      'after a pause that an unread notice may end',
      {},
      { ...after({ slot: 99, verb: 'pause' }), toldUntil: during - 1 },
    ],
    ['of terms that a notice left out may have published', { terms: '0123456789abcdef' }, { unlisted: { from: 100 } }],
    [
      'after a pause that a notice left out may have ended',
      {},
      { ...after({ slot: 98, verb: 'pause' }, { slot: 102, verb: 'pause' }), unlisted: { from: 98, to: 102 } },
    ],
    ['that is not final', { paidAt: 0, status: 'confirmed' }, {}],
    ['that failed', { paidAt: 0, status: 'failed' }, {}],
  ])('%s is not judged', (_, payment, more) => {
    expect(why(payment, more)).toBeUndefined()
  })
})

describe('two payments of one order', () => {
  const two = (first: Partial<Purchase>, second: Partial<Purchase>, more = {}) =>
    Object.fromEntries(refusals([paid({ signature: 's2', slot: 101, ...second }), paid(first)], { ...known, ...more }))

  test('are one order and a duplicate, the later one', () => {
    expect(two({}, {})).toEqual({ s2: 'duplicate' })
  })
  test('are two orders when their keys differ', () => {
    expect(two({}, { orderId: 'ffffffffffffffff' })).toEqual({})
  })
  test('are not judged where an unread notice may have paused the first', () => {
    expect(two({}, {}, { toldUntil: during - 1 })).toEqual({})
  })
  test('are not judged where a pause that the list leaves out may have met the first', () => {
    expect(two({}, {}, { unlisted: { from: 1, to: 200 } })).toEqual({})
    expect(two({}, {}, { unlisted: { from: 100 } })).toEqual({})
    expect(two({}, {}, { unlisted: { from: 1, to: 100 } })).toEqual({})
    expect(two({}, {}, { unlisted: { from: 1, to: 99 } })).toEqual({ s2: 'duplicate' })
    expect(two({}, { slot: 300 }, { unlisted: { from: 101, to: 200 } })).toEqual({ s2: 'duplicate' })
  })
  test('are not judged while it is unknown whether the first one’s terms were published', () => {
    expect(two({ terms: '0123456789abcdef' }, {}, { unlisted: { from: 1, to: 99 } })).toEqual({})
  })
  test('in one slot are not judged', () => {
    expect(two({}, { slot: 100 })).toEqual({})
  })
  test('leave the second one its place if the first came too early or during a pause', () => {
    expect(two({ paidAt: 0 }, {})).toEqual({ s1: 'early' })
    const pausedThen = after({ slot: 99, verb: 'pause' }, { slot: 101, verb: 'resume' })
    expect(two({}, { slot: 102 }, pausedThen)).toEqual({ s1: 'paused' })
  })
})
