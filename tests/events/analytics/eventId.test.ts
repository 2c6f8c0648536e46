import { expect, test } from 'vitest'
import { eventIdOf } from '../../../src/events/analytics/eventId.ts'
import { nextRandom, seeded } from '../../../src/runtime/core/generator.ts'

const drawn = (seed: string, count: number) => {
  const state = seeded(seed)
  return Array.from({ length: count }, () => eventIdOf(below => nextRandom(state) % below))
}

test('event id: is a UUID v4', () => {
  for (const id of drawn('a', 200))
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(eventIdOf(() => 0)).toBe('00000000-0000-4000-8000-000000000000')
  expect(eventIdOf(below => below - 1)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})

test('event id: equal seeds draw equal ids, and no id twice', () => {
  expect(drawn('a', 20)).toEqual(drawn('a', 20))
  expect(drawn('a', 1)).not.toEqual(drawn('b', 1))
  expect(new Set(drawn('a', 1000)).size).toBe(1000)
})
