import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { refOf, storedBytes } from '../../../src/worker/drivers/bytes.ts'
import { sweepBytes, namedBytes } from '../../../src/worker/host/named.ts'
import { openLog } from '../../../src/worker/journal/storage.ts'
import { isDead, isPaid } from '../../../src/events/subjects/order/order.ts'
import { coreFact } from '../../events/facts.ts'
import { gone, sent, theOrder } from '../story.ts'

/** Values of the model's fields that refer to stored bytes. */
function refsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) =>
    ['bytesRef', 'signedRef', 'resultRef'].includes(name) ? [String(one)] : refsIn(one),
  )
}

describe('bytes named by the model', () => {
  test('are all that any fact put into it, but for those of ended orders', () => {
    const met = new Set<string>()
    fc.assert(
      fc.property(fc.array(coreFact, { maxLength: 150, size: 'max' }), facts => {
        const model = emptyCoreModel()
        for (const fact of structuredClone(facts)) foldCoreFact(model, fact)
        const refs = refsIn({
          ...model,
          order: Object.values(model.order).filter(order => !isDead(order) && !isPaid(order)),
        })
        for (const ref of refs) met.add(ref)
        expect(namedBytes(model)).toEqual(new Set(refs))
      }),
      { numRuns: 300, seed: 7 },
    )
    expect(met.size).toBeGreaterThan(1)
  })

  test('are the signed and the unsigned ones of an order until it has ended', () => {
    const world = sent()
    expect(namedBytes(world.model)).toEqual(new Set(refsIn(theOrder(world)).map(String)))
    expect(namedBytes(world.model).size).toBe(2)
    gone(world)
    expect(namedBytes(world.model).size).toBe(0)
  })

  test('outlive a sweep, and orphaned bytes do not', async () => {
    const bytes = storedBytes(await openLog('swept'))
    const [kept, orphan] = [await bytes.put(Uint8Array.of(1), 'order-1'), await bytes.put(Uint8Array.of(2), 'order-2')]
    await sweepBytes(bytes, new Set([kept, refOf(Uint8Array.of(3), 'order-3')]))
    expect([await bytes.get(kept), await bytes.get(orphan)]).toEqual([Uint8Array.of(1), undefined])
    expect(await bytes.refs()).toEqual([kept])
  })
})
