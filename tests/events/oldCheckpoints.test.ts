/**
 * Lines that builds before version 2 of these types wrote into checkpoints, lifted to today's shapes.
 * Their origin: the code of a commit re-executed recorded logs, each strictly identical, and wrote a checkpoint after
 * every input; the files hold one line of each kind of `sale.restated` and `order.restated`, with its log and input.
 * `0.1.0` is the last commit before the release's recordings were filed (1b4b9c6), over the logs in
 * `tests/replay/releases`; `5476d8b` is the last one that re-executes its own recordings before version 2, over those.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CoreModel } from '../../src/events/app.ts'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { decode } from '../../src/events/log/decode.ts'
import { lineOf } from '../../src/events/log/lineOf.ts'
import type { RowRecord } from '../../src/runtime/log/record.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { type Definitions, misfit } from '../../src/runtime/schema/registry.ts'
import { modelOf, snapshots } from '../../src/events/checkpoint/snapshot.ts'
import { snapshotTables } from '../../src/events/checkpoint/tables.ts'
import { isOfThisLife } from '../../src/events/subjects/sale/sale.ts'

const folder = join(import.meta.dirname, 'oldCheckpoints')
const releases = join(import.meta.dirname, '../replay/releases')
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const types = ['sale.restated', 'order.restated'] as const

type Old = { log: string; n: number; line: string; type: (typeof types)[number]; v: number; data: Record<string, any> }
const rowsOf = (file: string): Old[] =>
  readFileSync(join(folder, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map(row => {
      const { log, n, line } = JSON.parse(row)
      const { type, v, data } = JSON.parse(line)
      return { log, n, line, type, v, data }
    })
const files = readdirSync(folder)
const all = files.flatMap(rowsOf)
const lifted = ({ line }: Old) => decode(line) as RowRecord
const worldAt = (old: Old): CoreModel => modelOf([lifted(old)])

test('old checkpoints: the lines are of version 1, of both types, and of most ends of an order', () => {
  expect(new Set(all.map(({ v }) => v))).toEqual(new Set([1]))
  expect(new Set(all.map(({ type }) => type))).toEqual(new Set(types))
  const phases = new Set(all.flatMap(({ data }) => data.order?.phase ?? []))
  for (const phase of ['accounted', 'expired', 'failedOnChain', 'finalised', 'gateRefused', 'rejected', 'unknown'])
    expect(phases).toContain(phase)
})

describe.each(files)('a line of %s', file => {
  const rows = rowsOf(file).map(row => [`${row.log}, input ${row.n}, ${row.type}`, row] as const)

  test.each(rows)('%s is read in the newest version, from a recording and from the disk alike', (_name, old) => {
    const read = lifted(old)
    const definition = (snapshotTables as Definitions)[old.type]
    expect(read.v).toBe(definition?.version)
    expect(definition && misfit(definition, read.data)).toBeUndefined()
    const own: RowRecord = { k: 'r', type: old.type, v: old.v, data: old.data }
    expect([snapshots.liftRow(own), own]).toEqual([true, read])
  })

  test.each(rows)('%s equals the row of today’s snapshot', (_name, old) => {
    const again = snapshots.snapshot(worldAt(old)).filter(({ type }) => type === old.type)
    expect(again.map(lineOf)).toEqual([lineOf(lifted(old))])
  })

  test.each(rows)('%s has no fields of later builds', (_name, old) => {
    const { sale, order } = worldAt(old)
    for (const life of [0, 1, 2]) expect(isOfThisLife(sale.reading, { life })).toBe(false)
    expect(sale.pins).toEqual({})
    for (const one of Object.values(order)) {
      expect(one).not.toHaveProperty('providers')
      expect(one).not.toHaveProperty('lying')
      expect(one).not.toHaveProperty('mismatched')
    }
  })
})

/** Today's fold of a release's log up to an input. */
async function foldedTo(log: string, n: number): Promise<CoreModel> {
  const { records } = await readRecording(readFileSync(join(releases, log), 'utf8'), sha256)
  const model = emptyCoreModel()
  for (const { record } of records) if (record.k === 'f' && record.n <= n) foldCoreFact(model, record)
  return model
}

/** The sale without the fields that such a checkpoint lacks: the lives of readings and the time of the notices. */
function known({ terms, notices, reading, stale, distrust }: CoreModel['sale']): unknown {
  const read = { ...terms, noticeRef: '' }
  return { read, said: { ...notices, readAt: 0, life: 0 }, seen: { ...reading, life: 0 }, stale, distrust }
}

describe('a checkpoint of 0.1.0', () => {
  const rows = rowsOf('0.1.0.jsonl').map(row => [`${row.log}, input ${row.n}, ${row.type}`, row] as const)

  test.each(rows)('folds to the same model as its log: %s', async (_name, old) => {
    const [then, now] = [worldAt(old), await foldedTo(old.log, old.n)]
    if (old.type === 'sale.restated') expect(known(then.sale)).toEqual(known(now.sale))
    for (const [orderId, order] of Object.entries(then.order)) expect(order).toEqual(now.order[orderId])
  })

  test('drops the altered values that stood in a failure', () => {
    const altered = all.filter(({ data }) => data.order?.failure?.facts !== undefined)
    expect(altered.map(({ data }) => data.order.failure.code)).toContain('wallet_changed_tx')
    for (const old of altered) expect(JSON.stringify(lifted(old).data)).not.toContain('→')
  })
})
