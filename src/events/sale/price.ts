/**
 * The price curve of a sale, in exact whole numbers.
 *
 * F(C) is how many token base units lie below curve position C. An order of c credits at position p gets
 * F(p + c) − F(p): splitting or merging orders changes nothing, and no rounding is lost between orders.
 * Positions and prices are credits (10^-12 US dollars), prices per whole token.
 */
import type { Terms } from './terms/termsShape.ts'

/** One stage on the curve: it reaches from `start` to `end`; `tokensBefore` = F(start). */
export type CurveStage = {
  name: string
  start: bigint
  end: bigint
  price: bigint
  tokensBefore: bigint
  /** Unix seconds at which the unsold rest of the stage is forfeited */
  endsAt: number | undefined
}

/** The curve of a sale: `whole` = base units in one token, `hardCap` = sum of the capacities. */
export type Curve = { stages: CurveStage[]; whole: bigint; hardCap: bigint; tokens: bigint }

/** @param terms only `stages` and `token.decimals` matter; read by `readTerms`, so prices are above 0 */
export function curveOf(terms: Pick<Terms, 'stages'> & { token: { decimals: number } }): Curve {
  const whole = 10n ** BigInt(terms.token.decimals)
  const stages: CurveStage[] = []
  let position = 0n
  let tokens = 0n
  for (const { name, credits, price, endsAt } of terms.stages) {
    const capacity = BigInt(credits)
    const stage = {
      name,
      start: position,
      end: position + capacity,
      price: BigInt(price),
      tokensBefore: tokens,
      endsAt,
    }
    stages.push(stage)
    position = stage.end
    tokens += (capacity * whole) / stage.price
  }
  return { stages, whole, hardCap: position, tokens }
}

/** F: token base units below `position`; positions outside the curve count as its nearer end */
export function tokensBelow(curve: Curve, position: bigint): bigint {
  if (position >= curve.hardCap) return curve.tokens
  if (position <= 0n) return 0n
  const stage = curve.stages[stageIndex(curve, position)]
  if (!stage) return curve.tokens
  return stage.tokensBefore + ((position - stage.start) * curve.whole) / stage.price
}

/** @returns token base units for `credits` paid at `position`; beyond the hard cap there is nothing */
export function tokensFor(curve: Curve, position: bigint, credits: bigint): bigint {
  return tokensBelow(curve, position + credits) - tokensBelow(curve, position)
}

/** @returns the fewest credits at `position` that give at least `tokens`; undefined when fewer tokens are left */
export function creditsFor(curve: Curve, position: bigint, tokens: bigint): bigint | undefined {
  if (tokens <= 0n) return 0n
  const target = tokensBelow(curve, position) + tokens
  if (target > curve.tokens) return undefined
  for (const stage of curve.stages) {
    // The least x with floor(x × whole / price) ≥ n is ceil(n × price / whole).
    const inStage = ceilDivide((target - stage.tokensBefore) * stage.price, curve.whole)
    if (stage.start + inStage <= stage.end) return stage.start + inStage - position
  }
  return undefined
}

/** @returns the fewest base units of an asset that are worth at least `credits` */
export function unitsFor(credits: bigint, creditsPerUnit: bigint): bigint {
  return ceilDivide(credits, creditsPerUnit)
}

/**
 * @param credits what was paid
 * @param tokens base units received, more than 0
 * @returns US dollars per whole token with 9 significant digits, the half rounded up, trailing zeros gone: `0.00096`
 */
export function averagePrice(curve: Curve, credits: bigint, tokens: bigint): string {
  if (tokens <= 0n || credits <= 0n) return '0'
  // Enough digits behind the point for 9 significant ones of any price that 39-digit numbers can make.
  const scale = 60
  const exact = (credits * curve.whole * 10n ** BigInt(scale - 12)) / tokens
  const spare = BigInt(Math.max(exact.toString().length - 9, 0))
  const step = 10n ** spare
  const rounded = ((exact + step / 2n) / step) * step
  const digits = rounded.toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, -scale) : `${digits.slice(0, -scale)}.${fraction}`
}

/** A position at a time. `index` is the number of stages when everything is sold or forfeited. */
type StageAt = { index: number; stage: CurveStage | undefined; position: bigint }

/**
 * @param seconds chain time in Unix seconds, as the terms count
 * @returns the position after every expired stage forfeited its unsold rest, and the stage it is in
 */
export function stageAt(curve: Curve, position: bigint, seconds: number): StageAt {
  let effective = position
  for (const stage of curve.stages) {
    if (stage.endsAt !== undefined && stage.endsAt <= seconds && effective < stage.end) effective = stage.end
  }
  const index = stageIndex(curve, effective)
  return { index, stage: curve.stages[index], position: effective }
}

/**
 * The fewest tokens a buyer accepts. One base unit is always allowed for, because other orders landing first may move
 * the rounding by one.
 *
 * @param quoted token base units shown
 * @param toleranceBps hundredths of a per cent, 0 to 10000
 */
export function minTokens(quoted: bigint, toleranceBps: number): bigint {
  const allowance = (quoted * BigInt(toleranceBps)) / 10_000n
  const least = quoted - (allowance > 1n ? allowance : 1n)
  return least > 0n ? least : 0n
}

/**
 * @returns whether an order ends within 2 % of its stage's capacity before the stage's end, or beyond it: then another
 * order landing first may change its price or cut it short
 */
export function nearBoundary(curve: Curve, position: bigint, credits: bigint): boolean {
  const stage = curve.stages[stageIndex(curve, position)]
  if (!stage) return true
  return position + credits >= stage.end - ((stage.end - stage.start) * 2n) / 100n
}

function stageIndex(curve: Curve, position: bigint): number {
  const index = curve.stages.findIndex(stage => position < stage.end)
  return index < 0 ? curve.stages.length : index
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
