import { describe, expect, test } from 'vitest'
import { calcExpiry, isExpired, isRequestLife } from '../../../src/worker/walletconnect/time.ts'
import { vectors } from './vectors.ts'

describe('times', () => {
  test.each(vectors.time.calcExpiry)('$ttl s from $nowMs ms is $expiry', ({ ttl, nowMs, expiry }) => {
    expect(calcExpiry(ttl, nowMs)).toBe(expiry)
  })

  test.each(vectors.time.requestExpiry)('a request may live $expiry s: $valid', ({ expiry, valid }) => {
    expect(isRequestLife(expiry === 'NaN' ? Number.NaN : expiry)).toBe(valid)
  })

  test('an expiry has come in the millisecond it names', () => {
    expect([isExpired(1_700_000_000, 1_699_999_999_999), isExpired(1_700_000_000, 1_700_000_000_000)]).toEqual([
      false,
      true,
    ])
  })
})
