/**
 * Payments of announced plans to an account, and payouts that arrived, as rows.
 *
 * 1. A payment arrived when a transaction of the chain names its plan and batch, and paid the planned amount.
 * 2. A payout whose plan could not be read stands for itself, without a due date.
 */
import type { AccountedRow, Payout, PurchasesOf } from '../../../../events/subjects/sale/purchase.ts'
import { tranchesOf } from '../../../../events/sale/vesting.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'

type Planned = NonNullable<PurchasesOf['planned']>[number]

/** `due`: the tranche's moment, in ms of chain time, or `refund`. `payout`: absent while no payment was found. */
export type PayoutRow = Pick<Payout, 'asset' | 'units' | 'tokens'> & { due?: number | 'refund'; payout?: Payout }

/** @returns payments that are awaited, those due first at the top, then those that arrived, newest first */
export function payoutRows(read: Partial<PurchasesOf>, terms: Terms): PayoutRow[] {
  const starts = tranchesOf(terms, 0n).map(({ at }) => at * 1000)
  const paid = arrivedOf(read)
  const rows = (read.planned ?? []).map((one): PayoutRow => {
    const { asset, units, tokens, tranche } = one
    const due = tranche === undefined ? 'refund' : (starts[tranche] ?? 'refund')
    const payout = paid.get(one)
    const amount = tokens === undefined ? { asset, units } : { tokens }
    return { ...(amount as Pick<PayoutRow, 'asset' | 'units' | 'tokens'>), due, ...(payout && { payout }) }
  })
  const explained = new Set(paid.values())
  const own = (read.payouts ?? []).flatMap((payout): PayoutRow[] =>
    explained.has(payout) ? [] : [{ ...payout, payout }],
  )
  return [...rows, ...own].sort((a, b) => rank(a) - rank(b))
}

/** The planned payments that arrived, each by a payout of its own. */
function arrivedOf({ payouts = [], batches = [], planned = [] }: Partial<PurchasesOf>): Map<Planned, Payout> {
  const open = new Set(payouts)
  const found = new Map<Planned, Payout>()
  for (const one of planned) {
    const named = new Set(batches.filter(named => isOf(named, one)).map(({ signature }) => signature))
    const payout = payouts.find(paid => open.has(paid) && named.has(paid.signature) && isSameAmount(paid, one))
    if (!payout) continue
    open.delete(payout)
    found.set(one, payout)
  }
  return found
}

/** Payouts that gave back what the sale did not take of a payment, and what it had accepted. */
export type PaidBack = { rest?: Payout; accepted?: Payout }

/**
 * @returns the refunds that arrived for good, by the payments that they are for. A plan's row may name any payments: it pays them back
 *   when it pays their asset, and at least what is owed for all of them
 */
export function refundsPaid(read: Partial<PurchasesOf>): ReadonlyMap<AccountedRow, PaidBack> {
  const { accounted, payouts = [], places = [], refunds = [] } = read
  const rowsAt = (named: readonly string[] = []) => named.flatMap(place => accounted?.rows[places.indexOf(place)] ?? [])
  const found = new Map<AccountedRow, PaidBack>()
  for (const [one, payout] of arrivedOf({ ...read, payouts: payouts.filter(isFinal) })) {
    const refund = refunds.find(other => isOf(other, one))
    const owed = [
      ...rowsAt(refund?.places).map(row => ['rest', row, BigInt(row.units) - BigInt(row.accepted)] as const),
      ...rowsAt(refund?.accepted).map(row => ['accepted', row, BigInt(row.accepted)] as const),
    ]
    const sum = owed.reduce((units, [, , due]) => units + due, 0n)
    if (sum > BigInt(one.units ?? 0) || owed.some(([, row]) => row.asset !== one.asset)) continue
    for (const [part, row] of owed) found.set(row, { ...found.get(row), [part]: payout })
  }
  return found
}

export const isFinal = ({ status }: Payout): boolean => status === 'final'

function isOf(one: { plan: string; batch: number }, other: { plan: string; batch: number }): boolean {
  return one.plan === other.plan && one.batch === other.batch
}

function isSameAmount(paid: Payout, { asset, units, tokens }: Planned): boolean {
  return paid.tokens === tokens && paid.asset === asset && paid.units === units
}

function rank({ due, payout }: PayoutRow): number {
  if (payout) return Number.MAX_SAFE_INTEGER - payout.paidAt
  return due === 'refund' ? 0 : (due ?? 0)
}
