/** The way out for a recipient who cannot receive, by the command: leave out, plan again, pay once. */
import { readFileSync, renameSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBase58 } from '../../../stack/solana/bytes.ts'
import { associatedAccount } from '../../../stack/solana/programs.ts'
import { payoutRows } from '../../../../src/ui/presale/buy/purchases/payoutRows.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import { jsonOf, openPaidSale, type PaidSale, readPurchases } from './paidSale.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('left out', 'closed')
})
afterAll(() => sale.close())

const planning = (...more: string[]) =>
  sale.presale([
    'plan',
    '--kind',
    'tokens',
    '--tranche',
    '0',
    '--reserve',
    sale.stack.accounts.reserveTokens,
    ...sale.key('authority'),
    '--json',
    ...more,
  ])
const distribute = (...more: string[]) => sale.presale(['distribute', ...sale.key('reserve'), ...more])
const batchesOf = (plan: string) =>
  JSON.parse(readFileSync(plan, 'utf8')).batches as { rows: { owner: string; to: string; units: string }[] }[]

/** An account of the sale's token at this address, of this owner. */
function place(to: string, owner: string): void {
  const { chain, accounts } = sale.stack
  const account = chain.accounts.now(accounts.reserveTokens)
  if (!account) throw new Error('expected the reserve')
  const data = Uint8Array.from(account.data)
  data.set(fromBase58(owner) ?? [], 32)
  data.fill(0, 64, 72)
  chain.accounts.place(to, { ...account, data })
  chain.advance(33)
}

/** An owner's payouts as its page lists them. */
async function onPage(owner: string) {
  const read = await readPurchases(sale, owner)
  return payoutRows(read, exampleTerms()).map(({ tokens, payout }) => ({ tokens, isPaid: payout !== undefined }))
}

test('its batch is paid without it, another plan pays it when its account can receive, and each is paid once', async () => {
  const { chain, info } = sale.stack
  const first = await jsonOf(planning())
  chain.setTime(chain.blocks.tip().time + 40 * 86_400)
  chain.advance(40)
  const rows = batchesOf(first.plan).flatMap(batch => batch.rows)
  const [, , { owner, to, units } = { owner: '', to: '', units: '' }] = rows
  place(to, info.authority)

  const dry = await jsonOf(distribute('--dry-run', '--leave-out', '--json'))
  expect(dry).toMatchObject({ code: 0, failing: [], shorter: [{ batch: 0, leftOut: 1 }] })
  expect(await jsonOf(distribute('--json'))).toMatchObject({ code: 1, unpaid: [{ batch: 0 }], leftOut: [] })
  const paid = await jsonOf(distribute('--leave-out', '--json'))
  expect(paid).toMatchObject({ code: 0, unpaid: [], leftOut: [{ batch: 0, owner, account: to, units }] })
  expect((await distribute()).out).toContain(`batch 0 left out ${to}, which cannot receive: "plan --left-out"`)
  const status = async () => jsonOf(sale.presale(['status', '--json']))
  const recipients = { paid: rows.length - 1, all: rows.length }
  const payouts = [{ batches: { paid: first.batches, all: first.batches }, recipients, left: { MAI: units } }]
  expect(await status()).toMatchObject({ payouts })
  // The chain alone tells the same
  renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('aside.jsonl'))
  expect(await status()).toMatchObject({ payouts, outflows: { ofPlans: first.batches } })

  // Its claim is its plan's until somebody asks for what was left out, and apart while its account cannot receive
  expect(await jsonOf(planning())).toMatchObject({ plan: null, payments: 0, apart: [] })
  expect(await jsonOf(planning('--left-out'))).toMatchObject({
    plan: null,
    apart: [{ owner, units, why: 'unpayable' }],
  })
  place(to, owner)
  const second = await jsonOf(planning('--left-out'))
  expect(second).toMatchObject({ code: 0, payments: 1, units: { MAI: units } })
  expect(await onPage(owner)).toEqual([{ tokens: units, isPaid: false }])
  expect(await jsonOf(distribute('--json'))).toMatchObject({ code: 0, plan: second.hash, paid: 1 })
  expect(await jsonOf(planning('--left-out'))).toMatchObject({ plan: null, payments: 0 })
  expect(await jsonOf(distribute('--plan', first.plan, '--json'))).toMatchObject({ code: 0, sent: { lamports: '0' } })
  for (const row of rows) expect([row.owner, sale.held(row.to)]).toEqual([row.owner, BigInt(row.units)])
  expect(sale.held(associatedAccount(owner, info.saleMint))).toBe(BigInt(units))

  expect((await status()).payouts[1]).toMatchObject({ recipients: { paid: 1, all: 1 }, left: {} })
  expect(await onPage(owner)).toEqual([{ tokens: units, isPaid: true }])
  const { payments } = await jsonOf(sale.presale(['prove', owner, '--json']))
  const paidIn = (payments as { plan: string; signature: string | null }[]).map(one => [
    one.plan,
    one.signature !== null,
  ])
  expect(paidIn).toEqual([
    [first.hash, false],
    [second.hash, true],
  ])
})

test('no key is in any output or file', () => {
  expect(sale.leaks()).toEqual([])
})
