/**
 * What earlier releases recorded, run by the core of today: every difference is one that somebody has reviewed. When a change
 * means to say something else to old inputs, `npm run replay -- compat --accept tests/replay/releases` writes the records
 * anew; what they say otherwise is reviewed with the change.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replayCommand } from '../../src/main/replay/command.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'releases')
const releases = readdirSync(folder).filter(name => name.endsWith('.jsonl'))

test('every release has left a recording', () => {
  expect(releases.length).toBeGreaterThan(0)
})

test.each(releases)('%s differs from today in nothing but what was reviewed', async name => {
  let said = ''
  const io = { out: { write: (text: string) => (said += text) }, err: { write: (text: string) => (said += text) } }
  const code = await replayCommand(['compat', join(folder, name)], { ...io, build: 'today', root })
  expect(code, said).toBe(0)
})
