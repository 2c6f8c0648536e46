/** The proof of random faults, small; and a world that breaks an invariant, which it names. */
import { expect, test } from 'vitest'
import type { OnDone } from './report.ts'
import { proveSchedules } from './schedules.ts'

test('schedules: no world breaks an invariant', async () => {
  const { holds, figures } = await proveSchedules({ seed: 3, schedules: 2 })
  expect(figures).toMatchObject({ schedules: 2, failed: 0 })
  expect(figures.inputs).toBeGreaterThan(0)
  expect(holds).toBe(true)
})

test('schedules: a broken one is told at once and at the end, with the command that repeats it', async () => {
  const run = async (world: number) => ({ inputs: 1, ...(world === 5 && { wrong: 'an order is paid twice' }) })
  const atOnce: [number, string][] = []
  const onDone: OnDone = (done, _, violation) => void (violation !== undefined && atOnce.push([done, violation]))
  const { holds, lines } = await proveSchedules({ seed: 1, schedules: 8, run, onDone })
  expect(holds).toBe(false)
  expect(lines.at(-1)).toBe('world 5: an order is paid twice; again: npm run simulate -- --seed 5')
  expect(atOnce).toEqual([[6, lines.at(-1)]])
})
