import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withinTime } from '../../src/runtime/withinTime.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new Promise<string>(() => undefined)

test('within time: an answer in time ends the wait and its timer', async () => {
  await expect(withinTime(Promise.resolve('here'), 100, () => 'late')).resolves.toBe('here')
  await expect(withinTime(Promise.reject(new Error('refused')), 100, () => 'late')).rejects.toThrow('refused')
  expect(vi.getTimerCount()).toBe(0)
})

test('within time: the late value or failure comes at the deadline', async () => {
  const value = withinTime(never, 100, () => 'late')
  const failure = withinTime(never, 100, () => {
    throw new Error('too late')
  })
  const refused = expect(failure).rejects.toThrow('too late')
  await vi.advanceTimersByTimeAsync(99)
  expect(vi.getTimerCount()).toBe(2)
  await vi.advanceTimersByTimeAsync(1)
  await expect(value).resolves.toBe('late')
  await refused
})
