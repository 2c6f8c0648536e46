/** Each planted fault has its place in the source as it is now, exactly once, and its tests are there. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withoutPlace } from './mutant.ts'
import { mutants } from './mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('each planted fault has its place', () => {
  expect(mutants.length).toBeGreaterThan(0)
  expect(mutants.flatMap(mutant => withoutPlace(root, mutant))).toEqual([])
})
