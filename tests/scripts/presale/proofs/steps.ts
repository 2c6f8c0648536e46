/**
 * Number 1: random orders through the judgement of orders, in random sales. After every one:
 *
 * 1. units = accepted + refund, and neither is below 0.
 * 2. The position is at most the hard cap, a buyer's credits at most the cap per wallet.
 * 3. All tokens so far are F(position), by a curve that shares no code with the product's; without time limits the position is
 *    what was raised. Tokens that an expired stage forfeited count as passed over.
 * 4. An order that gets tokens gets at least its minimum, in proportion to its accepted part.
 * 5. A refused order moves nothing; one that is taken in part leaves no room for another unit.
 *
 * A sale's chance depends on seed and number of the sale alone, so that any of them can be repeated.
 */
import { evaluateOrder, judgeOrder, orderRules } from '../../../../src/events/sale/payments/order.ts'
import type { Terms } from '../../../../src/events/sale/terms/terms.ts'
import { type Random, randomOf } from '../../../fuzz/random.ts'
import { type Curve, curveOf } from '../../../stack/solana/presale/curve.ts'
import { bigBelow, randomTerms } from './randomTerms.ts'
import { counted, countOne, mostTold, type OnDone, type ProofReport } from './report.ts'

type Judge = typeof judgeOrder
type Given = Parameters<Judge>[1]
type Judged = ReturnType<Judge>

type StepsAsked = {
  seed: number
  steps: number
  /** this sale alone, from its first step */
  sale?: number | undefined
  judge?: Judge
  onDone?: OnDone
}

const buyers = 40
const longestSale = 2_000
/** A sale ends after this many orders that came too late. */
const mostLate = 12
/** Each of this many steps is judged in text, too, as a page does it. */
const inText = 64

/** Judges random orders until there were enough. */
export function proveSteps({ seed, steps, sale, judge = judgeOrder, onDone }: StepsAsked): ProofReport {
  const statuses: Record<string, number> = {}
  const told: string[] = []
  let [done, sales, timed, violations] = [0, 0, 0, 0]
  for (let number = sale ?? 1; done < steps && (sale === undefined || sales === 0); number += 1) {
    const played = openSale(randomOf(`steps ${seed} ${number}`), judge)
    sales += 1
    if (played.isTimed) timed += 1
    for (let step = 1; done < steps && !played.isOver(); step += 1) {
      const { status, broken } = played.step()
      done += 1
      countOne(statuses, status)
      violations += broken.length
      for (const rule of broken.slice(0, mostTold - told.length))
        told.push(
          `sale ${number}, step ${step}: ${rule}; again: npm run presale:proof -- --part steps --seed ${seed} --sale ${number} --steps ${step}`,
        )
      // The sums of a sale are wrong after a violation
      if (broken.length > 0) break
    }
    onDone?.(done, steps)
  }
  return {
    proof: 'steps',
    number: 1,
    holds: violations === 0 && done > 0,
    figures: { seed, steps: done, sales, timed, violations, statuses, told },
    lines: [
      `${done} orders in ${sales} random sales, ${timed} of them with time limits, seed ${seed}: ${violations} violations`,
      counted(statuses),
      ...told,
    ],
  }
}

function openSale(random: Random, judge: Judge) {
  const terms = randomTerms(random)
  const curve = curveOf(terms as Parameters<typeof curveOf>[0])
  const rules = terms.assets.map(({ symbol }) => ({ symbol, rule: orderRules(terms, symbol) }))
  const ends = endsOf(terms)
  const maxBuyer = BigInt(terms.maxBuyer)
  const limits = { curve, maxBuyer, isTimed: ends.some(({ endsAt }) => endsAt !== undefined) }
  const length = 20 + random.below(longestSale)
  const sums: Sums = { position: 0n, raised: 0n, tokens: 0n, passed: 0n, below: 0n }
  const credits = Array.from({ length: buyers }, () => 0n)
  let seconds = terms.start - (random.oneIn(4) ? 3_600 : 0)
  /** Seconds between two orders: time and tokens end near the sale's last step. */
  const pace = Math.ceil((2 * (terms.end - seconds)) / length)
  const usual = (curve.hardCap * BigInt(1 + random.below(5))) / BigInt(length) + 1n
  let late = 0
  return {
    isTimed: limits.isTimed,
    isOver: () => late >= mostLate,
    step(): { status: string; broken: string[] } {
      seconds += random.below(pace)
      const buyer = random.below(buyers)
      const { symbol, rule } = random.pick(rules)
      const { position, raised } = sums
      const given: Given = {
        position,
        raised,
        buyerCredits: credits[buyer] ?? 0n,
        paused: random.oneIn(60),
        closed: random.oneIn(200),
        allowed: !random.oneIn(60),
        seen: random.oneIn(60),
        units: 0n,
        min: 0n,
        seconds,
      }
      given.units = unitsOf(random, terms, { rate: rule.creditsPerUnit, given, hardCap: curve.hardCap, usual })
      given.min = minOf(random, curve, { position, units: given.units, rate: rule.creditsPerUnit })
      const judged = judge(rule, given)
      const broken = brokenIn({ given, judged, rate: rule.creditsPerUnit, met: metAt(ends, given), sums, limits })
      if (random.oneIn(inText)) broken.push(...differentInText(terms, symbol, given, judged))
      credits[buyer] = judged.buyerCredits
      if (judged.status === 'sold_out' || seconds >= terms.end) late += 1
      return { status: judged.status, broken }
    },
  }
}

/** Ends of the stages on the curve. */
function endsOf({ stages }: Terms): { end: bigint; endsAt: number | undefined }[] {
  let end = 0n
  return stages.map(({ credits, endsAt }) => ({ end: (end += BigInt(credits)), endsAt }))
}

/** The position that an order meets after what expired stages forfeited. */
function metAt(ends: ReturnType<typeof endsOf>, { position, seconds }: Given): bigint {
  let met = position
  for (const { end, endsAt } of ends) if (endsAt !== undefined && endsAt <= seconds && met < end) met = end
  return met
}

/** @returns units of an order: a tenth near a limit of the terms, some tiny or huge, most of a usual size */
function unitsOf(
  random: Random,
  { minOrder, maxBuyer }: Terms,
  { rate, given, hardCap, usual }: { rate: bigint; given: Given; hardCap: bigint; usual: bigint },
): bigint {
  const least = BigInt(minOrder)
  const choice = random.below(1_000)
  if (choice < 60) return near(random, least, rate)
  if (choice < 100) return near(random, BigInt(maxBuyer) - given.buyerCredits, rate)
  if (choice < 102) return near(random, hardCap - given.position, rate)
  if (choice < 104) return bigBelow(random, hardCap / rate + 1n)
  if (choice < 106) return random.pick([2n ** 64n - 1n, bigBelow(random, 2n ** 64n)])
  if (choice < 120) return BigInt(random.below(3))
  if (choice < 200) return bigBelow(random, usual) / rate
  return (least + bigBelow(random, usual)) / rate + 1n
}

/** One unit less, as many as the credits pay for, or one more. */
function near(random: Random, credits: bigint, rate: bigint): bigint {
  const units = credits / rate + BigInt(random.below(3) - 1)
  return units > 0n ? units : 0n
}

/** Minimums at, just above and below what the whole order would get, and others. */
function minOf(
  random: Random,
  curve: Curve,
  { position, units, rate }: { position: bigint; units: bigint; rate: bigint },
): bigint {
  if (random.below(3) > 0) return random.oneIn(12) ? bigBelow(random, 10n ** 20n) : 0n
  const quoted = curve.tokens(position, units * rate)
  const min = quoted + BigInt(random.below(4) - 2)
  return min > 0n ? min : 0n
}

/** `tokens`: of all orders so far; `passed`: what expired stages forfeited; `below`: F at the position. */
type Sums = { position: bigint; raised: bigint; tokens: bigint; passed: bigint; below: bigint }

type Checked = {
  given: Given
  judged: Judged
  rate: bigint
  met: bigint
  sums: Sums
  limits: { curve: Curve; maxBuyer: bigint; isTimed: boolean }
}

/** Refusals that come before expired stages count. */
const beforeStages: ReadonlySet<string> = new Set(['early', 'late', 'paused', 'not_allowed', 'duplicate'])

/** @returns the broken rules, each with the numbers; the sums go on in place */
function brokenIn({ given, judged, rate, met, sums, limits: { curve, maxBuyer, isTimed } }: Checked): string[] {
  const { units, min } = given
  const { status, accepted, refund, tokens, position, raised, buyerCredits } = judged
  const isTaken = status === 'accepted' || status === 'partial'
  const from = beforeStages.has(status) ? given.position : met
  const credits = accepted * rate
  const broken: string[] = []
  if (accepted + refund !== units) broken.push(`units ${units} = accepted ${accepted} + refund ${refund}`)
  if (accepted < 0n || refund < 0n) broken.push(`no amount below 0, got accepted ${accepted}, refund ${refund}`)
  if (position > curve.hardCap) broken.push(`a position up to ${curve.hardCap}, got ${position}`)
  if (buyerCredits > maxBuyer) broken.push(`credits of a buyer up to ${maxBuyer}, got ${buyerCredits}`)
  if (isTaken ? accepted <= 0n || tokens <= 0n : accepted !== 0n || tokens !== 0n)
    broken.push(`tokens exactly for an order that is taken, got ${accepted} units accepted and ${tokens} tokens`)
  if (position !== from + credits) broken.push(`position ${from} + ${credits}, got ${position}`)
  if (raised !== given.raised + credits) broken.push(`raised ${given.raised} + ${credits}, got ${raised}`)
  if (buyerCredits !== given.buyerCredits + credits)
    broken.push(`credits of the buyer ${given.buyerCredits} + ${credits}, got ${buyerCredits}`)
  if (status === 'accepted' && refund !== 0n) broken.push(`no refund of a whole order, got ${refund}`)
  const room = leastOf(curve.hardCap - met, maxBuyer - given.buyerCredits)
  if (status === 'partial' && (accepted + 1n) * rate <= room)
    broken.push(`all of the room to be taken in part, got ${accepted} of ${units} units`)
  if (tokens * units < min * accepted)
    broken.push(`at least ${min} tokens for ${units} units, got ${tokens} for ${accepted}`)

  if (from !== given.position) sums.passed += curve.sold(from) - sums.below
  if (position !== given.position) sums.below = curve.sold(position)
  sums.tokens += tokens
  sums.position = position
  sums.raised = raised
  if (sums.tokens + sums.passed !== sums.below)
    broken.push(`${sums.below} tokens below position ${position}, got ${sums.tokens} sold and ${sums.passed} forfeited`)
  if (!isTimed && position !== raised)
    broken.push(`position = raised without time limits, got ${position} and ${raised}`)
  return broken.map(rule => `${status}: expected ${rule}`)
}

const leastOf = (a: bigint, b: bigint): bigint => (a < b ? a : b)

/** The same order in decimal text. */
function differentInText(terms: Terms, asset: string, given: Given, judged: Judged): string[] {
  const { paused, closed, allowed, seen, position, raised, buyerCredits, units, min, seconds } = given
  const state = { paused, closed, allowed, seen, position: `${position}`, raised: `${raised}` }
  const outcome = evaluateOrder(
    { ...state, buyerCredits: `${buyerCredits}` },
    { asset, units: `${units}`, min: `${min}`, time: seconds * 1000 },
    terms,
  )
  const names = Object.keys(judged) as (keyof Judged)[]
  return names.flatMap(name => {
    const [text, exact] = [outcome[name], `${judged[name]}`]
    return text === exact ? [] : [`${judged.status}: expected ${name} ${exact} in text, too, got ${text}`]
  })
}
