/**
 * Recordings of earlier releases, executed by today's core: every difference is a reviewed one. After a change that
 * should answer old inputs otherwise, `npm run replay -- compat --accept tests/replay/releases` writes the records
 * anew; the differences are reviewed with the change.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import { replayCommand } from '../../src/main/replay/command.ts'
import { asRecorded } from '../../src/main/replay/said.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { type Item, rerun } from '../../src/runtime/replay/rerun.ts'
import { startOf } from '../../src/worker/replay/startOf.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(import.meta.dirname, 'releases')
const releases = readdirSync(folder).filter(name => name.endsWith('.jsonl'))

test('compat: every release has a recording', () => {
  expect(releases.length).toBeGreaterThan(0)
})

test.each(releases)('compat: %s differs from today only in reviewed points', async name => {
  let said = ''
  const io = { out: { write: (text: string) => (said += text) }, err: { write: (text: string) => (said += text) } }
  const code = await replayCommand(['compat', join(folder, name)], { ...io, build: 'today', root })
  expect(code, said).toBe(0)
})

/**
 * Today's core refuses orders of 0.1.0 for two inputs that release did not record: the reading of the legal document,
 * and the order key, which the core drew. With both added, the rest is judged as then.
 * @returns types of the facts about orders, then and now
 */
async function withWhatItLacks(name: string): Promise<{ was: string[]; now: string[] }> {
  const { records } = await readRecordingFile(new Blob([readFileSync(join(folder, name))]))
  const items = asRecorded(records)
  const terms = items.find(({ input }) => input.type === 'chain.terms')?.input.data.terms as Terms
  const { sha256, url } = terms.legal
  // Replaces an input that no order needs, so that all numbers and ids stay
  const spare = items.find(({ input }) => input.type === 'directory.read')
  if (spare) {
    const { to: _, ...input } = spare.input
    Object.assign(spare, { input: { ...input, type: 'sale.legal', data: { sha256, url } } } satisfies Item)
  }
  for (const { input, before } of items) {
    const accepted = before?.facts.find(({ type }) => type === 'order.accepted')
    if (input.type === 'order.place' && accepted) input.data.orderKey = accepted.data.orderKey
  }
  const typesOf = (facts: readonly { type: string }[]) =>
    facts.flatMap(({ type }) => (type.startsWith('order.') ? type.slice('order.'.length) : []))
  const { groups } = rerun(startOf(records, deciders), items)
  return {
    was: typesOf(records.flatMap(({ record }) => (record.k === 'f' ? [record] : []))),
    now: typesOf(groups.flatMap(({ facts }) => facts)),
  }
}

test('compat: 0.1.0 with its missing inputs brings its order to the same end', async () => {
  const { was, now } = await withWhatItLacks('0.1.0.replay.jsonl')
  expect(was.at(-1)).toBe('finalised')
  expect(now).toEqual(was)
})

test('compat: 0.1.0 keeps a shown order key for a second order, which invalidates the old bytes', async () => {
  const { was, now } = await withWhatItLacks('0.1.0-altered.replay.jsonl')
  const second = was.indexOf('drafted', 1)
  expect(now.slice(0, second)).toEqual(was.slice(0, second))
  expect(was.slice(0, second)).toContain('rejected')
  expect(now.slice(second, second + 4)).toEqual(['drafted', 'quoted', 'accepted', 'simulationFailed'])
})
