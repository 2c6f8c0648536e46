import { expect, test } from 'vitest'
import { foldCoreFact } from '../../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { accountsKept, storeReading } from '../../../src/events/values/accountTable.ts'

test('account table: the account read longest ago is evicted, never the newest', () => {
  const names = Array.from({ length: accountsKept - 1 }, (_, index) => `account ${index}`)
  const table = Object.fromEntries(names.map(name => [name, { readAt: 5 }]))
  Object.assign(table, { old: { readAt: 4 } })
  storeReading(table, 'newest', { readAt: 0 })
  expect(Object.keys(table)).toEqual([...names, 'newest'])
})

test('account table: storing a known account touches no other', () => {
  const touched: string[] = []
  const names = ['known', 'another']
  const table = Object.fromEntries(names.map(name => [name, { readAt: 5 }]))
  const watched = new Proxy(table, {
    get(target, name: string) {
      touched.push(name)
      return target[name]
    },
    ownKeys(target) {
      touched.push('every key')
      return Reflect.ownKeys(target)
    },
  })
  storeReading(watched, 'known', { readAt: 6 })
  expect(touched).toEqual([])
  expect(table.known).toEqual({ readAt: 6 })
})

const failure = { code: 'unreachable', message: 'no' }
const purchases: unknown[] = []
test.each<[string, (account: string) => { type: string; data: unknown }]>([
  ['balance', account => ({ type: 'balance.read', data: { account, slot: 1, amounts: {} } })],
  ['balance', account => ({ type: 'balance.failed', data: { account, failure } })],
  ['purchase', account => ({ type: 'purchase.read', data: { account, purchases } })],
  ['purchase', account => ({ type: 'purchase.failed', data: { account, failure } })],
  ['access', account => ({ type: 'sale.accessRead', data: { account, allowed: true } })],
  ['access', account => ({ type: 'sale.accessFailed', data: { account, failure } })],
])('account table: readings are bounded: %s, %o', (subject, factOf) => {
  const model = emptyCoreModel()
  for (let index = 0; index < 2 * accountsKept; index += 1)
    foldCoreFact(model, { at: 1000 + index, ...factOf(`account ${index}`) })
  const { balance, purchase, sale } = model
  const table = { balance, purchase, access: sale.access ?? {} }[subject] ?? {}
  expect(Object.keys(table)).toHaveLength(accountsKept)
  expect(Object.keys(table)).toContain(`account ${2 * accountsKept - 1}`)
})
