/** Each status of the sale's page is in a recording, so that its visits are repeated by every run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fold } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { FactRecord } from '../../src/runtime/log/record.ts'
import { knownSale } from '../../src/ui/presale/sale/saleStatus.ts'
import { saleStatuses, statusOf } from '../../src/ui/presale/sale/status.ts'
import { scriptedFolder } from './recordedVisits.ts'

/** The statuses that a visit goes through, in no order; none of one that begins with a checkpoint. */
function statusesIn(text: string): Set<string> {
  const model = emptyCoreModel()
  const found = new Set<string>()
  for (const line of text.split('\n')) {
    if (line.startsWith('{"k":"c"')) break
    if (!line.startsWith('{"k":"f"')) continue
    const fact = JSON.parse(line) as FactRecord
    fold(model as Parameters<typeof fold>[0], fact)
    const known = fact.type.startsWith('sale.') ? knownSale(model, fact.at) : undefined
    if (known?.sale) found.add(statusOf(known, known.sale))
  }
  return found
}

test('recordings: each status of the sale is in one', () => {
  const folders = [join(import.meta.dirname, 'recordings'), scriptedFolder]
  const files = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)))
  const found = new Set(
    files.filter(file => file.endsWith('.jsonl')).flatMap(file => [...statusesIn(readFileSync(file, 'utf8'))]),
  )
  expect(saleStatuses.filter(status => !found.has(status))).toEqual([])
})
