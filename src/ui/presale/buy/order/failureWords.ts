/** Failure codes as sentences for people: the event, the effect on the money, the next step, in that order. */
import { leaveEnough } from '../afford.ts'
import type { Failure } from '../../../../runtime/failure.ts'
import {
  agreedByAll,
  askOf,
  failureOf,
  isMismatched,
  isPaid,
  isProved,
  type Order,
  type OrderIn,
  walletOf,
  wasSent,
} from '../../../../events/subjects/order.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { paid, sol } from '../../sale/figures.ts'

/** `last`: the verdict follows the sentence, since the verdict is about the money and the sentence about the event. */
type FailureWords = { verdict: string; sentence: string; last?: true }

/** Explains unusable terms. */
export function termsWords({ code, facts }: Failure): FailureWords {
  if (isOtherSale(facts?.rule)) return otherSale
  switch (code) {
    case 'unsupported':
      return noSale
    case 'terms_changed':
      return changed
    case 'wrong_cluster':
      return wrongCluster
    case 'treasury_mismatch':
      return treasury
    case 'unreachable':
    case 'offline':
    case 'timeout':
    case 'rate_limited':
      return { verdict: 'The sale terms do not load.', sentence: 'Buying is off until they do.' }
    default:
      return { verdict: 'The published terms cannot be read.', sentence: 'Buying is off. Do not pay.' }
  }
}

/** Explains an unusable terms document. */
export function legalWords({ code }: Failure): FailureWords {
  if (code === 'terms_invalid')
    return {
      verdict: 'The sale terms document is not the one the team signed.',
      sentence: 'It cannot be accepted. Buying is off.',
    }
  return { verdict: 'The sale terms document does not load.', sentence: 'Buying is off until it does.' }
}

/** Explains a contradiction between chain and files. */
export function distrustWords({ code, facts }: Failure): FailureWords {
  if (isOtherSale(facts?.rule)) return otherSale
  switch (code) {
    case 'unsupported':
      return noSale
    case 'terms_changed':
      return changed
    case 'wrong_cluster':
      return wrongCluster
    case 'treasury_mismatch':
      return treasury
    case 'terms_invalid':
      return { verdict: 'These are not the terms the team announced.', sentence: 'Buying is off. Do not pay.' }
    default:
      return { verdict: 'Two sources disagree.', sentence: 'Buying is off.' }
  }
}
/** The file belongs to another sale than this page's. */
function isOtherSale(rule: string | number | undefined): boolean {
  return rule === 'SALE_AUTHORITY' || rule === 'SALE_ID'
}
const otherSale = { verdict: 'These terms belong to another sale.', sentence: 'Buying is off. Do not pay.' }
const noSale = { verdict: 'This page has no sale.', sentence: 'There is nothing to buy here.' }
const changed = { verdict: 'We cannot confirm these terms.', sentence: 'Buying is off until the team signs them.' }
const wrongCluster = { verdict: 'This is another network than the terms name.', sentence: 'Buying is off.' }
const treasury = { verdict: 'The treasury does not match the terms.', sentence: 'Do not pay.' }

/**
 * Words for an order that ended without a payment, or whose end is unknown.
 *
 * @param order in a dead end or `unknown`
 * @param wasLate its wallet answered after the request expired
 */
export function orderWords(order: Order, terms: Terms | undefined, wasLate = false): FailureWords {
  const wallet = walletWords(order)
  const asset = terms?.assets.find(listed => listed.symbol === order.asset)
  const amount = asset ? paid(order.units, asset) : `the ${order.asset}`
  if (order.phase === 'expired') return expiredWords(order, amount, wasLate)
  if (isMismatched(order)) {
    return {
      verdict: 'This is not the payment you agreed to.',
      sentence: `${wallet} signed something else, and the network took it. Move what is left to a new wallet, and tell the team.`,
    }
  }
  if (order.phase === 'unknown') return unknownWords(order, wasLate)
  if (order.phase === 'failedOnChain')
    return { verdict: 'The network refused the payment.', sentence: 'Only the network fee was charged.' }
  return reasonWords(order, asset?.symbol ?? order.asset)
}

/** An answer of some providers only is attributed to them; a second payment of the same order is refunded. */
function expiredWords(order: OrderIn<'expired'>, amount: string, wasLate: boolean): FailureWords {
  const wallet = walletWords(order)
  const isLate = wasLate || order.signed !== undefined
  const why = wasSent(order)
    ? 'The network did not take the payment in time'
    : `${wallet} ${isLate ? 'answered too late' : 'did not answer in time'}`
  if (agreedByAll(order))
    return {
      verdict: `Your ${amount} ${isOne(amount) ? 'is' : 'are'} still in your wallet.`,
      sentence: `${why}, and ${wasSent(order) ? 'it' : 'the payment'} can no longer arrive.`,
      last: true,
    }
  return {
    verdict: 'No payment was seen.',
    sentence: `${why}, as far as ${providersWords(order.proof.providers)} can see. If it arrives after all, one of two payments is refunded.`,
  }
}

function isOne(amount: string): boolean {
  return amount.startsWith('1 ')
}

function providersWords(count: number): string {
  return count === 1 ? 'one network provider' : `${count} network providers`
}

/** @returns the note that providers disagree; undefined if none gave a false answer about the order */
export function disputeWords(order: Order): FailureWords | undefined {
  if (!('lying' in order) || order.lying === undefined || isPaid(order)) return undefined
  const { lying } = order
  return lying === 1
    ? { verdict: 'Network providers disagree.', sentence: 'One gave a false answer. What it says does not count.' }
    : { verdict: 'Network providers disagree.', sentence: `${lying} gave false answers. What they say does not count.` }
}

/** @returns the note about providers that do not say whether the payment can still arrive; undefined if all do */
export function silenceWords(order: Order): FailureWords | undefined {
  if (!('silent' in order) || order.silent === undefined || isPaid(order)) return undefined
  const { silent } = order
  const verdict = `No answer from ${silent.join(' and ')}.`
  if (isProved(order)) return { verdict, sentence: `The end of the payment was judged without ${silentOnes(silent)}.` }
  return { verdict, sentence: `Without ${silentOnes(silent)} it takes longer to be sure.` }
}

/** @returns the note that only some providers call the payment final; undefined if all do */
export function finalWords(order: Order): FailureWords | undefined {
  if (!isPaid(order) || order.finalBy === undefined) return undefined
  const verdict = `Final, as far as ${providersWords(order.finalBy)} can see.`
  return { verdict, sentence: 'Another one has not said so. Look again later.' }
}

function silentOnes({ length }: readonly string[]): string {
  return length === 1 ? 'this network provider' : 'these network providers'
}

/** The payment's fate is unknown; a new request waits until it is certain. */
function unknownWords(order: OrderIn<'unknown'>, wasLate: boolean): FailureWords {
  const { signed, ask } = order
  const wallet = walletWords(order)
  if (signed && !wasSent(order))
    return { verdict: `${wallet} answered too late.`, sentence: `We did not send the payment. ${soon}` }
  if (signed)
    return { verdict: 'The network did not take the payment.', sentence: `It may still arrive, once. ${soon}` }
  if (wasLate && ask.means === 'sign')
    return { verdict: `${wallet} answered too late.`, sentence: `Its answer is not used and nothing was sent. ${soon}` }
  if (wasLate)
    return { verdict: `${wallet} answered too late.`, sentence: 'If it sent the payment, it will show up here.' }
  return { verdict: `${wallet} has not answered.`, sentence: 'If you approved it, the payment will show up here.' }
}
const soon = 'You can pay again as soon as it is sure that it cannot arrive.'

/** The wallet's name; an order refused without a wallet has none. */
function walletWords(order: Order): string {
  return walletOf(order) || 'Your wallet'
}

const unforeseen: FailureWords = { verdict: 'Nothing was paid.', sentence: 'The payment could not be made.' }

/** Reasons for an end before anything was sent. Nothing was paid in any of them. One function: a table of words by code. */
function reasonWords(order: Order, symbol: string): FailureWords {
  const failure = failureOf(order)
  const wallet = walletWords(order)
  const short = shortfall(failure)
  switch (failure?.code) {
    case 'user_rejected':
      return {
        verdict: 'You declined.',
        sentence:
          askOf(order)?.means === 'signAndSend' && !isProved(order)
            ? `${wallet} says that nothing was paid.`
            : 'Nothing was paid.',
      }
    case 'unauthorized':
      if (failure.facts?.rule === 'ALLOWLIST')
        return { verdict: 'Nothing was sent.', sentence: 'This wallet is not on the list of this sale.' }
      // In `rejected` only this page sets this code; in other phases it may come from an RPC that refuses the page
      if (order.phase !== 'rejected') return unforeseen
      return {
        verdict: `${wallet} was not asked.`,
        sentence: 'Another wallet here looks like it. Connect again to choose yours.',
      }
    case 'bad_input':
      if (failure.facts?.rule !== 'MAX_BUYER') return unforeseen
      return { verdict: 'Nothing was sent.', sentence: 'With what this wallet bought before it would pass the limit.' }
    case 'wallet_changed_tx':
      return { verdict: `${wallet} changed the payment.`, sentence: 'We did not send it.' }
    case 'account_changed':
      return { verdict: 'Your wallet switched to another account.', sentence: 'Nothing was paid.' }
    case 'wallet_gone':
    case 'wallet_locked':
      return { verdict: `${wallet} is not there.`, sentence: 'Nothing was paid. Open or unlock it and pay again.' }
    case 'insufficient_sol':
    case 'account_not_found':
      return { verdict: `Not enough SOL${short}.`, sentence: 'Nothing was paid.' }
    case 'insufficient_token':
      return { verdict: `Not enough ${symbol}${short}.`, sentence: 'Nothing was paid.' }
    case 'core_lost':
      return { verdict: 'Nothing was paid.', sentence: 'The page was reloaded before your wallet was asked.' }
    case 'rent':
      if (failure.facts?.whose === 'treasury')
        return { verdict: 'Nothing was paid.', sentence: 'The treasury is not ready for payments. Tell the team.' }
      return { verdict: 'Nothing was paid.', sentence: leaveEnough }
    case 'no_token_account':
      return { verdict: `This wallet holds no ${symbol}.`, sentence: 'Nothing was paid. Pay with SOL instead.' }
    case 'stale_quote':
      return {
        verdict: 'Nothing was sent.',
        sentence: `The price moved${meanwhile(order)}. You would have got less than your minimum.`,
      }
    case 'sold_out':
      return { verdict: 'Nothing was sent.', sentence: `The sale sold out${meanwhile(order)}.` }
    case 'paused':
      return { verdict: 'Nothing was sent.', sentence: 'The team paused the sale.' }
    case 'ended':
      return { verdict: 'Nothing was sent.', sentence: 'The sale has ended.' }
    case 'not_started':
      return { verdict: 'Nothing was sent.', sentence: 'The sale has not opened yet.' }
    case 'terms_changed':
      if (failure.facts?.rule === 'PINNED')
        return { verdict: 'Nothing was sent.', sentence: 'The sale changed. Look at what changed before you pay.' }
      return { verdict: 'Nothing was sent.', sentence: 'The terms changed. Reload and read them again before you pay.' }
    case 'treasury_mismatch':
    case 'decimals':
      if (failure.facts?.rule === 'BUILT')
        return {
          verdict: 'Nothing was sent.',
          sentence: 'This page built another payment than you agreed to. Do not pay here.',
        }
      return { verdict: 'Nothing was sent.', sentence: 'The sale on the chain does not match its terms. Do not pay.' }
    case 'expired':
    case 'blockhash_not_found':
      return { verdict: 'Nothing was sent.', sentence: 'The payment expired before it was approved.' }
    case 'unreachable':
    case 'offline':
    case 'timeout':
    case 'rate_limited':
    case 'rpc_lying':
      return { verdict: 'Nothing was paid.', sentence: 'Solana isn’t responding.' }
    case 'storage_down':
      return { verdict: 'Nothing was paid.', sentence: 'This browser cannot keep a record, so buying is off here.' }
    case 'reload_needed':
      return { verdict: 'Nothing was sent.', sentence: 'Part of this page has been replaced. Reload it.' }
    default:
      return unforeseen
  }
}

/** Time of an interruption: an order without a request to the wallet was refused at the press. */
function meanwhile(order: Order): string {
  return askOf(order) ? ' while you were signing' : ''
}

/** `: 0.250006 SOL short, fee included` if the failure gives the missing lamports, else empty. */
function shortfall(failure: Failure | undefined): string {
  const missing = failure?.facts?.short ?? failure?.facts?.missing
  if (missing === undefined || !/^[0-9]+$/.test(String(missing)) || failure?.code === 'insufficient_token') return ''
  return `: ${paid(String(missing), sol)} short, fee included`
}
