import { describe, expect, test } from 'vitest'
import {
  canPaySol,
  canPayToken,
  computeLimitFor,
  computePriceFor,
  mostSol,
  networkFee,
} from '../../../src/events/values/spend.ts'

describe('the fee', () => {
  test('is 5000 lamports a signature and the priority rounded up', () => {
    expect(networkFee({ signatures: 1, units: 120_000, microLamports: '0' })).toBe('5000')
    expect(networkFee({ signatures: 2, units: 1, microLamports: '1' })).toBe('10001')
    expect(networkFee({ signatures: 1, units: 300_000, microLamports: '20000000' })).toBe('6005000')
  })

  test('limits follow the simulation within bounds', () => {
    expect(computeLimitFor(undefined)).toBe(120_000)
    expect(computeLimitFor(800)).toBe(20_000)
    expect(computeLimitFor(60_001)).toBe(71_002)
    expect(computeLimitFor(1_000_000)).toBe(200_000)
  })

  test('the price is what three quarters paid, but never beyond the cap', () => {
    expect(computePriceFor([], 120_000)).toBe('0')
    expect(computePriceFor([400, 100, 300, 200], 120_000)).toBe('300')
    expect(computePriceFor([10 ** 12], 200_000)).toBe('2500000')
    expect(networkFee({ signatures: 0, units: 200_000, microLamports: computePriceFor([10 ** 12], 200_000) })).toBe(
      '500000',
    )
    expect(computePriceFor([Number.NaN, -5, 7], 1)).toBe('7')
  })
})

describe('paying SOL', () => {
  test('an account may be emptied, or keep the rent minimum, and nothing in between', () => {
    expect(canPaySol('1005000', '1000000', '5000')).toEqual({ ok: true })
    expect(canPaySol('1005001', '1000000', '5000')).toEqual({ ok: false, code: 'rent', most: '109121' })
    expect(canPaySol('1895879', '1000000', '5000')).toEqual({ ok: false, code: 'rent', most: '999999' })
    expect(canPaySol('1895880', '1000000', '5000')).toEqual({ ok: true })
  })

  test('what is missing is said to the lamport', () => {
    expect(canPaySol('900000', '1000000', '5000')).toEqual({ ok: false, code: 'insufficient_sol', short: '105000' })
  })

  test('the most leaves the fee, the rent minimum and something to spare', () => {
    expect(mostSol('1000000000', '5000')).toBe('997104120')
    expect(mostSol('5', '5000')).toBe('0')
  })
})

test('paying a token needs the token, and SOL for the fee beside the rent minimum', () => {
  expect(canPayToken({ token: '10', lamports: '895880' }, '10', '5000')).toEqual({ ok: true })
  expect(canPayToken({ token: '9', lamports: '0' }, '10', '5000')).toEqual({
    ok: false,
    code: 'insufficient_token',
    short: '1',
  })
  expect(canPayToken({ token: '10', lamports: '895879' }, '10', '5000')).toEqual({
    ok: false,
    code: 'insufficient_sol',
    short: '1',
  })
})
