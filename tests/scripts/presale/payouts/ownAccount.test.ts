/** Plans of an earlier version of the tool, in which the paying account pays itself, too: the others are paid all the same. */
import { expect, test } from 'vitest'
import { explainOutflows } from '../../../../scripts/presale/books/outflows.ts'
import { outgoingIn } from '../../../../scripts/presale/books/trace.ts'
import { packed } from '../../../../scripts/presale/payouts/batch.ts'
import { readFrom } from '../../../../scripts/presale/payouts/found.ts'
import { payPlan } from '../../../../scripts/presale/payouts/payPlan.ts'
import { type Plan, planHash, type PlanRow } from '../../../../src/worker/services/planFile.ts'
import { keyOf, memoryJournal, openWorld, payingOf } from './world.ts'

const world = openWorld('own account')
const { reserve, reserveTokens } = world.accounts
const key = keyOf(reserve)
const rowsOf = ({ batches }: Plan) => batches.flatMap(({ rows }) => rows)

/** The plan with its first row's payment going to the account that pays. */
function paysItself(made: Plan, to: string): Plan {
  const [first, ...others] = rowsOf(made)
  if (!first) throw new Error('expected a row')
  const { create: _, ...row } = first
  const own: PlanRow = { ...row, owner: reserve.address, to }
  const [asset = ''] = Object.keys(made.assets)
  return { ...made, batches: packed(made, asset, { rows: [own, ...others], first: 0 }) }
}

test.each([
  ['tokens of the reserve', world.tokenPlan('own tokens', { count: 9, lanes: 1 }), reserveTokens],
  ['SOL', world.solPlan('own SOL', { count: 18, lanes: 1 }), reserve.address],
])('%s: each other payment is made once, also in a later run without a journal', async (_, made, to) => {
  const plan = paysItself(made, to)
  for (const journal of [memoryJournal(), memoryJournal()])
    expect(await payPlan(payingOf(world, { plan, journal }), key, { lanes: 1 })).toEqual({ paid: 2, unpaid: [] })
  const others = rowsOf(plan).slice(1)
  expect(others.map(row => String(world.held(row.to)))).toEqual(others.map(({ units }) => units))
})

test('the books explain such a payment as the plan’s', async () => {
  const plan = paysItself(world.tokenPlan('own books', { count: 5, lanes: 1 }), reserveTokens)
  const journal = memoryJournal()
  const paying = payingOf(world, { plan, journal })
  await payPlan(paying, key, { lanes: 1 })
  const signature = String(journal.lines.find(({ kind }) => kind === 'paid')?.signature)
  const read = await readFrom(paying.sending.node.call, world.sale, { plan, asset: 'MAI' }, signature)
  const [change] = read?.transaction.balances ?? []
  if (!read || !change) throw new Error('expected the payment')
  const { slot } = read.transaction
  const outflow = { signature, slot, account: reserveTokens, asset: 'MAI', units: change.before - change.after }
  const hash = planHash(plan)
  const [explained] = explainOutflows(world.sale, [{ hash, plan }], [{ ...outflow, out: outgoingIn(read.transaction) }])
  expect(explained).toMatchObject({ explained: { plan: hash, batch: 0, isCompared: true } })
})
