import { describe, expect, test } from 'vitest'
import { type Funds, unaffordable } from '../../../src/worker/rpc/affordability.ts'
import { cappedPrice, computeLimit, feeOf, priorityPrice } from '../../../src/worker/rpc/fees.ts'

describe('fees', () => {
  test('have a compute limit of the use and 15 percent and 2000, from 20 000 to 200 000', () => {
    expect(computeLimit(0)).toBe(20_000)
    expect(computeLimit(40_000)).toBe(48_000)
    expect(computeLimit(40_001)).toBe(48_002)
    expect(computeLimit(1_000_000)).toBe(200_000)
    expect(computeLimit(1_000_000, 1_400_000)).toBe(1_152_000)
  })

  test('have a price of the 75th percentile of recent ones', () => {
    expect(priorityPrice([])).toBe(0n)
    expect(priorityPrice([7])).toBe(7n)
    expect(priorityPrice([4, 1, 3, 2])).toBe(3n)
    expect(priorityPrice([0, 0, 0, 1000])).toBe(0n)
  })

  test('never have a priority part over 500 000 lamports', () => {
    for (const limit of [20_000, 33_333, 200_000]) {
      const price = cappedPrice(10n ** 15n, limit)
      expect(feeOf(limit, price) - 5_000n).toBeLessThanOrEqual(500_000n)
      expect(feeOf(limit, price + 1_000_000n) - 5_000n).toBeGreaterThan(500_000n)
    }
    expect(cappedPrice(10n, 20_000)).toBe(10n)
  })

  test('round a part of a lamport up', () => {
    expect(feeOf(20_000, 0n)).toBe(5_000n)
    expect(feeOf(20_000, 1n)).toBe(5_001n)
  })
})

describe('affordability', () => {
  const sol = (lamports: bigint, treasuryLamports = 890_880n): Funds => {
    return { kind: 'native', lamports, fee: 5_000n, units: 1_000_000n, treasuryLamports }
  }

  test('allows a SOL order to leave nothing or 890 880 lamports, nothing between', () => {
    expect(unaffordable(sol(1_005_000n))).toBeUndefined()
    expect(unaffordable(sol(1_005_001n))).toMatchObject({ code: 'rent', facts: { whose: 'buyer', leaves: '1' } })
    expect(unaffordable(sol(1_005_000n + 890_879n))).toMatchObject({ code: 'rent' })
    expect(unaffordable(sol(1_005_000n + 890_880n))).toBeUndefined()
  })

  test('fails by a single missing lamport, with its amount', () => {
    expect(unaffordable(sol(1_004_999n))).toMatchObject({
      code: 'insufficient_sol',
      facts: { needs: '1005000', holds: '1004999', short: '1' },
    })
  })

  test('excludes a treasury without its account', () => {
    const means: Funds = { kind: 'native', lamports: 10n ** 9n, fee: 5_000n, units: 890_879n, treasuryLamports: 0n }
    expect(unaffordable(means)).toMatchObject({ code: 'rent', facts: { whose: 'treasury' } })
    expect(unaffordable({ ...means, units: 890_880n })).toBeUndefined()
  })

  test('needs tokens for a token order, and SOL for the fee and rent', () => {
    const token: Funds = { kind: 'spl', symbol: 'USDC', lamports: 895_880n, fee: 5_000n, units: 10n, holds: 10n }
    expect(unaffordable(token)).toBeUndefined()
    expect(unaffordable({ ...token, holds: 9n })).toMatchObject({ code: 'insufficient_token', facts: { short: '1' } })
    expect(unaffordable({ ...token, holds: undefined })).toMatchObject({ code: 'no_token_account' })
    expect(unaffordable({ ...token, lamports: 895_879n })).toMatchObject({ code: 'insufficient_sol' })
  })
})
