/** Failure codes as sentences for people: the event, the effect on the money, the next step, in that order. */
import { leaveEnough } from '../afford.ts'
import type { Failure } from '../../../../runtime/failure.ts'
import {
  agreedByAll,
  askOf,
  failureOf,
  isHidden,
  isMismatched,
  isOnlySaid,
  isPaid,
  isProved,
  type Order,
  type OrderIn,
  walletOf,
  wasSent,
} from '../../../../events/subjects/order/order.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { sol } from '../../sale/figures.ts'
import type { SaleWords } from '../../saleWords.ts'

/** A verdict and a sentence. */
type Pair = readonly [verdict: string, sentence: string]

/** `last`: the verdict follows the sentence, since the verdict is about the money and the sentence about the event. */
type FailureWords = { verdict: string; sentence: string; last?: true }

const words = ([verdict, sentence]: Pair): FailureWords => ({ verdict, sentence })

/** Explains unusable terms. */
export function termsWords({ buy }: SaleWords, { code, facts }: Failure): FailureWords {
  const { blocked } = buy
  const other = otherTerms(buy, facts)
  if (other) return words(other)
  switch (code) {
    case 'unsupported':
      return words(blocked.noSale)
    case 'terms_changed':
      return words(blocked.unsigned)
    case 'wrong_cluster':
      return words(blocked.wrongCluster)
    case 'treasury_mismatch':
      return words(blocked.treasury)
    case 'unreachable':
    case 'offline':
    case 'timeout':
    case 'rate_limited':
      return words(blocked.termsLoad)
    default:
      return words(blocked.termsUnread)
  }
}

/** Explains an unusable terms document. */
export function legalWords({ buy: { blocked } }: SaleWords, { code }: Failure): FailureWords {
  return words(code === 'terms_invalid' ? blocked.documentAltered : blocked.documentLoad)
}

/** Explains a contradiction between chain and files. */
export function distrustWords({ buy }: SaleWords, { code, facts }: Failure): FailureWords {
  const { blocked } = buy
  const other = otherTerms(buy, facts)
  if (other) return words(other)
  switch (code) {
    case 'unsupported':
      return words(blocked.noSale)
    case 'terms_changed':
      return words(facts?.rule === 'FROZEN' ? blocked.frozen : blocked.unsigned)
    case 'wrong_cluster':
      return words(blocked.wrongCluster)
    case 'treasury_mismatch':
      return words(blocked.treasury)
    case 'decimals':
      return words(blocked.noMatch)
    case 'terms_invalid':
      return words(blocked.notAnnounced)
    default:
      return words(blocked.disagree)
  }
}
/** The file belongs to another sale than this page's, or to one that this page cannot hold. */
function otherTerms({ blocked, otherBackend }: SaleWords['buy'], facts: Failure['facts']): Pair | undefined {
  const { rule, expected, got } = facts ?? {}
  if (rule === 'TERMS_BACKEND') return otherBackend(`${expected}`, `${got}`)
  return rule === 'SALE_AUTHORITY' || rule === 'SALE_ID' ? blocked.otherSale : undefined
}

/**
 * Words for an order that ended without a payment, or whose end is unknown.
 *
 * @param order in a dead end or `unknown`
 * @param wasLate its wallet answered after the request expired
 */
export function orderWords(t: SaleWords, order: Order, terms: Terms | undefined, wasLate = false): FailureWords {
  const wallet = walletWords(t, order)
  const asset = terms?.assets.find(listed => listed.symbol === order.asset)
  const amount = asset ? t.figures.paid(order.units, asset) : t.order.theAsset(order.asset)
  if (order.phase === 'expired') return expiredWords(t, order, amount, wasLate)
  if (isMismatched(order)) return words(t.order.mismatched(wallet))
  if (order.phase === 'unknown') return words(unknownWords(t, order, wasLate))
  if (order.phase === 'failedOnChain') return words(onChainWords(t, order, asset?.symbol ?? order.asset))
  return words(reasonWords(t, order, asset ?? { symbol: order.asset }))
}

/** The fee is the wallet's to raise, within a limit. */
function onChainWords(t: SaleWords, { built, failure }: OrderIn<'failedOnChain'>, symbol: string): Pair {
  const { refused, feeOnly } = t.order.onChain
  const fee = feeOnly(t.figures.paid(built.fee, sol))
  return [refused, failure.facts?.name === undefined ? fee : `${fee} ${programWords(t, failure, symbol)}`]
}

/** Explains the error of a transaction that landed, or failed its trial, where it is known; else names it. */
function programWords(t: SaleWords, { facts = {} }: Failure, symbol: string): string {
  const { reasons, onChain } = t.order
  const { name, custom } = facts
  const isToken = symbol !== sol.symbol
  if (name === 'InsufficientFundsForRent') return rentWords(t, facts, symbol) ?? onChain.programSays(name)
  if (name === 'InsufficientFundsForFee' || name === 'AccountNotFound') return reasons.notEnough(sol.symbol)
  if (name === 'ComputationalBudgetExceeded' || name === 'ProgramFailedToComplete') return onChain.outOfUnits
  if (name === 'Custom' && custom === 1) return reasons.notEnough(symbol)
  if (name === 'Custom' && custom === 17 && isToken) return onChain.frozen(symbol)
  if (name === 'Custom' && custom === 18 && isToken) return reasons.noMatch
  // As validators write it, no other text
  const said = typeof name === 'string' && /^[A-Za-z]{1,60}$/.test(name) ? name : 'Unreadable'
  return onChain.programSays(typeof custom === 'number' ? `${said} ${custom}` : said)
}

/**
 * Names who has too little SOL for rent. `account` is the place in the transaction: first is the payer, and a payment in SOL changes no
 * other account but the treasury. One in tokens moves no SOL between accounts, so that its other places tell nothing.
 */
function rentWords(t: SaleWords, { whose, account = 0 }: Failure['facts'] = {}, symbol: string): string | undefined {
  if (whose !== 'treasury' && account === 0) return leaveEnough(t)
  return whose === 'treasury' || symbol === sol.symbol ? t.order.reasons.treasuryUnready : undefined
}

/** An answer of some providers only is attributed to them; a second payment of the same order is refunded. */
function expiredWords(t: SaleWords, order: OrderIn<'expired'>, amount: string, wasLate: boolean): FailureWords {
  const wallet = walletWords(t, order)
  const { expired } = t.order
  const isLate = wasLate || order.signed !== undefined
  const isSent = wasSent(order)
  const why = isSent ? expired.notTaken : isLate ? expired.tooLate(wallet) : expired.noAnswer(wallet)
  if (agreedByAll(order))
    return {
      verdict: expired.stillYours(amount),
      sentence: isSent ? expired.sentGone(why) : expired.unsentGone(why),
      last: true,
    }
  return { verdict: expired.notSeen, sentence: expired.notSeenBy(why, order.proof.providers) }
}

/** @returns the note that providers disagree; undefined if none gave a false answer about the order */
export function disputeWords({ order: texts }: SaleWords, order: Order): FailureWords | undefined {
  if (!('lying' in order) || order.lying === undefined || isPaid(order)) return undefined
  return { verdict: texts.disagree, sentence: texts.lying(order.lying) }
}

/** @returns the note about providers that do not say whether the payment can still arrive; undefined if all do */
export function silenceWords({ order: texts }: SaleWords, order: Order): FailureWords | undefined {
  if (!('silent' in order) || order.silent === undefined || isPaid(order)) return undefined
  const { silent } = order
  const sentence = isProved(order) ? texts.judgedWithout(silent.length) : texts.longerWithout(silent.length)
  return { verdict: texts.noAnswerFrom(silent), sentence }
}

/** @returns the note that only some providers call the payment final; undefined if all do */
export function finalWords({ order: texts }: SaleWords, order: Order): FailureWords | undefined {
  if (!isPaid(order) || order.finalBy === undefined) return undefined
  return { verdict: texts.finalFor(order.finalBy), sentence: texts.finalForNote }
}

/** The payment's fate is unknown; a new request waits until it is certain. */
function unknownWords(t: SaleWords, order: OrderIn<'unknown'>, wasLate: boolean): Pair {
  const { signed, ask } = order
  const { unknown } = t.order
  const wallet = walletWords(t, order)
  if (isHidden(order)) return unknown.hidden()
  if (signed) return wasSent(order) ? unknown.mayArrive() : unknown.lateUnsent(wallet)
  if (!wasLate) return unknown.noAnswer(wallet)
  return ask.means === 'sign' ? unknown.lateUnused(wallet) : unknown.lateMayShow(wallet)
}

/** The wallet's name; an order refused without a wallet has none. */
function walletWords({ order: texts }: SaleWords, order: Order): string {
  return walletOf(order) || texts.yourWallet
}

/** @returns why the sale, this device or the network took no payment; undefined where the failure is about something else */
export function saleReason({ order }: SaleWords, { code, facts }: Failure, isSigning = false): Pair | undefined {
  const { reasons, nothingPaid, nothingSent } = order
  switch (code) {
    case 'stale_quote':
      return [nothingSent, isSigning ? reasons.priceMovedSigning : reasons.priceMoved]
    case 'sold_out':
      return [nothingSent, isSigning ? reasons.soldOutSigning : reasons.soldOut]
    case 'paused':
      return [nothingSent, reasons.paused]
    case 'ended':
      return [nothingSent, reasons.ended]
    case 'not_started':
      return [nothingSent, reasons.notOpen]
    case 'terms_changed':
      return [nothingSent, ['PINNED', 'FROZEN'].includes(`${facts?.rule}`) ? reasons.saleChanged : reasons.termsChanged]
    case 'treasury_mismatch':
    case 'decimals':
      return [nothingSent, facts?.rule === 'BUILT' ? reasons.otherPayment : reasons.noMatch]
    case 'unreachable':
    case 'offline':
    case 'timeout':
    case 'rate_limited':
    case 'rpc_lying':
      return [nothingPaid, reasons.solanaSilent]
    case 'storage_down':
      return [nothingPaid, reasons.noRecord]
    case 'reload_needed':
      return [nothingSent, reasons.partReplaced]
    default:
      return undefined
  }
}

/** Reasons for an end before anything was sent. Nothing was paid in any of them. One function: a table of words by code. */
function reasonWords(t: SaleWords, order: Order, asset: Paid): Pair {
  const failure = failureOf(order)
  const wallet = walletWords(t, order)
  const { reasons, nothingPaid, nothingSent } = t.order
  const unforeseen: Pair = [nothingPaid, reasons.notMade]
  // An order without a request to the wallet was refused at the press
  const isSigning = askOf(order) !== undefined
  switch (failure?.code) {
    case 'user_rejected':
      return [reasons.declined, isOnlySaid(order) ? reasons.saysNotPaid(wallet) : nothingPaid]
    case 'unauthorized':
      if (failure.facts?.rule === 'ALLOWLIST') return [nothingSent, reasons.notOnList]
      // In `rejected` only this page sets this code; in other phases it may come from an RPC that refuses the page
      return order.phase === 'rejected' ? [reasons.notAsked(wallet), reasons.lookalike] : unforeseen
    case 'bad_input':
      return failure.facts?.rule === 'MAX_BUYER' ? [nothingSent, reasons.overLimit] : unforeseen
    case 'busy':
      if (failure.facts?.rule === 'PAID_UNSURE') return [nothingSent, reasons.paidUnsure]
      return failure.facts?.rule === 'PAID_BESIDE' ? [nothingSent, reasons.paidBeside] : unforeseen
    case 'wallet_changed_tx':
      return [reasons.changedPayment(wallet), reasons.notSentByUs]
    case 'account_changed':
      return [reasons.switchedAccount, nothingPaid]
    case 'unsupported':
      return failure.facts?.rule === 'WALLET_NETWORK' ? [nothingPaid, reasons.notOnNetwork] : unforeseen
    case 'wallet_gone':
    case 'wallet_locked':
      return [reasons.notThere(wallet), reasons.unlock]
    case 'insufficient_sol':
    case 'account_not_found':
      return [notEnough(t, sol, failure, t.buy.shortWithFee), nothingPaid]
    case 'insufficient_token':
      return [notEnough(t, asset, failure, t.buy.short), nothingPaid]
    case 'core_lost':
      return [nothingPaid, reasons.reloaded]
    case 'rent':
      return [nothingPaid, rentWords(t, failure.facts, asset.symbol) ?? reasons.notMade]
    case 'compute':
    case 'simulation_failed':
      if (failure.facts?.name === undefined) return unforeseen
      return [nothingPaid, `${reasons.notMade} ${programWords(t, failure, asset.symbol)}`]
    case 'no_token_account':
      return [reasons.holdsNone(asset.symbol), nothingPaid]
    case 'expired':
    case 'blockhash_not_found':
      return [nothingSent, reasons.tooSlow]
    default:
      return (failure && saleReason(t, failure, isSigning)) ?? unforeseen
  }
}

/** The asset of an order; its decimals are unknown before the terms are. */
type Paid = { symbol: string; decimals?: number }

/** Names what is missing, if the failure gives it. */
function notEnough(
  t: SaleWords,
  { symbol, decimals }: Paid,
  { facts }: Failure,
  why: (amount: string) => string,
): string {
  const { reasons } = t.order
  const missing = String(facts?.short ?? facts?.missing)
  if (decimals === undefined || !/^[0-9]+$/.test(missing)) return reasons.notEnough(symbol)
  return reasons.notEnoughBy(symbol, why(t.figures.paid(missing, { symbol, decimals })))
}
