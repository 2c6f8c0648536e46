import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { resolveFeatures } from '../../../../src/worker/services/project/features.ts'
import { readServiceFeatures } from '../../../../src/worker/services/project/serviceFeatures.ts'
import { changedJson } from '../../../fuzz/hostileJson.ts'
import { randomOf } from '../../../fuzz/random.ts'

const entry = (id: string, isEnabled: boolean, config: string[] | null = null) => ({ id, isEnabled, config })
const known = ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook', '1inch', 'meld']
const features = [
  entry('social_login', true, ['email', 'google', 'x']),
  entry('swap', true, ['1inch']),
  entry('onramp', true, ['meld']),
  entry('activity', true),
]

describe('an answer of the configuration service', () => {
  test('drops and counts malformed features, and keeps the first of two', () => {
    const bad = [null, 7, {}, { id: 'swap' }, entry('SWAP', true), { ...entry('swap', true), config: 'all' }]
    const twice = [entry('onramp', true, ['meld']), entry('onramp', false, [])]
    const { features, dropped } = readServiceFeatures({ features: [...bad, ...twice] })
    expect([features.map(({ id }) => id), features[0]?.isEnabled, dropped]).toEqual([['onramp'], true, 6])
  })

  test('has no feature whose config is absent: it is off', () => {
    const remote = readServiceFeatures({ features: [{ id: 'activity', isEnabled: true }] })
    expect([remote.features.length, remote.dropped]).toEqual([0, 0])
    expect(resolveFeatures({}, remote.features).features.activity).toBe(false)
  })

  test.each([[null], [[]], [{}], [{ features: {} }], [{ features: Array.from({ length: 201 }, () => 0) }]])(
    'without a list of fair length is refused',
    body => {
      expect(() => readServiceFeatures(body)).toThrow(expect.objectContaining({ code: 'bad_response' }))
    },
  )

  test('mutated two thousand times resolves to known features or is refused', () => {
    const text = JSON.stringify({ features })
    fc.assert(
      fc.property(fc.integer(), seed => {
        const body: unknown = JSON.parse(changedJson(randomOf(String(seed)), text))
        try {
          const resolved = resolveFeatures({}, readServiceFeatures(body).features, 'service').features
          const words = [...resolved.socials, ...resolved.swaps, ...resolved.onramp]
          expect(words.filter(word => !known.includes(word))).toEqual([])
        } catch (cause) {
          expect(cause).toBeInstanceOf(Fault)
        }
      }),
      { numRuns: 2000 },
    )
  })
})
