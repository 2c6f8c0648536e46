import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CoreModel } from '../../../src/events/app.ts'
import { subjectOf } from '../../../src/runtime/log/subjectOf.ts'
import { describe, expect, test } from 'vitest'
import { modelOf, snapshots } from '../../../src/events/checkpoint/snapshot.ts'
import { snapshotTables, tableOf } from '../../../src/events/checkpoint/tables.ts'
import { decode } from '../../../src/events/log/decode.ts'
import { lineOf } from '../../../src/events/log/lineOf.ts'
import type { RowRecord } from '../../../src/runtime/log/record.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'

describe('row on this device', () => {
  const row = (type: string, v: number, data: Record<string, unknown>): RowRecord => ({ k: 'r', type, v, data })

  test.each([
    ['the first version', row('relay.restated', 1, { relay: { phase: 'connecting', attempt: 2 } })],
    ["today's version", row('relay.restated', 2, { relay: { phase: 'connecting', attempt: 2, url: '' } })],
  ])('of %s is lifted to the newest version', (_, written) => {
    expect(snapshots.liftRow(written)).toBe(true)
    expect(written).toEqual(row('relay.restated', 2, { relay: { phase: 'connecting', attempt: 2, url: '' } }))
  })

  test.each([
    ['a later version', 'relay.restated', 3],
    ['an unknown type', 'weather.restated', 1],
    ['a type named like a property of every object', 'constructor', 1],
  ])('of %s stays unchanged and belongs to a newer build', (_, type, v) => {
    const written = row(type, v, { d: 7 })
    expect(snapshots.liftRow(written)).toBe(false)
    expect(written).toEqual(row(type, v, { d: 7 }))
  })

  test.each([
    ['balance.restated', 3, { account: 'A', balance: { amounts: { SOL: '5' }, slot: 5, readAt: 1000 } }],
    [
      'sale.restated',
      3,
      {
        terms: { phase: 'unread' },
        notices: { termsHash: 'h', paused: false, closed: false },
        reading: { slot: 2000, chainTime: 1801353600000, balances: { SOL: '890880' }, readAt: 1801353600000 },
      },
    ],
  ])('of %s@1 has no life, so its reading decides nothing', (type, newest, data) => {
    const written = row(type, 1, data)
    snapshots.liftRow(written)
    expect(written).toEqual(row(type, newest, data))
    const table = tableOf(type)
    expect(table && misfit(table, written.data)).toBeUndefined()
  })
})

/** Subjects that are younger, as a model without their rows has them. */
const since: Partial<CoreModel> = { service: {}, project: { phase: 'unread' } }
/** The subjects since then, those without a state at first among them. */
const newSubjects = new Set([...Object.keys(since), 'analytics', 'invoice', 'ledger'])

describe('rows of checkpoint format 1', () => {
  // Written by the last build without a format number, from models of arbitrary facts
  const samples = readFileSync(join(import.meta.dirname, 'format1.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { rows: string[]; model: unknown })

  test('are of every table of that time', () => {
    const types = samples.flatMap(({ rows }) => rows.map(row => JSON.parse(row).type))
    const those = Object.keys(snapshotTables).filter(type => !newSubjects.has(subjectOf(type)))
    expect(new Set(types)).toEqual(new Set(those))
  })

  test.each(samples.map((sample, index) => [index + 1, sample] as const))('restore the model: %s', (_, sample) => {
    const rows = sample.rows.map(row => decode(row) as RowRecord)
    const lifted = rows.map(lineOf)
    const model = modelOf(rows)
    expect(snapshots.snapshot(model).map(lineOf)).toEqual(lifted)
    // A lift may drop what a state no longer has, and adds nothing
    expect({ ...since, ...(sample.model as object) }).toMatchObject(model)
  })
})
