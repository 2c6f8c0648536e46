/**
 * Rows of `order.restated@2`, in which an order was one record with many optional fields. The last build that wrote them folded
 * the journeys' recordings; of each phase and set of fields one row was kept, with its order's facts and the number of those
 * before it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { inSituation } from '../../../src/events/checkpoint/orderLifts.ts'
import { modelOf, snapshots } from '../../../src/events/checkpoint/snapshot.ts'
import { tableOf } from '../../../src/events/checkpoint/tables.ts'
import { decode } from '../../../src/events/log/decode.ts'
import type { RowRecord } from '../../../src/runtime/log/record.ts'
import { misfit } from '../../../src/runtime/schema/registry.ts'
import type { Order } from '../../../src/events/subjects/order/order.ts'

const rows = readFileSync(join(import.meta.dirname, 'orders2.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map(order => JSON.parse(order) as { facts: string[]; rows: { after: number; line: string }[] })
  .flatMap(order => order.rows.map(({ after, line }) => ({ facts: order.facts.slice(0, after), line })))
const orderIn = (line: string): { orderId: string; phase: string } => JSON.parse(line).data.order

/** @returns the orders of these facts, as today's fold has them */
function foldedFrom(facts: readonly string[]): Record<string, Order> {
  const model = emptyCoreModel()
  for (const line of facts) {
    const fact = decode(line)
    if (fact.k === 'f') foldCoreFact(model, fact)
  }
  return model.order
}

describe('order row of version 2', () => {
  test.each(rows.map(row => [orderIn(row.line).phase, orderIn(row.line).orderId, row] as const))(
    'in %s, of %s, is the order that its facts lead to today',
    (_phase, orderId, { facts, line }) => {
      const read = decode(line) as RowRecord
      const table = tableOf('order.restated')
      expect(read.v).toBe(table?.version)
      expect(table && misfit(table, read.data)).toBeUndefined()
      const own = JSON.parse(line) as RowRecord
      expect([snapshots.liftRow(own), own]).toEqual([true, read])
      const lifted = modelOf([read]).order
      expect(Object.keys(lifted)).toEqual([orderId])
      expect(lifted).toEqual(foldedFrom(facts))
    },
  )

  test('is there for every phase', () => {
    const phases = new Set(rows.map(({ line }) => orderIn(line).phase))
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
