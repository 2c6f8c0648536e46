/** A changed condition of the sale in words: its name and both values. */
import type { SaleChange } from '../../../events/sale/saleChanges.ts'
import { dollars, momentOf, price } from './figures.ts'

const names: { readonly [path: string]: string } = {
  authority: 'Authority',
  treasury: 'Treasury, where payments go',
  start: 'Start',
  end: 'End',
  version: 'Version of the terms',
  softCap: 'Soft cap',
  minOrder: 'Smallest order',
  maxBuyer: 'Most per wallet',
  unsold: 'Unsold tokens',
  'token.mint': 'Token mint',
  'token.symbol': 'Token',
  'token.decimals': 'Decimals of the token',
  'refund.withinDays': 'Days to pay back',
  'vesting.tgeAt': 'First delivery',
}

/** @returns the name and both values as a person reads them; `none` for no value */
export function changeWords({ path, before, after }: SaleChange): { name: string; before: string; after: string } {
  return { name: nameOf(path), before: valueOf(path, before), after: valueOf(path, after) }
}

function nameOf(path: string): string {
  const known = Object.hasOwn(names, path) ? names[path] : undefined
  const [, list, at, rest = ''] = /^(stages|assets)\.(\d+)\.(\w+)$/.exec(path) ?? []
  if (list) return `${list === 'stages' ? 'Stage' : 'Asset'} ${Number(at) + 1}: ${rest}`
  return known ?? path.replaceAll('.', ': ')
}

function valueOf(path: string, value: string): string {
  if (value === '') return 'none'
  if (/^\d{1,39}$/.test(value)) {
    if (/(?:^start|^end|At)$/.test(path)) return momentOf(Number(value) * 1000)
    if (/^stages\.\d+\.price$/.test(path)) return price(value)
    if (/^(?:softCap|minOrder|maxBuyer|stages\.\d+\.credits)$/.test(path)) return dollars(value)
  }
  return value
}
