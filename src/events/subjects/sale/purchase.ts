/** Purchases of an account as the chain shows them, made on this device or another. */
import { own } from '../../../runtime/schema/own.ts'
import { storeReading } from '../../values/accountTable.ts'
import { failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  id,
  integer,
  lifted,
  list,
  measure,
  openField,
  optional,
  personal,
  shape,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'
import {
  baseUnits,
  chainInstant,
  chainKey,
  creditRate,
  instant,
  publishedSlot,
  publishedTime,
  slot,
  tokenUnits,
} from '../../schema/scales.ts'

/** One purchase, as facts and inputs carry it. */
export const purchase = /* @__PURE__ */ shape({
  signature: personal(id),
  orderId: personal(id),
  slot: measure(slot),
  /** chain time, ms */
  paidAt: openField(chainInstant),
  asset: openField(text),
  units: measure(baseUnits),
  quoted: measure(tokenUnits),
  status: openField(choice(['confirmed', 'final', 'failed'])),
  /** the first 16 hex digits of the accepted terms' hash; absent in logs of builds that did not record it */
  terms: optional(openField(chainKey)),
  /** the payment is no order: it has no memo or more than one, or pays other than its memo says */
  fault: optional(openField(choice(['mismatch', 'malformed', 'no_memo']))),
})

/**
 * Money or tokens that the sale's operator sent to the account, by a plan. A refund has its `asset` and `units`, a delivery
 * `tokens`.
 */
const payout = shape({
  signature: personal(id),
  slot: measure(slot),
  /** chain time, ms */
  paidAt: openField(chainInstant),
  asset: optional(openField(text)),
  units: optional(measure(baseUnits)),
  tokens: optional(measure(tokenUnits)),
  status: openField(choice(['confirmed', 'final'])),
})
/** Newest first; absent where none was looked for. */
export const readPayouts = optional(list(payout))

/** A batch of an announced plan: the plan's hash, 64 hex digits, and its place, from 0. */
const batch = { plan: openField(chainKey), batch: openField(integer) }
/** Batches of the plans that payouts name in their memos. Anyone can write one, so a proof needs the planned amount, too. */
export const paidBatches = optional(list(shape({ ...batch, signature: personal(id) })))
/**
 * Payments of announced plans to the account, from the plans' files: a refund's `asset` and `units`, or `tokens` of a tranche, counted
 * from 0. The account's rows of a batch are apart, in the batch's order; earlier builds recorded their sum. Absent while none was read.
 */
export const plannedPayments = optional(
  list(
    shape({
      ...batch,
      tranche: optional(openField(integer)),
      asset: optional(openField(text)),
      units: optional(measure(baseUnits)),
      tokens: optional(measure(tokenUnits)),
    }),
  ),
)

/**
 * Refunds that a batch pays to the account, row by row as above, by the places of their payments in the books: of what the sale did not
 * take, and of what it had `accepted` before it failed. Absent while no plan was read.
 */
export const plannedRefunds = optional(
  list(shape({ ...batch, places: list(personal(id)), accepted: list(personal(id)) })),
)

/** Judgements of a payment in the books; `accepted` and `partial` get tokens, the others are refunded whole. */
export const judgements = [
  'accepted',
  'partial',
  'early',
  'late',
  'paused',
  'not_allowed',
  'duplicate',
  'sold_out',
  'buyer_cap',
  'under_min',
  'price_protect',
  'no_memo',
  'malformed',
  'mismatch',
  'delegated',
  'unknown_terms',
] as const
export const judgement = /* @__PURE__ */ openField(/* @__PURE__ */ choice(judgements))

/** An account's part of the audited books: those that this device recomputed and that are the announced ones. */
export const accountedPart = {
  /** end of the audited books, and its chain time in ms */
  slot: /* @__PURE__ */ measure(publishedSlot),
  time: /* @__PURE__ */ openField(publishedTime),
  /** referral bonus, token base units */
  bonus: /* @__PURE__ */ measure(tokenUnits),
  /** in the books' order; what is not accepted of the `units` is refunded */
  rows: /* @__PURE__ */ list(
    /* @__PURE__ */ shape({
      signature: personal(id),
      slot: measure(slot),
      /** chain time, ms */
      paidAt: openField(chainInstant),
      asset: openField(text),
      units: measure(baseUnits),
      accepted: measure(baseUnits),
      tokens: measure(tokenUnits),
      status: judgement,
    }),
  ),
  /** of each row, its place in the whole books, from 0; earlier builds did not record it */
  places: /* @__PURE__ */ optional(list(personal(id))),
  /** of each row, the credits that the terms in force at it gave for a unit, 0 where nothing was accepted; absent as the places */
  rates: /* @__PURE__ */ optional(list(openField(creditRate))),
}

/** Version 1 has no terms and no fault. */
/*#__NO_SIDE_EFFECTS__*/
export function purchasesBefore(data: Record<string, any>): Record<string, unknown> {
  return data
}

export const purchaseFacts = define({
  /** Newest first; replaces earlier readings of these signatures. */
  'purchase.read': lifted(
    {
      account: personal(text),
      purchases: list(purchase),
      /** the list is incomplete: some listed transactions are still `unread`, or there may be `older` ones than a node lists */
      more: optional(openField(choice(['unread', 'older']))),
      payouts: readPayouts,
      batches: paidBatches,
      planned: plannedPayments,
      refunds: plannedRefunds,
    },
    purchasesBefore,
  ),
  'purchase.failed': v1({ account: personal(text), failure }),
  /** Replaces what earlier audited books said; `changed` names the payments of which they said something else. */
  'purchase.accounted': v1({ account: personal(text), ...accountedPart, changed: optional(list(personal(id))) }),
})
export type PurchaseFact = UnionOf<typeof purchaseFacts>

export type Purchase = StateOf<() => typeof purchase>
export type Payout = StateOf<() => typeof payout>

/** An account's purchases; after a failed reading the known ones stay. */
export function purchasesState() {
  const { purchases, more, payouts, batches, planned, refunds } = purchaseFacts['purchase.read'].fields
  const { account: _, places, rates, ...accounted } = purchaseFacts['purchase.accounted'].fields
  return shape({
    purchases,
    readAt: openField(instant),
    more,
    failure: optional(failure),
    payouts,
    batches,
    planned,
    refunds,
    accounted: optional(shape(accounted)),
    /** Parts of the audited books, newer than their field. */
    places,
    rates,
  })
}
export type PurchasesOf = StateOf<typeof purchasesState>
export type PurchaseView = Record<string, PurchasesOf>
export type Accounted = NonNullable<PurchasesOf['accounted']>
export type AccountedRow = Accounted['rows'][number]

export function foldPurchase(model: { purchase: PurchaseView }, fact: PurchaseFact & { at: number }): void {
  const { account } = fact.data
  const before = own(model.purchase, account)
  if (fact.type === 'purchase.accounted') {
    const { account: _, places, rates, ...accounted } = fact.data
    if (!before) return
    before.accounted = accounted
    if (places) before.places = places
    else delete before.places
    if (rates) before.rates = rates
    else delete before.rates
  } else if (fact.type === 'purchase.failed') {
    storeReading(model.purchase, account, { purchases: [], readAt: 0, ...before, failure: fact.data.failure })
  } else if (fact.type === 'purchase.read') {
    const { more, ...read } = fact.data
    const payouts = read.payouts ? merged(before?.payouts, read.payouts) : before?.payouts
    const batches = read.batches ? replaced(before?.batches, read.batches, signatureOf) : before?.batches
    const planned = read.planned ? replaced(before?.planned, read.planned, batchNameOf) : before?.planned
    const refunds = read.refunds ? replaced(before?.refunds, read.refunds, batchNameOf) : before?.refunds
    storeReading(model.purchase, account, {
      purchases: merged(before?.purchases, read.purchases),
      readAt: fact.at,
      ...(more && { more }),
      ...(payouts && { payouts }),
      ...(batches && { batches }),
      ...(planned && { planned }),
      ...(refunds && { refunds }),
      ...(before?.accounted && { accounted: before.accounted }),
      ...(before?.places && { places: before.places }),
      ...(before?.rates && { rates: before.rates }),
    })
  }
}

const signatureOf = ({ signature }: { signature: string }) => signature

/** @returns a name of a plan's batch that no other has */
export const batchNameOf = ({ plan, batch: place }: { plan: string; batch: number }): string => `${plan} ${place}`

/** @returns the lines read now, and those known of other names */
function replaced<Line>(known: readonly Line[] = [], read: readonly Line[], nameOf: (line: Line) => string): Line[] {
  const fresh = new Set(read.map(nameOf))
  return [...read, ...known.filter(one => !fresh.has(nameOf(one)))]
}

/** Adds a payment that was found in another way than by the account's list. */
export function notePurchase(model: { purchase: PurchaseView }, account: string, found: Purchase, at: number): void {
  const before = own(model.purchase, account)
  storeReading(model.purchase, account, { readAt: at, ...before, purchases: merged(before?.purchases, [found]) })
}

/** @returns the known lines and the new ones, which replace known ones of their signatures; newest first */
function merged<Line extends { signature: string; slot: number }>(
  known: readonly Line[] = [],
  read: readonly Line[],
): Line[] {
  return replaced(known, read, signatureOf).sort((a, b) => b.slot - a.slot)
}
