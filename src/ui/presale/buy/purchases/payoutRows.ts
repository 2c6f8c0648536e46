/**
 * Payments of announced plans to an account, and payouts that arrived, as rows.
 *
 * 1. A payment arrived when a transaction of the chain names its plan and batch, and paid the planned amount. A batch may be paid
 *    without one of the account's rows, which then did not arrive.
 * 2. A claim is awaited once, though a later plan may have it again because a payment left it out; not at all when one paid it. Of
 *    rows with a common claim the one with most claims stands, then the oldest: a plan raises nothing by having a claim again.
 * 3. A payout whose plan could not be read stands for itself, without a due date.
 */
import type { AccountedRow, Payout, Purchase, PurchasesOf } from '../../../../events/subjects/sale/purchase.ts'
import { tranchesOf } from '../../../../events/sale/vesting.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'

type Planned = NonNullable<PurchasesOf['planned']>[number]

/** `due`: the tranche's moment, in ms of chain time, or `refund`. `payout`: absent while no payment was found. */
export type PayoutRow = Pick<Payout, 'asset' | 'units' | 'tokens'> & { due?: number | 'refund'; payout?: Payout }

/**
 * @param plans hashes of the announced plans, the oldest first
 * @returns payments that are awaited, those due first at the top, then those that arrived, newest first
 */
export function payoutRows(read: Partial<PurchasesOf>, terms: Terms, plans: readonly string[] = []): PayoutRow[] {
  const starts = tranchesOf(terms, 0n).map(({ at }) => at * 1000)
  const paid = arrivedOf(read)
  const rows = standing(read, paid, plans).map((one): PayoutRow => {
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

/** @returns the planned payments that arrived, and of the others those that stand */
function standing(read: Partial<PurchasesOf>, paid: ReadonlyMap<Planned, Payout>, plans: readonly string[]): Planned[] {
  const arrived = [...paid.keys()]
  const taken = new Set(arrived.flatMap(one => claimsOf(read, one)))
  const awaited = (read.planned ?? [])
    .filter(one => !paid.has(one))
    .map(one => ({ one, claims: claimsOf(read, one), age: plans.indexOf(one.plan) }))
    // A later reading puts later plans first
    .sort((a, b) => b.claims.length - a.claims.length || a.age - b.age)
    .filter(({ claims }) => !claims.some(claim => taken.has(claim)) && claims.every(claim => taken.add(claim)))
  return [...arrived, ...awaited.map(({ one }) => one)]
}

/** @returns names of the claims that it pays; none where an earlier build did not record them */
function claimsOf(read: Partial<PurchasesOf>, one: Planned): string[] {
  if (one.tokens !== undefined) return [`tokens ${one.tranche}`]
  const { places = [], accepted = [] } = refundOf(read, one) ?? {}
  return [...places, ...accepted.map(place => `accepted ${place}`)]
}

/** Rows of a batch have their refunds in the same order. */
function refundOf({ planned = [], refunds = [] }: Partial<PurchasesOf>, one: Planned) {
  const at = planned.filter(other => isOf(other, one)).indexOf(one)
  return refunds.filter(other => isOf(other, one))[at]
}

/** The planned payments that arrived, with their payouts. */
function arrivedOf({ payouts = [], batches = [], planned = [] }: Partial<PurchasesOf>): Map<Planned, Payout> {
  const found = new Map<Planned, Payout>()
  for (const paid of payouts) {
    const named = batches.find(({ signature }) => signature === paid.signature)
    const rows = planned.filter(one => named && isOf(named, one) && one.asset === paid.asset && !found.has(one))
    const missing = rows.reduce((sum, one) => sum + unitsOf(one), -unitsOf(paid))
    const left = rows.filter(one => unitsOf(one) === missing)
    // Of more rows, others might make up the same sum
    if (missing !== 0n && (left.length !== 1 || rows.length !== 2)) continue
    for (const one of rows) if (!left.includes(one)) found.set(one, paid)
  }
  return found
}

function arrivedForGood(read: Partial<PurchasesOf>): Map<Planned, Payout> {
  const { payouts = [] } = read
  return arrivedOf({ ...read, payouts: payouts.filter(isFinal) })
}

/** Payouts that gave back what the sale did not take of a payment, and what it had accepted. */
export type PaidBack = { rest?: Payout; accepted?: Payout }

/**
 * @returns the refunds that arrived for good, by the payments that they are for. A plan's row may name any payments: it pays them back
 *   when it pays their asset, and at least what is owed for all of them
 */
export function refundsPaid(read: Partial<PurchasesOf>): ReadonlyMap<AccountedRow, PaidBack> {
  const { accounted, places = [] } = read
  const rowsAt = (named: readonly string[] = []) => named.flatMap(place => accounted?.rows[places.indexOf(place)] ?? [])
  const found = new Map<AccountedRow, PaidBack>()
  for (const [one, payout] of arrivedForGood(read)) {
    const refund = refundOf(read, one)
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

/**
 * Tells refunds of a failed sale by their amounts, for a device without its books.
 *
 * @returns refunds that arrived for good, by payment. None unless all payments are listed and the plans have one refund of the whole amount
 *   for each of them; of one amount all or none, as they cannot be told apart
 */
export function refundsByAmount(read: Partial<PurchasesOf>): ReadonlyMap<Purchase, Payout> {
  const { accounted, more, planned = [], purchases = [] } = read
  const payments = purchases.filter(({ status }) => status !== 'failed')
  const rows = planned.filter(({ tokens }) => tokens === undefined)
  const places = rows.map(one => {
    const { places: rest = [], accepted = [] } = refundOf(read, one) ?? {}
    return [...new Set([...rest, ...accepted])]
  })
  const isOneEach = places.every(({ length }) => length === 1) && new Set(places.flat()).size === rows.length
  const amounts = (of: readonly { asset?: string; units?: string }[]) => of.map(amountOf).sort().join()
  const found = new Map<Purchase, Payout>()
  if (accounted || more || !isOneEach || amounts(rows) !== amounts(payments)) return found
  const arrived = arrivedForGood(read)
  for (const payment of payments) {
    const isAlike = (one: { asset?: string; units?: string }) => amountOf(one) === amountOf(payment)
    const alike = payments.filter(isAlike)
    const came = rows.filter(isAlike).flatMap(one => arrived.get(one) ?? [])
    const payout = came.length === alike.length ? came[alike.indexOf(payment)] : undefined
    if (payout) found.set(payment, payout)
  }
  return found
}

/** @returns the same text for the same amount of the same asset */
function amountOf({ asset = '', units = '0' }: { asset?: string; units?: string }): string {
  return `${units} ${asset}`
}

export const isFinal = ({ status }: Payout): boolean => status === 'final'

function isOf(one: { plan: string; batch: number }, other: { plan: string; batch: number }): boolean {
  return one.plan === other.plan && one.batch === other.batch
}

function unitsOf({ tokens, units = '0' }: Payout | Planned): bigint {
  return BigInt(tokens ?? units)
}

function rank({ due, payout }: PayoutRow): number {
  if (payout) return Number.MAX_SAFE_INTEGER - payout.paidAt
  return due === 'refund' ? 0 : (due ?? 0)
}
