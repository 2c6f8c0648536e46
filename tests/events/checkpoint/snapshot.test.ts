import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CoreModel } from '../../../src/events/app.ts'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { decode } from '../../../src/events/log/decode.ts'
import { modelOf, snapshots } from '../../../src/events/checkpoint/snapshot.ts'
import { lineOf } from '../../../src/events/log/lineOf.ts'
import type { RowRecord } from '../../../src/runtime/log/record.ts'
import { type AnyFact, coreFact } from '../facts.ts'

const folded = (facts: readonly AnyFact[]): CoreModel => {
  const model = emptyCoreModel()
  for (const fact of structuredClone(facts)) foldCoreFact(model, fact)
  return model
}
/** Writes a model into a checkpoint and reads it back, with every line validated. */
const restored = (model: CoreModel) => modelOf(snapshots.snapshot(model).map(fact => decode(lineOf(fact)) as RowRecord))

const entitiesOf = ({ connection, pairing, session, request, outbox, balance, order, purchase, service }: CoreModel) =>
  [connection.made, pairing.open, session, request, outbox, balance, order, purchase, service].map(Object.keys)

const logs = fc.array(coreFact, { maxLength: 150, size: 'max' })

describe('a snapshot', () => {
  test('folded from nothing is the same model, after any facts', () => {
    fc.assert(
      fc.property(logs, facts => {
        const model = folded(facts)
        const again = restored(model)
        expect(again).toEqual(model)
        // Entities keep their order
        expect(entitiesOf(again)).toEqual(entitiesOf(model))
      }),
      { numRuns: 150, seed: 1 },
    )
  })

  test('continues as the model itself does', () => {
    fc.assert(
      fc.property(logs, logs, (before, after) => {
        const model = folded(before)
        const again = restored(model)
        for (const fact of structuredClone(after)) {
          foldCoreFact(model, structuredClone(fact))
          foldCoreFact(again, fact)
        }
        expect(again).toEqual(model)
      }),
      { numRuns: 150, seed: 2 },
    )
  })

  test('has one hash, and another model has another hash', () => {
    fc.assert(
      fc.property(logs, coreFact, (facts, one) => {
        const model = folded(facts)
        const before = JSON.stringify(model)
        expect(snapshots.stateHash(restored(model))).toBe(snapshots.stateHash(model))
        expect(JSON.stringify(model)).toBe(before)
        const more = folded([...facts, one])
        expect(snapshots.stateHash(more) === snapshots.stateHash(model)).toBe(
          JSON.stringify(restored(more)) === JSON.stringify(restored(model)),
        )
      }),
      { numRuns: 150, seed: 3 },
    )
  })

  test('of a whole directory of wallets has at most 40 wallets on each line', () => {
    const wallet = (number: number) => ({ walletId: `w${number}`, name: `Wallet ${number}`, certified: true })
    const wallets = Array.from({ length: 480 }, (_, number) => wallet(number))
    const read = { type: 'listing.read', at: 1, data: { page: 1, search: '', count: 480, wallets } }
    const model = folded([read, { type: 'listing.featuredRead', at: 2, data: { wallets: wallets.slice(0, 3) } }])
    const lines = snapshots.snapshot(model).filter(fact => fact.type === 'listing.walletsRestated')
    expect(lines.map(({ data }) => [data.lane, (data.wallets as unknown[]).length])).toEqual([
      ...Array.from({ length: 12 }, () => ['all', 40]),
      ['featured', 3],
    ])
    expect(restored(model)).toEqual(model)
  })
})
