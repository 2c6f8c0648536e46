/** What a calculator shows: pay so much and get so much, in both directions. */
import { type BaseUnits, toBigint, toUnits } from './amount.ts'
import { averagePrice, creditsFor, curveOf, minTokens, nearBoundary, stageAt, tokensFor, unitsFor } from './price.ts'
import { assetOf } from './asset.ts'
import type { Terms } from './termsShape.ts'

/** A quote at one moment. It is a promise of nothing: `min` is what the order will insist on. */
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
  toleranceBps: number
  /** ends within 2 % of a stage's end or beyond it, so the price may change before the payment lands */
  nearBoundary: boolean
  /** US dollars per whole token, 9 significant digits */
  averagePrice: string
}

/** Where to quote: curve position and chain time in ms, as `readSale` gives them. */
export type QuoteAt = { pos: BaseUnits; time: number }

/** Tolerance near a stage's end, and elsewhere, in hundredths of a per cent. */
export const defaultTolerance = { nearBoundary: 500, elsewhere: 0 }

/**
 * @param toleranceBps how much less the buyer accepts; default 0, and 500 near a boundary
 * @returns what `units` of `asset` get
 * @throws Fault `bad_input` when the asset is not in the terms or `units` is not whole base units
 */
export function quotePaying(terms: Terms, at: QuoteAt, asset: string, units: BaseUnits, toleranceBps?: number): Quote {
  const curve = curveOf(terms)
  const rate = BigInt(assetOf(terms, asset).creditsPerUnit)
  const { position } = stageAt(curve, toBigint(at.pos), Math.floor(at.time / 1000))
  const paid = toBigint(units)
  const fits = (curve.hardCap - position) / rate
  const accepted = paid < fits ? paid : fits
  const credits = accepted * rate
  const tokens = tokensFor(curve, position, credits)
  const near = nearBoundary(curve, position, paid * rate)
  const tolerance = toleranceBps ?? (near ? defaultTolerance.nearBoundary : defaultTolerance.elsewhere)
  // `min` speaks about the whole payment and shrinks with the accepted part, so scale it up where only a part fits.
  const least = minTokens(tokens, tolerance)
  const min = accepted === 0n ? 0n : (least * paid) / accepted
  return {
    asset,
    units,
    credits: toUnits(paid * rate),
    tokens: toUnits(tokens),
    overCap: toUnits(paid - accepted),
    min: toUnits(min),
    toleranceBps: tolerance,
    nearBoundary: near,
    averagePrice: averagePrice(curve, credits, tokens),
  }
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
