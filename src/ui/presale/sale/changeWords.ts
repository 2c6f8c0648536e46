/** A changed condition of the sale in words: its name and both values. */
import type { SaleChange } from '../../../events/sale/saleChanges.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { SaleWords } from '../saleWords.ts'

/** @returns the name and both values as a person reads them; `none` for no value */
export function changeWords(
  t: SaleWords,
  { path, before, after }: SaleChange,
): { name: string; before: string; after: string } {
  return { name: nameOf(t, path), before: valueOf(t, path, before), after: valueOf(t, path, after) }
}

function nameOf({ sale }: SaleWords, path: string): string {
  const known = own<string>(sale.conditions, path)
  const [, list, at, rest = ''] = /^(stages|assets)\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (list) return (list === 'stages' ? sale.stageNumber : sale.assetNumber)(Number(at) + 1, rest)
  return known ?? path.replaceAll('.', ': ')
}

function valueOf({ sale, figures }: SaleWords, path: string, value: string): string {
  if (value === '') return sale.none
  if (/^\d{1,39}$/.test(value)) {
    if (/(?:^start|^end|At)$/.test(path)) return figures.momentOf(Number(value) * 1000)
    if (/^stages\.\d+\.price$/.test(path)) return figures.price(value)
    if (/^(?:softCap|minOrder|maxBuyer|stages\.\d+\.credits)$/.test(path)) return figures.dollars(value)
  }
  return value
}
