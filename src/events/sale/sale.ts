/**
 * The sale as any visitor can compute it from the terms, the newest checkpoint and the treasury's balances.
 *
 * 1. Stage and price follow from the checkpoint and from payments checked one by one, never from balances: anybody may send
 *    money that must be refunded.
 * 2. Money received since the checkpoint is shown as received. It only tells how far the position may have moved.
 *
 * @see reference "Presale", §8
 */
import { type BaseUnits, toBigint, toUnits, greater, lesser } from '../values/amount.ts'
import { curveOf, stageAt, tokensBelow } from './price.ts'
import type { Terms } from './terms/termsShape.ts'

/** A point from which to count: a checkpoint, or the baseline that holds nothing but balances. */
type SaleMark = {
  /** chain time, ms */
  time: number
  /** treasury balance by asset symbol, in base units; an asset that is not listed counts as 0 */
  balances: Record<string, BaseUnits>
  raised: BaseUnits
  pos: BaseUnits
  /** token base units sold by then; default: all below `pos`, which holds unless a stage's time ran out before */
  tokens?: BaseUnits
}

/** @returns the mark before the first order: balances of that time are not money raised */
export function baseline(balances: Record<string, BaseUnits>, time = 0): SaleMark {
  return { time, balances, raised: '0', pos: '0' }
}

/** State of the operator's notices. */
type SaleNotices = { paused: boolean; closed: boolean; result?: 'success' | 'failed' }

type SaleState = 'soon' | 'live' | 'paused' | 'soldOut' | 'ended' | 'succeeded' | 'failed'

/** The stage being sold. Prices are credits per whole token, capacity and what is left are credits. */
type SaleStage = {
  index: number
  name: string
  price: BaseUnits
  capacity: BaseUnits
  filled: BaseUnits
  left: BaseUnits
  tokensLeft: BaseUnits
  /** chain time, ms */
  endsAt?: number
}

/** The next stage: reached when `inCredits` more are raised, or at `at` (chain time, ms) if that comes first. */
type SaleNext = { index: number; name: string; price: BaseUnits; inCredits: BaseUnits; at?: number }

/** The sale as the page shows it. Credits unless said otherwise. */
export type Sale = {
  state: SaleState
  /** chain time, ms */
  time: number
  /** raised up to the mark, as the authority signed it */
  audited: BaseUnits
  /** received since the mark and unjudged; null when money has left the treasury, which hides the amount */
  received: BaseUnits | null
  /** the position that stage and price are read at */
  pos: BaseUnits
  /** `pos` without any payment since the mark, and if everything received counts; the hard cap where that is unknown */
  auditedPos: BaseUnits
  mostPos: BaseUnits
  hardCap: BaseUnits
  softCap: BaseUnits
  softCapReached: boolean
  remaining: BaseUnits
  /** token base units sold up to the mark */
  sold: BaseUnits
  forSale: BaseUnits
  tokensLeft: BaseUnits
  stage: SaleStage | null
  next: SaleNext | null
}

/**
 * Reads the sale.
 *
 * @param mark the newest valid checkpoint, or `baseline(…)`
 * @param balances treasury balance of every asset of the terms, by symbol, in base units
 * @param chainTime ms, from the Clock sysvar
 * @param checkedSince credits of payments after the mark that were read one by one and can be accepted
 * @throws Fault `bad_input` when an amount is not whole base units
 */
export function readSale(
  terms: Terms,
  mark: SaleMark,
  balances: Record<string, BaseUnits>,
  chainTime: number,
  notices: SaleNotices = { paused: false, closed: false },
  checkedSince = 0n,
): Sale {
  const curve = curveOf(terms)
  const received = receivedSince(terms, mark, balances)
  const now = seconds(chainTime)
  const from = stageAt(curve, toBigint(mark.pos), seconds(mark.time)).position
  const after = (credits: bigint) => stageAt(curve, lesser(from + credits, curve.hardCap), now)
  const { position, index, stage } = after(checkedSince)
  const unmoved = after(0n).position
  // All of it may have come after the end of a stage whose time ran out
  const most = received === undefined ? curve.hardCap : unmoved + greater(received, checkedSince)
  const remaining = curve.hardCap - position
  const following = curve.stages[index + 1]
  return {
    state: stateOf(terms, remaining, now, notices),
    time: chainTime,
    audited: mark.raised,
    received: received === undefined ? null : toUnits(received),
    pos: toUnits(position),
    auditedPos: toUnits(unmoved),
    mostPos: toUnits(lesser(most, curve.hardCap)),
    hardCap: toUnits(curve.hardCap),
    softCap: terms.softCap,
    softCapReached: toBigint(mark.raised) >= toBigint(terms.softCap),
    remaining: toUnits(remaining),
    sold: mark.tokens ?? toUnits(tokensBelow(curve, toBigint(mark.pos))),
    forSale: toUnits(curve.tokens),
    tokensLeft: toUnits(curve.tokens - tokensBelow(curve, position)),
    stage: stage
      ? {
          index,
          name: stage.name,
          price: toUnits(stage.price),
          capacity: toUnits(stage.end - stage.start),
          filled: toUnits(position - stage.start),
          left: toUnits(stage.end - position),
          tokensLeft: toUnits(tokensBelow(curve, stage.end) - tokensBelow(curve, position)),
          ...(stage.endsAt === undefined ? {} : { endsAt: stage.endsAt * 1000 }),
        }
      : null,
    next:
      stage && following
        ? {
            index: index + 1,
            name: following.name,
            price: toUnits(following.price),
            inCredits: toUnits(stage.end - position),
            ...(stage.endsAt === undefined ? {} : { at: stage.endsAt * 1000 }),
          }
        : null,
  }
}

/** @returns whether nothing is left to buy if everything received counts, as far as known: some of it may have to be refunded */
export function mayBeSoldOut(terms: Terms, { state, received, hardCap, mostPos }: Sale): boolean {
  return state === 'live' && received !== null && isBelowEachUnit(terms, toBigint(hardCap) - toBigint(mostPos))
}

/** @returns whether the sale goes on no more, whatever was sold */
export function isOver({ state }: Sale): boolean {
  return state === 'ended' || state === 'succeeded' || state === 'failed'
}

/** @returns whether the credits that remain are worth less than one base unit of every asset */
function isBelowEachUnit({ assets }: Terms, remaining: bigint): boolean {
  return assets.every(asset => remaining < BigInt(asset.creditsPerUnit))
}

/** @returns credits received since the mark; undefined when a balance fell: money has left, by an unknown amount */
function receivedSince(terms: Terms, mark: SaleMark, balances: Record<string, BaseUnits>): bigint | undefined {
  let credits = 0n
  for (const { symbol, creditsPerUnit } of terms.assets) {
    const gained = toBigint(own(balances, symbol)) - toBigint(own(mark.balances, symbol))
    if (gained < 0n) return undefined
    credits += gained * BigInt(creditsPerUnit)
  }
  return credits
}

function own(balances: Record<string, BaseUnits>, symbol: string): BaseUnits {
  return Object.hasOwn(balances, symbol) ? (balances[symbol] ?? '0') : '0'
}

function stateOf(terms: Terms, remaining: bigint, now: number, notices: SaleNotices): SaleState {
  if (notices.result) return notices.result === 'success' ? 'succeeded' : 'failed'
  if (now >= terms.end || notices.closed) return 'ended'
  if (isBelowEachUnit(terms, remaining)) return 'soldOut'
  if (notices.paused) return 'paused'
  return now < terms.start ? 'soon' : 'live'
}

/** Terms count in Unix seconds, the log in ms. */
function seconds(ms: number): number {
  return Math.floor(ms / 1000)
}
