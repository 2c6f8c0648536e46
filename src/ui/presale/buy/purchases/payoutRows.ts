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

/** @returns the refunds that arrived, by the signatures of the payments that they are for */
export function refundsPaid(read: Partial<PurchasesOf>): ReadonlyMap<string, PaidBack> {
  const { accounted, places = [], refunds = [] } = read
  const signatures = new Map(places.map((place, at) => [place, accounted?.rows[at]?.signature]))
  const found = new Map<string, PaidBack>()
  for (const [one, payout] of arrivedOf(read)) {
    const refund = refunds.find(other => isOf(other, one))
    const add = (part: keyof PaidBack) => (place: string) => {
      const signature = signatures.get(place)
      if (signature !== undefined) found.set(signature, { ...found.get(signature), [part]: payout })
    }
    refund?.places.forEach(add('rest'))
    refund?.accepted.forEach(add('accepted'))
  }
  return found
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
