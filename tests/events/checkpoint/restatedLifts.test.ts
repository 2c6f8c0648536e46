import { describe, expect, test } from 'vitest'
import type { RestatedRecord } from '../../../src/events/log/record.ts'
import { type Definitions, misfit } from '../../../src/events/schema/registry.ts'
import { restatedDefinitions } from '../../../src/events/checkpoint/restated.ts'
import { liftRestated, restatedLifts } from '../../../src/events/checkpoint/restatedLifts.ts'

describe("a device's own checkpoint", () => {
  const lifts = { 'a.restated': [({ a }: { a?: unknown }) => ({ b: a }), ({ b }: { b?: unknown }) => ({ c: b })] }
  const record = (v: number, data: Record<string, unknown>): RestatedRecord => ({ k: 'r', type: 'a.restated', v, data })

  test.each([
    ['the first shape', record(1, { a: 7 }), record(3, { c: 7 })],
    ['a shape between', record(2, { b: 7 }), record(3, { c: 7 })],
    ['today’s shape', record(3, { c: 7 }), record(3, { c: 7 })],
    ['a later shape', record(4, { d: 7 }), record(4, { d: 7 })],
    ['a type that never changed', { ...record(1, {}), type: 'constructor' }, { ...record(1, {}), type: 'constructor' }],
  ])('is read in %s', (_, written, read) => {
    expect(liftRestated(written, lifts)).toEqual(read)
  })

  test.each([
    ['balance.restated', { account: 'A', balance: { amounts: { SOL: '5' }, slot: 5, readAt: 1000 } }],
    [
      'sale.restated',
      {
        terms: { phase: 'unread' },
        notices: { termsHash: 'h', paused: false, closed: false },
        reading: { slot: 2000, chainTime: 1801353600000, balances: { SOL: '890880' }, readAt: 1801353600000 },
      },
    ],
  ])('of %s@1 says nothing of the life it was read in, so it is not judged by', (type, data) => {
    const lifted = liftRestated({ k: 'r', type, v: 1, data })
    expect(lifted).toEqual({ k: 'r', type, v: 2, data })
    expect(misfit((restatedDefinitions as Definitions)[type] as Definitions[string], lifted.data)).toBeUndefined()
  })

  test('is lifted by what the definitions say, no more and no less', () => {
    const defined = Object.entries(restatedDefinitions as Definitions).flatMap(([type, { lifts }]) =>
      lifts ? [[type, lifts]] : [],
    )
    expect(Object.fromEntries(defined)).toEqual(restatedLifts)
  })
})
