/**
 * Payments of announced plans to an account, and payouts that arrived, as rows.
 *
 * 1. A payment arrived when a transaction of the chain names its plan and batch, and paid the planned amount.
 * 2. A payout whose plan could not be read stands for itself, without a due date.
 */
import type { Payout, PurchasesOf } from '../../../../events/subjects/sale/purchase.ts'
import { tranchesOf } from '../../../../events/sale/vesting.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'

type Planned = NonNullable<PurchasesOf['planned']>[number]

/** `due`: the tranche's moment, in ms of chain time, or `refund`. `payout`: absent while no payment was found. */
export type PayoutRow = Pick<Payout, 'asset' | 'units' | 'tokens'> & { due?: number | 'refund'; payout?: Payout }

/** @returns payments that are awaited, those due first at the top, then those that arrived, newest first */
export function payoutRows(
  { payouts = [], batches = [], planned = [] }: Partial<PurchasesOf>,
  terms: Terms,
): PayoutRow[] {
  const starts = tranchesOf(terms, 0n).map(({ at }) => at * 1000)
  const open = new Set(payouts)
  const rows = planned.map((one): PayoutRow => {
    const { asset, units, tokens, tranche } = one
    const due = tranche === undefined ? 'refund' : (starts[tranche] ?? 'refund')
    const named = new Set(batches.filter(named => isOf(named, one)).map(({ signature }) => signature))
    const payout = payouts.find(paid => open.has(paid) && named.has(paid.signature) && isSameAmount(paid, one))
    if (payout) open.delete(payout)
    const amount = tokens === undefined ? { asset, units } : { tokens }
    return { ...(amount as Pick<PayoutRow, 'asset' | 'units' | 'tokens'>), due, ...(payout && { payout }) }
  })
  const own = [...open].map((payout): PayoutRow => ({ ...payout, payout }))
  return [...rows, ...own].sort((a, b) => rank(a) - rank(b))
}

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
