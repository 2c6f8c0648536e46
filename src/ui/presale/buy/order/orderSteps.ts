/** Progress of an order as steps: solid is done, hatched is in progress, hollow is to come. */
import {
  agreedByAll,
  blocksLeft,
  blocksOnTop,
  finalityBlocks,
  isAlarm,
  isDead,
  isHidden,
  isOpen,
  walletOf,
  type Order,
  type OrderView,
  wasSent,
} from '../../../../events/subjects/order/order.ts'
import { shortAddress } from '../../../../events/values/solana/shortAddress.ts'
import type { AccountedRow } from '../../../../events/subjects/sale/purchase.ts'
import type { OrderPhase } from '../../../../events/subjects/order/orderState.ts'
import { secondsText } from '../../sale/figures.ts'
import type { SaleWords } from '../../saleWords.ts'
import type { Action } from './nextAction.ts'

export type OrderStep = { look: 'done' | 'now' | 'next'; title: string; sub?: string; when?: string }

/** Time a payment may stay unseen before that is said, ms. */
const slowMs = 5000
/** Time of a block on average, ms. */
const blockMs = 400

/** The current step of each phase: approved 0, sent 1, confirmed 2, final 3, judged 4. */
const reached: Partial<Record<OrderPhase, number>> = {
  signed: 1,
  sending: 1,
  seen: 2,
  confirmed: 3,
  finalised: 4,
  accounted: 4,
}

/**
 * @param asking progress of the request to the wallet
 * @param end the payment's judgement in a word, once it is known
 * @param at the time, ms
 * @returns the five steps of an order outside a dead end
 */
export function stepsOf(t: SaleWords, order: Order, asking = '', end?: Judged, at = Infinity): OrderStep[] {
  const texts = t.order.steps
  const isSlow = at - (order.times.sending ?? at) >= slowMs
  const now = order.phase === 'unknown' ? (order.signed ? 1 : 0) : (reached[order.phase] ?? 0)
  const { times } = order
  return stepNames(order, now).map(({ at: when, ...step }, index) => {
    if (index === 4 && end) return { look: end.look === 'solid' ? 'done' : 'next', title: end.word }
    if (index < now)
      return { look: 'done', title: step.done, ...(when === undefined ? {} : { when: `${secondsText(when)} UTC` }) }
    if (index === now) {
      const far = howFar(t, order)
      return { look: 'now', title: step.now, ...(step.sub ? { sub: step.sub } : {}), ...(far ? { when: far } : {}) }
    }
    return { look: 'next', title: step.done, ...(index === 4 ? { sub: step.sub } : {}) }
  })

  function stepNames(shown: Order, step: number) {
    const { phase } = shown
    const wallet = walletOf(shown)
    const checking = step === 0 && phase !== 'awaitingSignature' && phase !== 'pressAwaited' && phase !== 'unknown'
    return [
      {
        done: texts.approvedIn(wallet),
        now: checking ? texts.checking : texts.approveIn(wallet),
        sub: asking,
        at: times.signed ?? times.seen,
      },
      {
        done: texts.sent,
        now: sendingWords(t, shown, isSlow),
        sub: phase === 'sending' && isSlow ? texts.keepSending : '',
        at: times.seen ?? times.sending,
      },
      { done: texts.confirmed, now: texts.confirming, sub: '', at: times.confirmed },
      {
        done: step > 3 ? texts.final : texts.becomingFinal,
        now: texts.becomingFinal,
        sub: '',
        at: times.finalised,
      },
      { done: texts.judged, now: texts.noResult, sub: texts.teamJudges, at: undefined },
    ]
  }
}

function sendingWords({ order: { steps } }: SaleWords, order: Order, isSlow: boolean): string {
  if (order.phase === 'signed' || (order.phase === 'sending' && !isSlow)) return steps.sending
  return wasSent(order) ? steps.notSeen : steps.notSent
}

/** Time left in the current step, or for sending in all; undefined while unknown. */
function howFar({ order: { steps } }: SaleWords, order: Order): string | undefined {
  const left = blocksLeft(order)
  if (left !== undefined) return left === 0 ? steps.noTimeLeft : steps.timeLeft(secondsOf(left))
  const onTop = blocksOnTop(order)
  if (onTop !== undefined)
    return onTop < finalityBlocks ? steps.about(secondsOf(finalityBlocks - onTop)) : steps.anyMoment
  return order.phase === 'confirmed' ? steps.about(secondsOf(finalityBlocks)) : undefined
}

/** Seconds that a number of blocks takes. */
function secondsOf(blocks: number): number {
  return Math.ceil((blocks * blockMs) / 1000)
}

type Look = 'solid' | 'hatch' | 'open' | 'none'
/** A judgement of the team in a word. */
type Judged = { word: string; look: Look }

/** @returns the words of a verdict */
export function verdictWords({ order: { tags } }: SaleWords, verdict: AccountedRow['status']): Judged {
  if (verdict !== 'accepted' && verdict !== 'partial') return { word: tags.notAccepted, look: 'open' }
  return { word: tags[verdict], look: 'solid' }
}

/** Short status of an order and its swatch. Nothing is solid before audited books count it. */
export function orderTag(t: SaleWords, order: Order, judged?: Judged): Judged {
  const { tags } = t.order
  if (isAlarm(order)) return { word: tags.notAsAgreed, look: 'none' }
  if (judged) return judged
  switch (order.phase) {
    case 'pressAwaited':
    case 'awaitingSignature':
      return { word: tags.waiting, look: 'hatch' }
    case 'signed':
    case 'sending':
      return { word: tags.sending, look: 'hatch' }
    case 'seen':
      return { word: tags.sent, look: 'hatch' }
    case 'confirmed':
      return { word: tags.confirmed, look: 'hatch' }
    case 'finalised':
    case 'accounted':
      return { word: tags.final, look: 'hatch' }
    case 'unknown':
      return { word: tags.unknown, look: 'hatch' }
    case 'rejected':
      return { word: order.failure.code === 'user_rejected' ? tags.declined : tags.notCharged, look: 'none' }
    case 'gateRefused':
      return { word: tags.notSent, look: 'none' }
    case 'failedOnChain':
      return { word: tags.refused, look: 'none' }
    case 'expired':
      return { word: agreedByAll(order) ? tags.notCharged : tags.notSeen, look: 'none' }
    case 'simulationFailed':
    case 'abandoned':
      return { word: tags.notCharged, look: 'none' }
    default:
      return { word: tags.checking, look: 'hatch' }
  }
}

/**
 * @param isLive the sale goes on
 * @param account the connected account, to which the wallet may have switched
 * @param hasSol the terms list SOL
 * @returns the button's action for a shown order
 */
export function orderAction(t: SaleWords, order: Order, isLive = true, account?: string, hasSol = false): Action {
  const { button } = t.buy
  const { tryAgain } = t.basics
  const wallet = walletOf(order)
  const isOther = account !== undefined && account !== order.account
  const payFromOther = () => button.payFrom(shortAddress(account ?? ''))
  if (isAlarm(order)) return { does: 'leave', label: button.haveRead }
  if (isHidden(order)) return { does: 'again', label: tryAgain }
  switch (order.phase) {
    case 'pressAwaited':
      return { does: 'continue', label: button.approveIn(wallet) }
    case 'awaitingSignature':
      return { does: 'nothing', label: button.approveIn(wallet), busy: true }
    case 'signed':
    case 'sending':
    case 'seen':
    case 'confirmed':
    case 'unknown':
      return { does: 'nothing', label: order.phase === 'unknown' ? button.looking : button.sending, busy: true }
    case 'finalised':
    case 'accounted':
      return isLive ? { does: 'more', label: button.more } : { does: 'leave', label: button.close }
    case 'gateRefused':
      if (order.failure.code === 'stale_quote')
        return { does: 'accept', label: isOther ? payFromOther() : button.acceptQuote }
      return { does: 'leave', label: button.back }
    case 'rejected':
    case 'abandoned':
      // No wallet has signed it: the same purchase may be made for the other account
      if (order.failure.code === 'account_changed' && isOther) return { does: 'accept', label: payFromOther() }
      return { does: 'again', label: tryAgain }
    case 'simulationFailed':
      if (hasSol && order.failure.code === 'no_token_account') return { does: 'sol', label: button.payWithSol }
      return { does: 'again', label: tryAgain }
    case 'expired':
    case 'failedOnChain':
      return { does: 'again', label: tryAgain }
    default:
      return { does: 'nothing', label: button.checking, busy: true }
  }
}

/** @returns the order to show: the open one, else the newest ended one not dismissed */
export function shownOrder(orders: OrderView): Order | undefined {
  let shown: Order | undefined
  for (const order of Object.values(orders)) {
    if (order.send) continue
    if (isOpen(order)) return order
    if (order.dismissed !== true && order.times.drafted >= (shown?.times.drafted ?? 0)) shown = order
  }
  return shown
}

/** @returns true if the order ended without a payment or its end is unknown */
export function needsWords(order: Order): boolean {
  return isDead(order) || order.phase === 'unknown'
}
