import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextRandom, seeded } from '../../../../src/runtime/core/generator.ts'
import type { Ctx } from '../../../../src/worker/core/context.ts'
import { backoff } from '../../../../src/worker/deciders/relay/backoff.ts'

/** @returns the delay of a core with this seed after so many failures */
function waitOf(seed: string, attempt: number): number {
  const state = seeded(seed)
  return backoff({ random: (below: number) => nextRandom(state) % below } as Ctx, attempt)
}

test('backoff: a delay is between half a second and a ceiling that doubles up to a minute', () => {
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 1, max: 1000 }), (seed, attempt) => {
      const wait = waitOf(seed, attempt)
      expect(Number.isInteger(wait)).toBe(true)
      expect(wait).toBeGreaterThanOrEqual(500)
      expect(wait).toBeLessThan(Math.max(1000, Math.min(60_000, 1000 * 2 ** (attempt - 1))) + 1)
    }),
  )
})

test('backoff: delays of many clients are spread over the whole range', () => {
  for (const [attempt, ceiling] of [
    [3, 4000],
    [6, 32_000],
    [9, 60_000],
  ] as const) {
    const waits = Array.from({ length: 2000 }, (_, client) => waitOf(`client-${client}`, attempt))
    const tenths = new Set(waits.map(wait => Math.floor(((wait - 500) / (ceiling - 500)) * 10)))
    expect([...tenths].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
    expect(Math.abs(mean - (ceiling + 500) / 2)).toBeLessThan(ceiling / 20)
  }
})
