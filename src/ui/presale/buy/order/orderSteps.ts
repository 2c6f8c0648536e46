/** Progress of an order as steps: solid is done, hatched is in progress, hollow is to come. */
import {
  agreedByAll,
  blocksLeft,
  blocksOnTop,
  finalityBlocks,
  isAlarm,
  isDead,
  isOpen,
  walletOf,
  type Order,
  type OrderPhase,
  type OrderView,
  wasSent,
} from '../../../../events/subjects/order.ts'
import { secondsText } from '../../sale/figures.ts'
import type { Action } from './nextAction.ts'

export type OrderStep = { look: 'done' | 'now' | 'next'; title: string; sub?: string; when?: string }

/** Time a payment may stay unseen before that is said, ms. */
export const slowMs = 5000
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
 * @param isRefused the payment is known to be refunded
 * @param at the time, ms
 * @returns the five steps of an order outside a dead end
 */
export function stepsOf(order: Order, asking = '', isRefused = false, at = Infinity): OrderStep[] {
  const isSlow = at - (order.times.sending ?? at) >= slowMs
  const now = order.phase === 'unknown' ? (order.signed ? 1 : 0) : (reached[order.phase] ?? 0)
  const { times } = order
  return stepNames(order, now).map(({ at: when, ...step }, index) => {
    if (index === 4 && isRefused) return { look: 'next', title: 'Not accepted' }
    if (index < now)
      return { look: 'done', title: step.done, ...(when === undefined ? {} : { when: `${secondsText(when)} UTC` }) }
    if (index === now) {
      const far = howFar(order)
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
        done: `Approved in ${wallet}`,
        now: checking ? 'Checking the payment' : `Approve in ${wallet}`,
        sub: asking,
        at: times.signed ?? times.seen,
      },
      {
        done: 'Sent',
        now: sendingWords(shown, isSlow),
        sub: phase === 'sending' && isSlow ? 'We keep sending the same payment. It can only go through once.' : '',
        at: times.seen ?? times.sending,
      },
      { done: 'Confirmed', now: 'Being confirmed', sub: '', at: times.confirmed },
      {
        done: step > 3 ? 'Final' : 'Becoming final',
        now: 'Becoming final',
        sub: '',
        at: times.finalised,
      },
      { done: 'Judged', now: 'No result yet', sub: 'The team judges each payment by the terms', at: undefined },
    ]
  }
}

function sendingWords(order: Order, isSlow: boolean): string {
  if (order.phase === 'signed' || (order.phase === 'sending' && !isSlow)) return 'Sending'
  return wasSent(order) ? 'Sent, not seen yet' : 'Not sent'
}

/** Time left in the current step, or for sending in all; undefined while unknown. */
function howFar(order: Order): string | undefined {
  const left = blocksLeft(order)
  if (left !== undefined) return left === 0 ? 'no time left' : `${timeOf(left)} left`
  const onTop = blocksOnTop(order)
  if (onTop !== undefined) return onTop < finalityBlocks ? timeOf(finalityBlocks - onTop) : 'any moment'
  return order.phase === 'confirmed' ? timeOf(finalityBlocks) : undefined
}

/** @returns `about 42 s` for a number of blocks */
function timeOf(blocks: number): string {
  return `about ${Math.ceil((blocks * blockMs) / 1000)} s`
}

/** Short status of an order and its swatch. Nothing is solid before the ledger says so. */
export function orderTag(order: Order, isRefused = false): { word: string; look: 'hatch' | 'open' | 'none' } {
  if (isAlarm(order)) return { word: 'Not as agreed', look: 'none' }
  if (isRefused) return { word: 'Not accepted', look: 'open' }
  switch (order.phase) {
    case 'pressAwaited':
    case 'awaitingSignature':
      return { word: 'Waiting for you', look: 'hatch' }
    case 'signed':
    case 'sending':
      return { word: 'Sending', look: 'hatch' }
    case 'seen':
      return { word: 'Sent', look: 'hatch' }
    case 'confirmed':
      return { word: 'Confirmed', look: 'hatch' }
    case 'finalised':
    case 'accounted':
      return { word: 'Final, no result yet', look: 'hatch' }
    case 'unknown':
      return { word: 'Not known yet', look: 'hatch' }
    case 'rejected':
      return { word: order.failure.code === 'user_rejected' ? 'Declined' : 'Not charged', look: 'none' }
    case 'gateRefused':
      return { word: 'Not sent', look: 'none' }
    case 'failedOnChain':
      return { word: 'Refused', look: 'none' }
    case 'expired':
      return { word: agreedByAll(order) ? 'Not charged' : 'Not seen', look: 'none' }
    case 'simulationFailed':
    case 'abandoned':
      return { word: 'Not charged', look: 'none' }
    default:
      return { word: 'Checking', look: 'hatch' }
  }
}

/** @returns the button's action for a shown order @param isLive the sale goes on */
export function orderAction(order: Order, isLive = true): Action {
  const wallet = walletOf(order)
  if (isAlarm(order)) return { does: 'leave', label: 'I have read this' }
  switch (order.phase) {
    case 'pressAwaited':
      return { does: 'continue', label: `Approve in ${wallet}` }
    case 'awaitingSignature':
      return { does: 'nothing', label: `Approve in ${wallet}`, busy: true }
    case 'signed':
    case 'sending':
    case 'seen':
    case 'confirmed':
    case 'unknown':
      return { does: 'nothing', label: order.phase === 'unknown' ? 'Looking for the payment' : 'Sending', busy: true }
    case 'finalised':
    case 'accounted':
      return isLive ? { does: 'more', label: 'Buy more' } : { does: 'leave', label: 'Close' }
    case 'gateRefused':
      if (order.failure.code === 'stale_quote') return { does: 'accept', label: 'Accept the new quote' }
      return { does: 'leave', label: 'Back' }
    case 'expired':
      return { does: 'again', label: 'Try again' }
    case 'rejected':
      return { does: 'again', label: 'Try again' }
    case 'simulationFailed':
    case 'abandoned':
      return { does: 'again', label: 'Try again' }
    case 'failedOnChain':
      return { does: 'again', label: 'Try again' }
    default:
      return { does: 'nothing', label: 'Checking', busy: true }
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
