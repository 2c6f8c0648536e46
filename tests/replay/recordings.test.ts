/** Recordings that the journeys made, re-executed on every run. `recordings.browser.test.ts` does the same in Chromium. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { strictly } from './strictly.ts'

const folder = join(import.meta.dirname, 'recordings')
const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []

test('at least five recordings are kept', () => {
  expect(names.length).toBeGreaterThanOrEqual(5)
})

for (const name of names) {
  test(`${name} comes out byte for byte as it was recorded`, async () => {
    expect(await strictly(readFileSync(join(folder, name), 'utf8'))).toMatchObject({ ok: true })
  })
}
