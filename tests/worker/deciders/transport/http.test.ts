import { expect, test } from 'vitest'
import { createWorld } from '../../world.ts'

function asking(more: { retries?: number; deadlineMs?: number } = {}) {
  const world = createWorld()
  world.boot()
  world.input('http.asked', { requestId: 4, what: 'the list of notices', ...more })
  return world
}
type World = ReturnType<typeof asking>
const answers = (world: World, status: number, retryAfterMs?: number) =>
  world.answer('http.send', 'http.answered', { status, ...(retryAfterMs !== undefined && { retryAfterMs }) })
const settled = (world: World) => world.ordered('http.settle').map(({ data }) => data)

test('a request ends by its first answer that is no fault of the moment', () => {
  for (const status of [200, 400, 401, 404]) {
    const world = asking()
    answers(world, status)
    expect(settled(world)).toEqual([{ requestId: 4 }])
    expect(world.memory().http).toEqual({})
  }
})

test('a request is repeated three times, and then ends', () => {
  const world = asking()
  for (let times = 0; times < 3; times += 1) {
    answers(world, 503)
    world.fire('http:4')
  }
  expect(settled(world)).toEqual([])
  answers(world, 503)
  expect(settled(world)).toEqual([{ requestId: 4 }])
  expect(world.ordered('http.send')).toHaveLength(4)
})

test('a pause that a server asks for is kept within the deadline', () => {
  const patient = asking()
  const before = patient.at
  answers(patient, 429, 20_000)
  patient.fire('http:4')
  expect(patient.at - before).toBe(20_000)
  const hasty = asking({ deadlineMs: 10_000 })
  answers(hasty, 429, 20_000)
  expect(settled(hasty)).toEqual([{ requestId: 4 }])
})

test('a request without an answer is repeated, one with an unreadable answer is not', () => {
  const world = asking()
  world.answer('http.send', 'http.failed', { failure: { code: 'timeout', message: 'none' } })
  world.fire('http:4')
  world.answer('http.send', 'http.failed', { failure: { code: 'bad_response', message: 'too long' } })
  expect(settled(world)).toEqual([{ requestId: 4 }])
})

test('a request that is set aside ends', () => {
  const world = asking()
  world.input('core.setAside', { input: 'http.asked', asked: [5, 1] })
  expect(settled(world)).toEqual([{ requestId: 5, failure: { code: 'core_lost' } }])
})
