/** A changed condition of the sale in words: its name and both values. */
import type { SaleChange } from '../../../events/sale/saleChanges.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { formatAmount } from '../../../events/values/amount.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { SaleWords } from '../saleWords.ts'

/**
 * @param known the terms before the change, whose units the first value has
 * @param now the terms after it
 * @returns the name and both values as a person reads them; `none` for no value
 */
export function changeWords(
  t: SaleWords,
  { path, before, after }: SaleChange,
  known: Terms,
  now: Terms,
): { name: string; before: string; after: string } {
  return { name: nameOf(t, path), before: valueOf(t, path, before, known), after: valueOf(t, path, after, now) }
}

function nameOf({ sale }: SaleWords, path: string): string {
  const [, list, at, field] = /^(stages|assets)\.(\d+)\.(\w+)$/.exec(path) ?? []
  const [, symbol] = /^refund\.minUnits\.(\w+)$/.exec(path) ?? []
  if (symbol !== undefined) return sale.leastRefund(symbol)
  const name = own<string>(sale.conditions, list ? `${list}.${field}` : path) ?? path
  return list ? (list === 'stages' ? sale.stageNumber : sale.assetNumber)(Number(at) + 1, name) : name
}

const spans = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
] as const

function valueOf({ sale, figures }: SaleWords, path: string, value: string, terms: Terms): string {
  if (value === '') return sale.none
  if (/^(?:unsold|access\.mode|assets\.\d+\.kind)$/.test(path)) return own<string>(sale.choices, value) ?? value
  if (!/^\d{1,39}$/.test(value)) return value
  if (/(?:^start|^end|At$)/.test(path)) return figures.momentOf(Number(value) * 1000)
  if (/^stages\.\d+\.price$/.test(path)) return figures.price(value)
  if (/^(?:softCap|minOrder|maxBuyer|stages\.\d+\.credits)$/.test(path)) return figures.dollars(value)
  if (/bps$/i.test(path)) return figures.percent(formatAmount(value, 4, { group: false }))
  if (path === 'referral.pool') return figures.paid(value, terms.token)
  if (path.endsWith('Seconds')) {
    const seconds = Number(value)
    const [unit, size] = spans.find(([, one]) => seconds > 0 && seconds % one === 0) ?? (['seconds', 1] as const)
    return sale[unit](seconds / size)
  }
  const asset = terms.assets.find(({ symbol }) => path === `refund.minUnits.${symbol}`)
  return asset ? figures.paid(value, asset) : value
}
