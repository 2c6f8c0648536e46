/** Claims of plans, in an export and on an account's page, against the export into `books` before the first plan. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { payoutRows } from '../../../../src/ui/presale/buy/purchases/payoutRows.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { type PaidSale, readPurchases } from './paidSale.ts'

/** A line of `refunds.json`. */
export type Refund = {
  payee: string
  asset: string
  units: string
  reason: string
  claim: string
  account: string
  signature: string
}

/** @param hash of the first plan; all refunds but those without an approval are paid */
export async function checkExportedRefunds(sale: PaidSale, hash: string): Promise<void> {
  const { out } = await sale.presale(['export', '--out', sale.inFolder('later')])
  const { refunds, apart, planned } = sale.json('later', 'refunds.json')
  const known = sale.json('books', 'refunds.json') as { refunds: Refund[]; apart: Refund[] }
  const { signature = '' } = known.apart.find(one => planned.some(({ claim }: Refund) => claim === one.claim)) ?? {}
  expect(refunds).toEqual([])
  expect(apart).toHaveLength(known.apart.length - 1)
  expect(planned.map(({ claim }: Refund) => claim).sort()).toEqual(
    [...known.refunds.map(({ claim }) => claim), known.apart.find(one => one.signature === signature)?.claim].sort(),
  )
  for (const { state, plan, payment, account } of planned)
    expect([state, /^[0-9a-f]{64}$/.test(plan), payment.length > 80, account.length > 30]).toEqual([
      'paid',
      true,
      true,
      true,
    ])
  const paid = planned.find(({ claim }: Refund) => claim === known.refunds[0]?.claim)
  expect(paid).toMatchObject({ ...known.refunds[0], state: 'paid', plan: hash })
  const lines = (name: string) => readFileSync(sale.inFolder('later', name), 'utf8').trim().split('\n')
  expect(lines('refunds.csv')).toHaveLength(1)
  expect(lines('refunds-planned.csv')).toHaveLength(planned.length + 1)
  expect(out).toMatch(/^ {2}paid +[\d.,]+ SOL$/m)
  expect(out).toMatch(/^ {2}! of no plan: \d+ outflows? of the treasury; /m)
  // A plan counts though it was announced after the last slot
  const { slot } = sale.json('books', 'refunds.json')
  expect(await sale.presale(['export', '--out', sale.inFolder('early'), '--slot', String(slot)])).toMatchObject({
    code: 0,
  })
  expect(sale.json('early', 'refunds.json')).toMatchObject({ slot, refunds: [] })
  // A repeated approval of what a plan has changes nothing
  const approve = ['--approve', `${signature}=${sale.stack.accounts.usdcFaucet.address}`]
  expect(await sale.presale(['export', '--out', sale.inFolder('later'), ...approve])).toMatchObject({ code: 0 })
}

/** Every tranche is planned. */
export async function checkExportedTokens(sale: PaidSale): Promise<void> {
  const before = sale.json('books', 'allocations.json').allocations as { planned: string }[]
  expect(new Set(before.map(({ planned }) => planned))).toEqual(new Set(['0']))
  expect(await sale.presale(['export', '--out', sale.inFolder('later')])).toMatchObject({ code: 0 })
  const { allocations } = sale.json('later', 'allocations.json')
  for (const { tokens, planned } of allocations) expect(planned).toBe(tokens)
}

/** Everything is paid: an account that gets tokens and a refund reads both. */
export async function checkOwnPage(sale: PaidSale): Promise<void> {
  const readPage = (account: string, known: string[] = []) => readPurchases(sale, account, known)
  const books = sale.json('books', 'allocations.json').allocations as { owner: string; tokens: string }[]
  const { refunds } = sale.json('books', 'refunds.json') as { refunds: Refund[] }
  const { payee = '' } = refunds.find(({ payee: one }) => books.some(({ owner }) => owner === one)) ?? {}
  const { tokens } = books.find(({ owner }) => owner === payee) ?? {}
  const read = await readPage(payee)
  const sums = new Map<string, bigint>()
  for (const { asset = 'MAI', units, tokens: delivered, status } of read.payouts ?? []) {
    expect(status).toBe('final')
    sums.set(asset, (sums.get(asset) ?? 0n) + BigInt(units ?? delivered ?? 0))
  }
  const own = refunds.filter(one => one.payee === payee)
  const expected = new Map([['MAI', BigInt(tokens ?? 0)]])
  for (const { asset, units } of own) expected.set(asset, (expected.get(asset) ?? 0n) + BigInt(units))
  expect(sums).toEqual(expected)
  const known = read.payouts?.map(({ signature }) => signature) ?? []
  expect((await readPage(payee, known)).payouts).toEqual([])
  // Each payment of a plan has its transaction, by the plan's own file beside the terms
  const { terms } = readTerms(readFileSync(sale.inFolder('sale', 'terms.json'), 'utf8'))
  const rows = payoutRows(read, terms)
  expect(rows.map(({ due, payout }) => [due !== undefined, payout !== undefined])).toEqual(
    read.payouts?.map(() => [true, true]),
  )
  expect(rows.map(({ payout }) => payout?.signature).sort()).toEqual([...known].sort())
}
