/** The calculator's quotes: tokens for a payment, and a payment for tokens. */
import { type BaseUnits, lesser, toBigint, toUnits } from '../values/amount.ts'
import {
  averagePrice,
  type Curve,
  creditsFor,
  curveOf,
  minTokens,
  nearBoundary,
  stageAt,
  tokensFor,
  unitsFor,
} from './price.ts'
import { assetOf } from './terms/asset.ts'
import type { Terms, TermsAsset } from './terms/termsShape.ts'

/** A quote at one moment. It promises nothing: the order enforces only `min`. */
export type Quote = {
  asset: string
  /** base units of the asset the buyer sends */
  units: BaseUnits
  credits: BaseUnits
  /** token base units for all of it, or for what fits under the hard cap */
  tokens: BaseUnits
  /** units beyond the hard cap: they would be refunded */
  overCap: BaseUnits
  /** fewest token base units the order accepts for all of `units` */
  min: BaseUnits
  /** `tokens` and `overCap` if everything the treasury received counts */
  least: { tokens: BaseUnits; overCap: BaseUnits }
  toleranceBps: number
  /** ends within 2 % of a stage's end or beyond it, so the price may change before the payment lands */
  nearBoundary: boolean
  /** US dollars per whole token, 9 significant digits */
  averagePrice: string
}

/** Where to quote: curve position, how far it may be, and chain time in ms, as `readSale` gives them. */
export type QuoteAt = { pos: BaseUnits; mostPos?: BaseUnits; time: number }

/** Tolerance near a stage's end, and elsewhere, in hundredths of a per cent. */
const defaultTolerance = { nearBoundary: 500, elsewhere: 0 }

/**
 * @param toleranceBps how much less the buyer accepts; default 0, and 500 near a boundary
 * @returns what `units` of `asset` get
 * @throws Fault `bad_input` when the asset is not in the terms or `units` is not whole base units
 */
export function quotePaying(terms: Terms, at: QuoteAt, asset: string, units: BaseUnits, toleranceBps?: number): Quote {
  const curve = curveOf(terms)
  const rate = BigInt(assetOf(terms, asset).creditsPerUnit)
  const paid = toBigint(units)
  const fill = (from: BaseUnits) => filled(curve, from, Math.floor(at.time / 1000), paid, rate)
  const now = fill(at.pos)
  const farthest = fill(at.mostPos ?? at.pos)
  // Where nothing of it fits, a lower price does not help: it comes back whole
  const near = [now, farthest].some(
    ({ position, accepted }) => accepted > 0n && nearBoundary(curve, position, paid * rate),
  )
  const tolerance = toleranceBps ?? (near ? defaultTolerance.nearBoundary : defaultTolerance.elsewhere)
  // Unjudged payments may come first, so `min` is at most what the order gets after them
  const mins = [now, farthest].flatMap(({ tokens, accepted }) =>
    // `min` is for the whole payment and shrinks with the accepted part, so scale it up where only a part fits
    accepted === 0n ? [] : [(minTokens(tokens, tolerance) * paid) / accepted],
  )
  return {
    asset,
    units,
    credits: toUnits(paid * rate),
    tokens: toUnits(now.tokens),
    overCap: toUnits(paid - now.accepted),
    min: toUnits(now.accepted === 0n ? 0n : mins.reduce((a, b) => (b < a ? b : a))),
    least: { tokens: toUnits(farthest.tokens), overCap: toUnits(paid - farthest.accepted) },
    toleranceBps: tolerance,
    nearBoundary: near,
    averagePrice: averagePrice(curve, now.accepted * rate, now.tokens),
  }
}

/** The tokens of a payment at a position, and how many units of it fit under the hard cap. */
function filled(curve: Curve, from: BaseUnits, seconds: number, paid: bigint, rate: bigint) {
  const { position } = stageAt(curve, toBigint(from), seconds)
  const fits = (curve.hardCap - position) / rate
  const accepted = paid < fits ? paid : fits
  return { position, accepted, tokens: tokensFor(curve, position, accepted * rate) }
}

/**
 * Checks whether an order still holds.
 *
 * @param order agreed on `min` token base units for all of its units; 0 where it gets a single one, or its buyer takes any price
 * @returns whether the sale gives that much, and something, both as known now and if everything received counts
 */
export function stillHolds(quote: Quote, order: { units: BaseUnits; min: BaseUnits }): boolean {
  const [paid, min] = [toBigint(order.units), toBigint(order.min)]
  const holds = ({ tokens, overCap }: Quote['least']) => {
    const accepted = paid - toBigint(overCap)
    return accepted === 0n || (tokens !== '0' && toBigint(tokens) * paid >= min * accepted)
  }
  return quote.tokens !== '0' && holds(quote) && holds(quote.least)
}

/**
 * @param tokens base units wanted
 * @returns the quote for the smallest payment that gets at least `tokens`; undefined when fewer are left
 * @throws Fault `bad_input` when the asset is not in the terms or `tokens` is not whole base units
 */
export function quoteGetting(
  terms: Terms,
  at: QuoteAt,
  asset: string,
  tokens: BaseUnits,
  toleranceBps?: number,
): Quote | undefined {
  const curve = curveOf(terms)
  const rate = BigInt(assetOf(terms, asset).creditsPerUnit)
  const { position } = stageAt(curve, toBigint(at.pos), Math.floor(at.time / 1000))
  const credits = creditsFor(curve, position, toBigint(tokens))
  if (credits === undefined) return undefined
  return quotePaying(terms, at, asset, toUnits(unitsFor(credits, rate)), toleranceBps)
}

/**
 * @param remaining credits below the hard cap
 * @returns credits of the smallest order. Near the hard cap it shrinks to the rest in whole units, or the last tokens could never be
 *   sold
 */
export function leastCredits({ minOrder }: Terms, { creditsPerUnit }: TermsAsset, remaining: BaseUnits): bigint {
  const rate = BigInt(creditsPerUnit)
  const left = (toBigint(remaining) / rate) * rate
  return left > 0n ? lesser(left, BigInt(minOrder)) : BigInt(minOrder)
}
