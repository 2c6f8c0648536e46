/**
 * Rows of `order.restated@2`, in which an order was one record with many optional fields. The last build that wrote them folded
 * the recordings of `tests/replay/recordings`; of each phase and set of fields one row was kept, with its log and the number of
 * facts before it.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { inSituation } from '../../../src/events/checkpoint/orderLifts.ts'
import { liftRow, modelOf } from '../../../src/events/checkpoint/snapshot.ts'
import { tableOf } from '../../../src/events/checkpoint/tables.ts'
import { decode } from '../../../src/events/log/decode.ts'
import type { RowRecord } from '../../../src/runtime/log/record.ts'
import { readRecording } from '../../../src/events/recording/readRecording.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import type { Order } from '../../../src/events/subjects/order.ts'

const recordings = join(import.meta.dirname, '../../replay/recordings')
const sha256 = async (text: string) => createHash('sha256').update(text).digest('hex')
const rows = readFileSync(join(import.meta.dirname, 'orders2.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(row => JSON.parse(row) as { log: string; facts: number; line: string })
const phaseIn = (line: string): string => JSON.parse(line).data.order.phase

/** @returns the orders after so many facts of a recording, as today's fold has them */
async function foldedTo(log: string, facts: number): Promise<Record<string, Order>> {
  const { records } = await readRecording(readFileSync(join(recordings, log), 'utf8'), sha256)
  const model = emptyCoreModel()
  for (const { record } of records.filter(({ record }) => record.k === 'f').slice(0, facts))
    if (record.k === 'f') foldCoreFact(model, record)
  return model.order
}

describe('order row of version 2', () => {
  test.each(rows.map(row => [phaseIn(row.line), row.log, row] as const))(
    'in %s, of %s, is the order that its log leads to today',
    async (_phase, _log, { log, facts, line }) => {
      const read = decode(line) as RowRecord
      const table = tableOf('order.restated')
      expect(read.v).toBe(table?.version)
      expect(table && misfit(table, read.data)).toBeUndefined()
      const own = JSON.parse(line) as RowRecord
      expect([liftRow(own), own]).toEqual([true, read])
      const lifted = modelOf([read]).order
      const now = await foldedTo(log, facts)
      for (const [orderId, order] of Object.entries(lifted)) expect(order).toEqual(now[orderId])
      expect(Object.keys(lifted)).toHaveLength(1)
    },
  )

  test('is there for every phase', () => {
    const phases = new Set(rows.map(({ line }) => phaseIn(line)))
    const all =
      'drafted quoted accepted built simulated pressAwaited awaitingSignature signed sending seen confirmed finalised'
    const ends = 'rejected simulationFailed gateRefused expired failedOnChain abandoned unknown'
    expect([...phases].sort()).toEqual(`${all} ${ends}`.split(' ').sort())
  })

  test('keeps its doubts, its alarm, its proof and its split finality, each where the situation has it', () => {
    const order = { orderId: 'o', ask: { askId: 'e1', means: 'sign' }, signature: 's', signedRef: 'b', slot: 9 }
    const lifted = (phase: string, told: object, beside = {}) =>
      inSituation({ order: { ...order, phase, ...told }, ...beside })
    expect(lifted('unknown', { mismatched: true, differences: [], failure: 'f' }, { lying: 1 })).toMatchObject({
      order: {
        alarm: { signature: 's', differences: [] },
        signed: { signature: 's', bytesRef: 'b' },
        lying: 1,
        failure: 'f',
      },
    })
    expect(lifted('rejected', { proved: true, providers: 2 }, { silent: ['h'] })).toMatchObject({
      order: { proof: { providers: 2 }, silent: ['h'] },
    })
    // Earlier builds asked one endpoint
    expect(lifted('expired', {})).toMatchObject({ order: { proof: { providers: 1 } } })
    expect(lifted('finalised', { failure: 'f' }, { finalBy: 1 })).toEqual({
      order: {
        phase: 'finalised',
        orderId: 'o',
        ask: order.ask,
        signed: { signature: 's', bytesRef: 'b' },
        slot: 9,
        finalBy: 1,
      },
    })
  })
})
