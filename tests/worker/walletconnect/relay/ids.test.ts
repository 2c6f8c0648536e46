import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isStale, relayId, wcId } from '../../../../src/worker/walletconnect/relay/ids.ts'
import { faultOf } from '../refusals.ts'
import { vectors } from '../vectors.ts'

const { wcExample, relayExample } = vectors.rpcIds

describe('ids', () => {
  test('of payloads are ms and three digits', () => {
    expect(wcId(Math.floor(wcExample / 1000), wcExample % 1000)).toBe(wcExample)
  })

  test('of the relay are ms and six digits, as text', () => {
    expect(relayId(Number(relayExample.slice(0, 13)), Number(relayExample.slice(13)))).toBe(relayExample)
    expect(relayId(1_795_226_156_233, 7)).toBe('1795226156233000007')
  })

  test('keep their moment and their draw, and have 16 and 19 digits for centuries', () => {
    const moment = fc.integer({ min: 1_000_000_000_000, max: 9_007_199_254_739 })
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 999_999 }), (ms, three, six) => {
        const id = wcId(ms, three)
        expect(Number.isSafeInteger(id)).toBe(true)
        expect([Math.floor(id / 1000), id % 1000, String(id).length]).toEqual([ms, three, 16])
        const text = relayId(ms, six)
        expect([BigInt(text) / 1_000_000n, BigInt(text) % 1_000_000n]).toEqual([BigInt(ms), BigInt(six)])
        expect(text.length).toBe(19)
      }),
    )
  })

  test('are refused from a time or a draw that makes none', () => {
    expect(faultOf(() => wcId(1.5, 0)).message).toContain('got 1.5')
    expect(faultOf(() => wcId(Number.NaN, 0)).code).toBe('bad_input')
    expect(faultOf(() => wcId(9_007_199_254_740, 0)).code).toBe('bad_input')
    expect(faultOf(() => wcId(1, 1000)).message).toContain('0 to 999, got 1000')
    expect(faultOf(() => relayId(1, -1)).code).toBe('bad_input')
  })
})

describe('an update', () => {
  test.each([
    ['later', '1795226160326525', '1795226160121638', false],
    ['of the same millisecond', '1795226160326001', '1795226160326999', false],
    ['one millisecond earlier', '1795226160325999', '1795226160326000', true],
    ['earlier by more digits than a number holds', '1795226160326525000', '1795226160327525000', true],
    ['later, though its text sorts before', '10000000000000000', '9999999999999999', false],
  ])('that was sent %s is stale: %s after %s, %s', (_when, id, last, stale) => {
    expect(isStale(id, last)).toBe(stale)
  })

  test('whose id is no number cannot be put in order and passes', () => {
    expect([isStale('abc', '1795226160326525'), isStale('1', 'abc')]).toEqual([false, false])
  })
})
