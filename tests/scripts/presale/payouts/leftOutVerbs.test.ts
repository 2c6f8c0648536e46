/** The way out for a recipient who cannot receive, by the command: leave out, plan again, pay once. */
import { readFileSync, renameSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBase58 } from '../../../stack/solana/bytes.ts'
import type { Plan } from '../../../../src/worker/services/planFile.ts'
import { tokenRent } from '../../../../scripts/presale/payouts/limits.ts'
import { associatedAccount, SYSTEM } from '../../../stack/solana/programs.ts'
import { payoutRows } from '../../../../src/ui/presale/buy/purchases/payoutRows.ts'
import { exampleTerms } from '../../../events/values/exampleTerms.ts'
import { jsonOf, openPaidSale, type PaidSale, readPurchases } from './paidSale.ts'

let sale: PaidSale
beforeAll(async () => {
  sale = await openPaidSale('left out', 'closed')
})
afterAll(() => sale.close())

const planning = (tranche: number, ...more: string[]) =>
  sale.presale([
    'plan',
    '--kind',
    'tokens',
    '--tranche',
    String(tranche),
    '--reserve',
    sale.stack.accounts.reserveTokens,
    ...sale.key('authority'),
    '--json',
    ...more,
  ])
const distribute = (...more: string[]) => sale.presale(['distribute', ...sale.key('reserve'), ...more])
const batchesOf = (plan: string) =>
  JSON.parse(readFileSync(plan, 'utf8')).batches as { rows: { owner: string; to: string; units: string }[] }[]

/** An account of the sale's token at this address, of this owner. `state`: 2 is frozen. */
function place(to: string, owner: string, state = 1): void {
  const { chain, accounts } = sale.stack
  const account = chain.accounts.now(accounts.reserveTokens)
  if (!account) throw new Error('expected the reserve')
  const data = Uint8Array.from(account.data)
  data.set(fromBase58(owner) ?? [], 32)
  data.fill(0, 64, 72)
  data[108] = state
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
  const first = await jsonOf(planning(0))
  const nothing = await planning(0, '--left-out')
  expect([nothing.code, nothing.err]).toEqual([0, expect.not.stringContaining('warning')])
  expect(JSON.parse(nothing.out)).toMatchObject({ plan: null, hash: null, payments: 0, newest: { hash: first.hash } })
  chain.setTime(chain.blocks.tip().time + 40 * 86_400)
  chain.advance(40)
  const rows = batchesOf(first.plan).flatMap(batch => batch.rows)
  const [, , { owner, to, units } = { owner: '', to: '', units: '' }] = rows
  place(to, info.authority)

  const dry = await jsonOf(distribute('--dry-run', '--leave-out', '--json'))
  expect(dry).toMatchObject({ code: 0, failing: [], shorter: [{ batch: 0, leftOut: 1 }] })
  // The account of the one that is left out is neither made nor filled
  const whole = await jsonOf(distribute('--dry-run', '--json'))
  expect(BigInt(whole.cost) - BigInt(dry.cost)).toBe(tokenRent)
  expect(await jsonOf(distribute('--json'))).toMatchObject({ code: 1, unpaid: [{ batch: 0 }], leftOut: [] })
  const paid = await jsonOf(distribute('--leave-out', '--json'))
  expect(paid).toMatchObject({ code: 0, unpaid: [], leftOut: [{ batch: 0, owner, account: to, units }] })
  expect((await distribute()).out).toContain(`batch 0 left out ${to}, which could not receive: "plan --left-out"`)
  const status = async () => jsonOf(sale.presale(['status', '--json']))
  const recipients = { paid: rows.length - 1, all: rows.length }
  const payouts = [{ batches: { paid: first.batches, all: first.batches }, recipients, leftOut: { MAI: units } }]
  expect(await status()).toMatchObject({ payouts })
  expect((await status()).payouts[0].left).toEqual({})
  expect((await sale.presale(['status'])).out).toContain(
    `${first.hash.slice(0, 16)} left out, for "plan --left-out" or`,
  )
  // The chain alone tells the same
  renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('aside.jsonl'))
  expect(await status()).toMatchObject({ payouts, outflows: { ofPlans: first.batches } })

  // Its claim is its plan's until somebody asks for what was left out, and apart while its account cannot receive
  expect(await jsonOf(planning(0))).toMatchObject({ plan: null, payments: 0, apart: [] })
  expect(await jsonOf(planning(0, '--left-out'))).toMatchObject({
    plan: null,
    apart: [{ owner, units, why: 'unpayable' }],
  })
  place(to, owner)
  const proved = async () => (await sale.presale(['prove', owner])).out
  expect(await proved()).toMatch(/left out by \w{80,90}; a later plan pays it$/m)
  const alone = 'warning: one node alone says what earlier payments left out'
  expect((await planning(0, '--left-out', '--dry-run')).err).toContain(alone)
  expect((await planning(0, '--dry-run')).err).not.toContain(alone)
  const second = await jsonOf(planning(0, '--left-out'))
  expect((await distribute('--dry-run')).err).toContain(alone)
  const toldOf = async () => (await distribute('--plan', first.plan)).out
  expect(await toldOf()).toContain(`  ! batch 0 left out ${to}: plan ${second.hash} has its payment\n`)
  expect(second).toMatchObject({ code: 0, payments: 1, units: { MAI: units } })
  expect(await onPage(owner)).toEqual([{ tokens: units, isPaid: false }])
  expect(await jsonOf(distribute('--json'))).toMatchObject({ code: 0, plan: second.hash, paid: 1 })
  expect(await jsonOf(planning(0, '--left-out'))).toMatchObject({ plan: null, payments: 0 })
  expect(await jsonOf(distribute('--plan', first.plan, '--json'))).toMatchObject({ code: 0, sent: { lamports: '0' } })
  for (const row of rows) expect([row.owner, sale.held(row.to)]).toEqual([row.owner, BigInt(row.units)])
  expect(sale.held(associatedAccount(owner, info.saleMint))).toBe(BigInt(units))

  const [before, after] = (await status()).payouts
  expect(before).toMatchObject({ recipients, paidByOthers: { MAI: units } })
  expect(after).toMatchObject({ recipients: { paid: 1, all: 1 } })
  expect([before.left, before.leftOut, after.left]).toEqual([{}, undefined, {}])
  expect((await sale.presale(['status'])).out).toContain(
    `${first.hash.slice(0, 16)} has claims that other plans paid: `,
  )
  expect(await onPage(owner)).toEqual([{ tokens: units, isPaid: true }])
  // Its tokens are in two plans, and count once
  expect(await sale.presale(['export', '--out', sale.inFolder('books')])).toMatchObject({ code: 0 })
  const { allocations } = sale.json('books', 'allocations.json')
  expect(allocations).toContainEqual(expect.objectContaining({ owner, planned: units }))
  const { payments } = await jsonOf(sale.presale(['prove', owner, '--json']))
  expect(await proved()).toContain(`; plan ${second.hash} paid it, ${payments[1].signature}\n`)
  expect(payments[0].leftOut.paid).toEqual({ plan: second.hash, signature: payments[1].signature })
  expect(await toldOf()).toContain(`  batch 0 left out ${to}: plan ${second.hash} paid it, ${payments[1].signature}\n`)
  const paidIn = (payments as { plan: string; signature: string | null }[]).map(one => [
    one.plan,
    one.signature !== null,
  ])
  expect(paidIn).toEqual([
    [first.hash, false],
    [second.hash, true],
  ])
})

test('batches of which no account can receive are paid with nothing, and another plan pays all of them, once', async () => {
  const first = await jsonOf(planning(1))
  const { chain } = sale.stack
  chain.setTime(chain.blocks.tip().time + 400 * 86_400)
  chain.advance(40)
  const rows = batchesOf(first.plan).flatMap(batch => batch.rows)
  for (const { to, owner } of rows) place(to, owner, 2)
  const dry = await jsonOf(distribute('--dry-run', '--leave-out', '--json'))
  expect(dry).toMatchObject({ code: 0, failing: [] })
  expect(dry.shorter).toHaveLength(first.batches)
  const given = await jsonOf(distribute('--leave-out', '--json'))
  expect(given).toMatchObject({ code: 0, unpaid: [], sent: { units: { MAI: '0' } } })
  expect(given.leftOut).toHaveLength(rows.length)
  // The chain alone tells it
  renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('aside again.jsonl'))
  const { payouts } = await jsonOf(sale.presale(['status', '--json']))
  const told = payouts.find(({ plan }: { plan: string }) => plan === first.hash)
  expect(told).toMatchObject({ batches: { paid: first.batches }, recipients: { paid: 0 }, leftOut: first.units })
  expect(told.left).toEqual({})
  for (const { to, owner } of rows) place(to, owner)
  const second = await jsonOf(planning(1, '--left-out'))
  expect(second).toMatchObject({ code: 0, payments: rows.length, units: first.units })
  expect(await jsonOf(distribute('--json'))).toMatchObject({ code: 0, plan: second.hash, unpaid: [] })
  expect(await jsonOf(planning(1, '--left-out'))).toMatchObject({ plan: null, payments: 0 })
  expect(rows.map(({ to }) => sale.held(to))).toEqual(rows.map(({ units }) => BigInt(units)))
})

test('a refund of which no account can receive is told by the chain alone, and paid by another plan', async () => {
  const { accounts } = sale.stack.chain
  const refund = (...more: string[]) => sale.presale(['refund', ...sale.key('treasury'), '--json', ...more])
  const planned = (...more: string[]) =>
    sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority'), '--json', ...more])
  const notices = async () => (await jsonOf(sale.presale(['status', '--json']))).notices.length
  const before = await notices()
  expect(await jsonOf(planned('--left-out'))).toMatchObject({
    code: 0,
    plan: null,
    hash: null,
    payments: 0,
    newest: null,
  })
  const refunds = ['plan', '--kind', 'refunds', '--left-out', ...sale.key('authority')]
  expect((await sale.presale(refunds)).out).toBe('no plan for refunds left anything out: no plan is made\n')
  expect(await notices()).toBe(before)
  const first = await jsonOf(planned())
  const { batches, assets } = JSON.parse(readFileSync(first.plan, 'utf8')) as Plan
  const at = batches.findIndex(({ asset }) => assets[asset]?.mint !== undefined)
  const { asset, rows } = batches[at] ?? { asset: '', rows: [] }
  const accountsBefore = rows.map(({ to }) => accounts.now(to))
  const usual = accounts.now(assets[asset]?.source ?? '')
  if (!usual) throw new Error('expected the account of the treasury')
  for (const { to, owner } of rows) {
    const data = Uint8Array.from(usual.data)
    data.set(fromBase58(owner) ?? [], 32)
    data[108] = 2
    accounts.place(to, { ...usual, data })
  }
  sale.stack.chain.advance(33)
  const units = rows.reduce((sum, row) => sum + BigInt(row.units), 0n).toString()
  expect(await jsonOf(refund('--leave-out'))).toMatchObject({ code: 0, unpaid: [], paid: batches.length })
  renameSync(`${sale.state}/journal.jsonl`, sale.inFolder('aside a third time.jsonl'))
  const { payouts } = await jsonOf(sale.presale(['status', '--json']))
  const told = payouts.find(({ plan }: { plan: string }) => plan === first.hash)
  expect([told.batches.paid, told.left, told.leftOut]).toEqual([batches.length, {}, { [asset]: units }])
  for (const [place, { to }] of rows.entries()) {
    const account = accountsBefore[place]
    if (account) accounts.place(to, account)
    else accounts.place(to, { ...usual, data: new Uint8Array(), owner: SYSTEM, lamports: 0n })
  }
  sale.stack.chain.advance(33)
  const held = rows.map(({ to }) => sale.held(to))
  const second = await jsonOf(planned('--left-out'))
  expect(second).toMatchObject({ code: 0, payments: rows.length, units: { [asset]: units } })
  expect(await jsonOf(refund())).toMatchObject({ code: 0, plan: second.hash, unpaid: [] })
  expect(rows.map(({ to }, place) => sale.held(to) - (held[place] ?? 0n))).toEqual(rows.map(row => BigInt(row.units)))
})

test('no key is in any output or file', () => {
  expect(sale.leaks()).toEqual([])
})
