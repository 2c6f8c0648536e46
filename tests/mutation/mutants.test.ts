import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutants } from './mutants.ts'
import { changed } from './plant.ts'

const root = join(import.meta.dirname, '../..')

test('every planted fault still finds its place in the source, once, and changes it', () => {
  expect(mutants.length).toBeGreaterThanOrEqual(60)
  for (const mutant of mutants) {
    const source = readFileSync(join(root, mutant.file), 'utf8')
    expect(changed(source, mutant), mutant.what).not.toBe(source)
  }
})
