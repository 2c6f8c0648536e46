/** Announced plans that are not the ledger's. A treasury's holder need not trust the authority. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNode } from '../../../../scripts/presale/node.ts'
import { readBooks, readBooksAt } from '../../../../scripts/presale/payouts/claims.ts'
import { holdPlan } from '../../../../scripts/presale/payouts/holdPlan.ts'
import { keepPlan } from '../../../../scripts/presale/payouts/plans.ts'
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { ledgerSaleOf } from '../../../../src/worker/ledger/ledgerSale.ts'
import { hashText } from '../../../../src/worker/services/notices.ts'
import { type Plan, planHash, type PlanRow } from '../../../../src/worker/services/planFile.ts'
import { transfer } from '../../../stack/solana/programs.ts'
import { jsonOf, openPaidSale, type PaidSale } from './paidSale.ts'
import { callOf } from './world.ts'

let sale: PaidSale
const plans = new Map<string, Plan>()
const stranger = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'

/** Makes a plan and writes its notice to a file, which no one sends. */
async function planned(kind: Plan['kind'], ...more: string[]): Promise<void> {
  const aside = ['--export-unsigned', sale.inFolder('notice.txt')]
  const made = await jsonOf(sale.presale(['plan', '--kind', kind, '--json', ...aside, ...more]))
  expect(made.code).toBe(0)
  plans.set(kind, JSON.parse(readFileSync(made.plan, 'utf8')))
}

beforeAll(async () => {
  sale = await openPaidSale('altered plans', 'closed')
  await planned('refunds')
  await planned('tokens', '--tranche', '0', '--reserve', sale.stack.accounts.reserveTokens)
})
afterAll(() => sale.close())

/** A copy of the plan of a kind, changed in place. */
function altered(kind: Plan['kind'], change: (plan: Plan) => void): Plan {
  const plan = structuredClone(plans.get(kind)) as Plan
  change(plan)
  return plan
}

const io = { out: { write: () => true }, err: { write: () => true } }

function opened() {
  const call = callOf(sale.stack.chain)
  const node = openNode('http://chain.test', { call, wait: async () => sale.stack.chain.advance(33) })
  const { terms, canonical } = readTerms(readFileSync(sale.inFolder('sale', 'terms.json'), 'utf8'))
  return { node, own: ledgerSaleOf([{ terms, hash: hashText(canonical) }]) }
}

function hold(plan: Plan, more: { directory?: string } = {}): Promise<void> {
  const { node, own } = opened()
  const reading = { earlier: [], io, directory: more.directory }
  return holdPlan(node, own, { plan, hash: planHash(plan) }, reading)
}

const rowAt = (plan: Plan, batch: number, row: number) => plan.batches[batch]?.rows[row] as PlanRow
const batchIn = (plan: Plan, asset: string) => plan.batches.findIndex(one => one.asset === asset)

test('plans as they were made are the ledger’s, also from its stored part and after later payments', async () => {
  for (const plan of plans.values()) await hold(plan)
  expect((await sale.presale(['ledger', '--out', sale.inFolder('ledger.jsonl')])).code).toBe(0)
  const { authority } = sale.stack.accounts
  sale.stack.chain.run([transfer(authority.address, sale.stack.info.treasury, 1_000_000_000n)], [authority])
  sale.stack.chain.advance(70)
  for (const plan of plans.values()) await hold(plan, { directory: sale.state })
})

test('claims up to a row are those of a ledger that ends there, bonuses too', async () => {
  const { node, own } = opened()
  const slots = new Map<number, number>()
  for (const line of sale.stack.operator.evaluate().lines) {
    const { i, slot } = JSON.parse(line)
    slots.set(slot, Math.max(i, slots.get(slot) ?? 0))
  }
  const [slot, count] = [...slots][Math.floor(slots.size / 2)] ?? [0, 0]
  const whole = await readBooks(node, own, { io, directory: undefined, until: slot })
  const part = await readBooksAt(node, own, count, { io, directory: undefined })
  expect(whole.allocations.some(({ bonus }) => bonus > 0n)).toBe(true)
  const { ledgerHash, allocations, refunds } = whole
  expect(part).toEqual({ outcome: 'success', ledgerHash, allocations, refunds })
})

test.each<[string, Plan['kind'], (plan: Plan) => void, RegExp]>([
  [
    'one unit more',
    'refunds',
    plan => void (rowAt(plan, 0, 1).units = String(BigInt(rowAt(plan, 0, 1).units) + 1n)),
    /batch 0, row 1: the ledger expected \d+ units of SOL for \w+, got \d+\./,
  ],
  [
    'one unit more of a tranche',
    'tokens',
    plan => void (rowAt(plan, 1, 2).units = String(BigInt(rowAt(plan, 1, 2).units) + 1n)),
    /batch 1, row 2: the ledger expected \d+ units of MAI for \w+, got \d+\./,
  ],
  [
    'another owner',
    'refunds',
    plan => void Object.assign(rowAt(plan, 0, 0), { owner: stranger, to: stranger }),
    /batch 0, row 0: the ledger expected claim \d+:refund of \w+, got it of 2xiX/,
  ],
  [
    'another account of the owner',
    'tokens',
    plan => void (rowAt(plan, 0, 0).to = stranger),
    /batch 0, row 0: the ledger expected claim 0:\w+ at \w+, got it at 2xiX/,
  ],
  [
    'a claim that the ledger does not have',
    'refunds',
    plan => void rowAt(plan, 0, 0).of.push('9999:refund'),
    /batch 0, row 0: the ledger expected claims that it has, got claim 9999:refund/,
  ],
  [
    'accepted money of a sale that succeeded',
    'refunds',
    plan => void (rowAt(plan, 0, 0).of = ['1:accepted']),
    /batch 0, row 0: the ledger expected claims that it has, got claim 1:accepted/,
  ],
  [
    'a claim of SOL in USDC',
    'refunds',
    plan => void (rowAt(plan, batchIn(plan, 'USDC'), 0).of = rowAt(plan, 0, 0).of),
    /the ledger expected claim \d+:refund in SOL, got it in USDC/,
  ],
  [
    'an owner left out',
    'tokens',
    plan => void plan.batches[0]?.rows.pop(),
    /claim 0:\w+: the ledger expected \d+ units of MAI for \w+, paid or left apart, got no row/,
  ],
  [
    'less left apart than is owed',
    'refunds',
    plan => void Object.assign(plan.apart[0] ?? {}, { units: '1' }),
    /row 0 of those left apart: the ledger expected \d+ units of \w+, got 1\./,
  ],
  [
    'another ledger',
    'refunds',
    plan => void (plan.ledgerHash = '0'.repeat(64)),
    /ledger after \d+ rows: the ledger expected hash [0-9a-f]{64}, got 0{64}/,
  ],
  [
    'a ledger of fewer rows',
    'refunds',
    plan => void (plan.rows -= 1),
    /ledger after \d+ rows: the ledger expected hash/,
  ],
  [
    'rows that the ledger does not have',
    'refunds',
    plan => void (plan.rows = 9999),
    /rows: the ledger expected at most all it has at chain\.test, got 9999/,
  ],
])('a plan with %s is not the ledger’s', async (_name, kind, change, sentence) => {
  await expect(hold(altered(kind, change))).rejects.toThrow(sentence)
})

test('an announced plan of one unit more stops the run before anything is sent, unless it is trusted', async () => {
  const plan = altered('refunds', one => void (rowAt(one, 0, 0).units = String(BigInt(rowAt(one, 0, 0).units) + 1n)))
  const hash = planHash(plan)
  keepPlan(sale.state, { plan, hash })
  sale.stack.operator.notice('plan', hash)
  sale.stack.chain.advance(40)
  const before = sale.stack.chain.ledger.all().length
  for (const way of [[], ['--dry-run'], ['--export-unsigned', sale.inFolder('unsigned')]]) {
    const { code, err } = await sale.presale(['refund', ...sale.key('treasury'), ...way])
    expect([code, err]).toEqual([1, expect.stringMatching(/batch 0, row 0: the ledger expected \d+ units of SOL/)])
  }
  expect(sale.stack.chain.ledger.all()).toHaveLength(before)
  const trusted = await sale.presale(['refund', '--dry-run', '--trust-plan'])
  expect([trusted.code, trusted.err]).toEqual([
    0,
    expect.stringContaining(`warning: plan ${hash} is not held against the ledger`),
  ])
})
