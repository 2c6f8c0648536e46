import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyCoreModel, foldCoreFact } from '../../../src/events/app.ts'
import { lineOf } from '../../../src/events/log/lineOf.ts'
import { recordOf, restating } from '../../../src/events/checkpoint/restate.ts'
import { rowsNamedBy } from '../../../src/events/checkpoint/rows.ts'
import { coreFact } from '../facts.ts'

test('a fact changes no row but those it names, whatever happened before', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(coreFact, { maxLength: 150, size: 'max' }), facts => {
      const model = emptyCoreModel()
      const rows = () => new Map(Array.from(restating(model), one => [one.row ?? '', lineOf(recordOf(one))] as const))
      let before = rows()
      for (const fact of structuredClone(facts)) {
        foldCoreFact(model, fact)
        const after = rows()
        const named = rowsNamedBy(fact)
        for (const [row, line] of after) {
          if (row === '' || !before.has(row) || before.get(row) === line) continue
          seen.add(row.slice(0, row.indexOf(' ')))
          expect(named).toContain(row)
        }
        before = after
      }
    }),
    { numRuns: 300, seed: 5 },
  )
  // Of each kind some were changed
  expect([...seen].sort()).toEqual(['auth', 'balance', 'connection', 'order', 'purchase', 'request', 'session'])
})
