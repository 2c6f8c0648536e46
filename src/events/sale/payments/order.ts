/**
 * Judges one payment, in exact whole numbers.
 *
 * 1. units = accepted + refund.
 * 2. The position never passes the hard cap.
 * 3. A buyer never passes the cap per wallet.
 * 4. A buyer never gets fewer tokens than the order accepts.
 *
 * @see reference "Presale", §7
 */
import { type BaseUnits, toBigint, toUnits, lesser } from '../../values/amount.ts'
import { type Curve, curveOf, stageAt, tokensBelow } from '../price.ts'
import { assetOf } from '../terms/asset.ts'
import type { Terms } from '../terms/termsShape.ts'

/** The judgement of a payment. Only `accepted` and `partial` get tokens; all others are refunded whole. */
type OrderStatus =
  | 'accepted'
  | 'partial'
  | 'early'
  | 'late'
  | 'paused'
  | 'not_allowed'
  | 'duplicate'
  | 'sold_out'
  | 'buyer_cap'
  | 'under_min'
  | 'price_protect'

/** The sale as one order meets it. */
export type OrderState = {
  /** curve position and credits raised before this order */
  position: BaseUnits
  raised: BaseUnits
  /** credits accepted from this buyer so far */
  buyerCredits: BaseUnits
  paused: boolean
  closed: boolean
  /** false only when the sale has an allowlist and the buyer is not on it */
  allowed: boolean
  /** an order with this buyer and this id was judged before */
  seen: boolean
}

/** One payment: `units` of `asset`, at least `min` token base units wanted, `time` is the block time in ms. */
export type OrderFinding = { asset: string; units: BaseUnits; min: BaseUnits; time: number }

/** The judgement, and the state after it. `refund` and `accepted` are units of the asset. */
type OrderOutcome = {
  status: OrderStatus
  accepted: BaseUnits
  refund: BaseUnits
  tokens: BaseUnits
  position: BaseUnits
  raised: BaseUnits
  buyerCredits: BaseUnits
}

/**
 * Judges one order.
 *
 * @throws Fault `bad_input` when the asset is not in the terms or an amount is not whole base units
 */
export function evaluateOrder(state: OrderState, order: OrderFinding, terms: Terms): OrderOutcome {
  const outcome = judgeOrder(orderRules(terms, order.asset), {
    position: toBigint(state.position),
    raised: toBigint(state.raised),
    buyerCredits: toBigint(state.buyerCredits),
    paused: state.paused,
    closed: state.closed,
    allowed: state.allowed,
    seen: state.seen,
    units: toBigint(order.units),
    min: toBigint(order.min),
    seconds: Math.floor(order.time / 1000),
  })
  return {
    status: outcome.status,
    accepted: toUnits(outcome.accepted),
    refund: toUnits(outcome.refund),
    tokens: toUnits(outcome.tokens),
    position: toUnits(outcome.position),
    raised: toUnits(outcome.raised),
    buyerCredits: toUnits(outcome.buyerCredits),
  }
}

/** The terms' part of the judgement, computed once for many orders in one asset. */
type OrderRules = {
  curve: Curve
  start: number
  end: number
  minOrder: bigint
  maxBuyer: bigint
  creditsPerUnit: bigint
}

/** @throws Fault `bad_input` when the terms do not list the asset */
export function orderRules(terms: Terms, asset: string): OrderRules {
  return {
    curve: curveOf(terms),
    start: terms.start,
    end: terms.end,
    minOrder: BigInt(terms.minOrder),
    maxBuyer: BigInt(terms.maxBuyer),
    creditsPerUnit: BigInt(assetOf(terms, asset).creditsPerUnit),
  }
}

/** An order together with the sale it meets, in bigint. */
type Case = {
  position: bigint
  raised: bigint
  buyerCredits: bigint
  paused: boolean
  closed: boolean
  allowed: boolean
  seen: boolean
  units: bigint
  min: bigint
  /** block time in Unix seconds */
  seconds: number
}

/** The judgement in bigint; fields as in `OrderOutcome`. */
type Judgement = {
  status: OrderStatus
  accepted: bigint
  refund: bigint
  tokens: bigint
  position: bigint
  raised: bigint
  buyerCredits: bigint
}

/** Judges one order in bigint, for ledgers of many. */
export function judgeOrder(rules: OrderRules, given: Case): Judgement {
  const { curve, creditsPerUnit: rate } = rules
  const { units, raised, buyerCredits } = given
  const refuse = (status: OrderStatus, position: bigint): Judgement => {
    return { status, accepted: 0n, refund: units, tokens: 0n, position, raised, buyerCredits }
  }

  if (given.seconds < rules.start) return refuse('early', given.position)
  if (given.seconds >= rules.end || given.closed) return refuse('late', given.position)
  if (given.paused) return refuse('paused', given.position)
  if (!given.allowed) return refuse('not_allowed', given.position)
  if (given.seen) return refuse('duplicate', given.position)

  const { position } = stageAt(curve, given.position, given.seconds)
  const hard = curve.hardCap - position
  const room = rules.maxBuyer - buyerCredits
  if (hard < rate) return refuse('sold_out', position)
  if (room < rate) return refuse('buyer_cap', position)
  // Near the hard cap the smallest order shrinks to what is left, or the last tokens could never be bought.
  if (units * rate < lesser(rules.minOrder, (hard / rate) * rate)) return refuse('under_min', position)

  const accepted = lesser(units, lesser(hard, room) / rate)
  const credits = accepted * rate
  const tokens = tokensBelow(curve, position + credits) - tokensBelow(curve, position)
  // `min` is for all units, so it shrinks with the accepted part
  if (tokens === 0n || tokens * units < given.min * accepted) return refuse('price_protect', position)
  return {
    status: accepted === units ? 'accepted' : 'partial',
    accepted,
    refund: units - accepted,
    tokens,
    position: position + credits,
    raised: raised + credits,
    buyerCredits: buyerCredits + credits,
  }
}
