/**
 * Refusals of landed payments that are certain without the ledger.
 *
 * The ledger judges every payment of the sale in canonical order. Some refusals need only the account's own payments: these are
 * found here, by the ledger's rules, and only when certain. All other payments stay unjudged.
 *
 * @see reference "Presale", §7
 */
import type { Purchase } from '../../subjects/sale/purchase.ts'
import type { NoticeChange, Unlisted } from '../../subjects/sale/saleFacts.ts'
import { type BaseUnits, greater, toBigint } from '../../values/amount.ts'
import { curveOf } from '../price.ts'
import { evaluateOrder } from './order.ts'
import type { Terms } from '../terms/termsShape.ts'

/** Judgements that need no ledger; such a payment is refunded whole. */
const certainAlone = ['early', 'late', 'paused', 'not_allowed', 'duplicate', 'under_min'] as const
export type RefusedStatus = (typeof certainAlone)[number] | NonNullable<Purchase['fault']> | 'unknown_terms'

/** The sale that a payment met, as far as known. */
export type KnownAtPayment = {
  terms: Terms
  termsHash: string
  /** the authority's announcements and their slots; undefined when the log has none */
  changes: readonly NoticeChange[] | undefined
  /** chain time up to which no announcement is missing, ms; absent where all are known */
  toldUntil?: number
  /** slots that may hold announcements no longer in force, which were not read */
  unlisted?: Unlisted
  /** false only when the account is known to be missing from the sale's access list */
  allowed: boolean
  /** the farthest position the curve can have reached */
  mostPos: BaseUnits
}

/**
 * Judges the payments of one account.
 *
 * @returns the reason of each refusal, by signature; an unjudged payment has no entry
 */
export function refusals(payments: readonly Purchase[], known: KnownAtPayment): Map<string, RefusedStatus> {
  const found = new Map<string, RefusedStatus>()
  /** order key → slot of its first payment that counts */
  const first = new Map<string, number>()
  const inOrder = payments.filter(({ status }) => status === 'final').sort((a, b) => a.slot - b.slot)
  for (const payment of inOrder) {
    const earlier = first.get(payment.orderId)
    // The order of two payments inside one slot is unknown here
    const refused = refusalOf(payment, earlier !== undefined && earlier < payment.slot, known)
    if (refused) found.set(payment.signature, refused)
    const isCounted =
      (refused === undefined || refused === 'under_min') && isTold(payment, known) && isPublished(payment, known)
    if (isCounted && earlier === undefined) first.set(payment.orderId, payment.slot)
  }
  return found
}

function refusalOf(payment: Purchase, seen: boolean, known: KnownAtPayment): RefusedStatus | undefined {
  const { terms, termsHash, changes, allowed, mostPos } = known
  if (payment.fault) return payment.fault
  const { asset, units, paidAt: time, slot } = payment
  if (!terms.assets.some(({ symbol }) => symbol === asset)) return undefined
  const said = changes && standingAt(changes, slot)
  const isSure = isTold(payment, known)
  if (isSure && !isPublished(payment, known)) {
    // An announcement no longer in force may have published them
    return isBeforeUnlisted(slot, known) ? 'unknown_terms' : undefined
  }
  const state = { position: mostPos, raised: '0', buyerCredits: '0', allowed, seen }
  const { status } = evaluateOrder(
    { ...state, paused: isSure && (said?.paused ?? false), closed: said?.closed ?? false },
    { asset, units, min: '0', time },
    terms,
  )
  // Other terms may have had another rate
  if (status === 'under_min' && payment.terms !== termsHash.slice(0, 16)) return undefined
  return certainAlone.find(one => one === status)
}

/** Whether every announcement before a payment is known: an unknown one may publish its terms, or end a pause. */
function isTold({ paidAt, slot }: Purchase, known: KnownAtPayment): boolean {
  const { toldUntil, unlisted } = known
  if (toldUntil !== undefined && paidAt > toldUntil) return false
  return isBeforeUnlisted(slot, known) || slot > (unlisted?.to ?? Infinity)
}

function isBeforeUnlisted(slot: number, { unlisted }: KnownAtPayment): boolean {
  return unlisted === undefined || slot < unlisted.from
}

/** Whether its terms were announced by then, as far as known; true for a payment without terms. */
function isPublished({ terms, slot }: Purchase, { changes }: KnownAtPayment): boolean {
  if (terms === undefined || !changes) return true
  return standingAt(changes, slot).published.some(hash => hash.startsWith(terms))
}

/**
 * The sale by its notices at a slot. A notice in the same slot may precede or follow a payment: it makes a pause uncertain,
 * does not close, but may publish terms.
 */
function standingAt(changes: readonly NoticeChange[], slot: number) {
  const before = changes.filter(change => change.slot < slot)
  const doubtful = changes.some(change => change.slot === slot)
  const switches = before.filter(({ verb }) => verb === 'pause' || verb === 'resume')
  return {
    paused: !doubtful && switches.at(-1)?.verb === 'pause',
    closed: before.some(({ verb }) => verb === 'close'),
    published: changes.flatMap(change => (change.slot <= slot && change.hash !== undefined ? [change.hash] : [])),
  }
}

/** A payment in an asset. `rate`: credits a unit, as the books counted it */
type Paid = { asset: string; units: BaseUnits; rate?: string | undefined }

/** @returns credits by the books' rate, else by that of the terms; 0 for an asset they do not list */
export function creditsOf({ assets }: Terms, { asset, units, rate }: Paid): bigint {
  return toBigint(units) * BigInt(rate ?? assets.find(({ symbol }) => symbol === asset)?.creditsPerUnit ?? 0)
}

/** With the tokens it got, else `quoted`, and its slot; without one yet, the hash of the terms that its buyer accepted. */
export type CountedPayment = Paid & { tokens?: BaseUnits; quoted?: BaseUnits; slot?: number; termsHash?: string }

/**
 * @returns credits that the ledger counts at most for a payment. It may have met earlier terms, whose rate is unknown here: then its
 *   tokens tell, at the highest price up to the farthest position
 */
export function mostCreditsOf({ terms, termsHash, changes, mostPos }: KnownAtPayment, payment: CountedPayment): bigint {
  const { rate, slot, quoted = '0', tokens = quoted } = payment
  const credits = creditsOf(terms, payment)
  // A notice in the same slot may precede or follow it
  const met = slot === undefined ? payment.termsHash : changes && standingAt(changes, slot - 1).published.at(-1)
  if (rate || met === termsHash) return credits
  const { stages, whole } = curveOf(terms)
  const dearest = stages.reduce(
    (most, { start, price }) => (start < toBigint(mostPos) ? greater(most, price) : most),
    0n,
  )
  // Tokens were rounded down
  return greater(credits, ((toBigint(tokens) + 1n) * dearest) / whole)
}
