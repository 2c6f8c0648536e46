/**
 * An order: this file routes inputs to the other files. `place.ts` builds it, `ask.ts` asks the wallet, `answer.ts` takes the
 * wallet's answer, `gate.ts` reads everything again, and `watch.ts` follows it on the chain.
 */
import {
  askOf,
  builtOf,
  isAccepted,
  isBeforeWallet,
  isOpen,
  isSend,
  mayPutAway,
  type Order,
  type OrderIn,
  silenceMs,
} from '../../../events/subjects/order/order.ts'
import { isWatched } from '../../../events/subjects/order/watchedOrder.ts'
import { isOfThisLife } from '../../../events/subjects/sale/sale.ts'
import type { Failure } from '../../../runtime/failure.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'
import {
  insertSignature,
  lacksBytes,
  orderNotAsked,
  orderRefused,
  orderSent,
  orderSigned,
  orderWalletGone,
} from './answer.ts'
import { ask, isDear, meansOf, pressFor } from './ask.ts'
import { openGate } from './gate.ts'
import { giveUpEarly, place, prepareAgain, prepared, sendPrepared } from './place.ts'
import { requestSend } from './send.ts'
import { countFromNow } from './proof.ts'
import { sendOrder, watchOrder } from './watch.ts'
import { own } from '../../../runtime/schema/own.ts'
import { heldByPage } from '../page.ts'
import { distrustChain } from '../sale/distrust.ts'
import { isOrderAsked } from './underWay.ts'

/** Oldest prepared transaction that is signed after a new press, ms; an older one is rebuilt. */
const freshMs = 30_000
/** Longest time a page with a prompt may take to return, ms. */
const returnMs = 10_000

/** The order whose request, or whose bare signature, this input answers. */
function askedBy(ctx: Ctx): Order | undefined {
  const { to } = ctx.input
  if (ctx.cause?.type === 'chain.insertSignature') return own(ctx.model.order, ctx.cause.about)
  return to === undefined ? undefined : Object.values(ctx.model.order).find(order => askOf(order)?.askId === to)
}

/**
 * @returns the life that issued an effect. A life missing in between ran on another log, and the page has dropped the effects
 *   of this one
 */
function lifeOf(effectId: string): number {
  return Number(/^e(\d+)\./.exec(effectId)?.[1])
}

/** Whether an earlier life's gate was the last before a wallet that sends by itself. */
function lacksGate(ctx: Ctx, order: Order): boolean {
  const { sale, core } = ctx.model
  return !isSend(order) && meansOf(ctx, order) === 'signAndSend' && !isOfThisLife(sale.reading, core)
}

/** A page attached without the prompt that an earlier life requested. */
function missed(ctx: Ctx, order: OrderIn<'awaitingSignature'>): void {
  const { orderId, ask: asked, walletName } = order
  if (asked.tab !== ctx.input.tab) {
    ctx.effect('timer.set', { timerId: `return:${orderId}`, at: ctx.at + returnMs })
  } else if (asked.means === 'sign' && lifeOf(asked.askId) === ctx.boot.life - 1) {
    // This page never received the request, so no prompt was shown: a new press may open one
    ctx.fact('order.pressAwaited', { orderId })
    ctx.effect('timer.clear', { timerId: `silence:${orderId}` })
  } else orderWalletGone(ctx, order, `the request to ${walletName} was lost on its way to the page`)
}

function notPrepared(ctx: Ctx, failure: Failure, orderId: string): void {
  const known = own(ctx.model.order, orderId)
  if (!known || !isBeforeWallet(known)) return
  ctx.fact('order.simulationFailed', { orderId, failure })
  // Those of an earlier build
  forgetBytes(ctx, builtOf(known)?.bytesRef)
}

function resumeOne(ctx: Ctx, order: Order): void {
  const { orderId } = order
  if (isBeforeWallet(order)) {
    if (ctx.boot.cause === 'start' || !isAccepted(order)) {
      const message = 'the page was reloaded before the wallet was asked'
      ctx.fact('order.abandoned', { orderId, failure: { code: 'core_lost', message } })
      forgetBytes(ctx, builtOf(order)?.bytesRef)
    } else if (order.phase !== 'pressAwaited') prepareAgain(ctx, order)
    return
  }
  if (order.phase === 'awaitingSignature') {
    // The wallet's silence counts towards the time that the blockhash's blocks take
    countFromNow(ctx, orderId)
    const askedAt = order.times.awaitingSignature ?? ctx.at
    // The clock may have been set back since
    const clamp = (at: number) => Math.min(ctx.at + silenceMs, Math.max(ctx.at + returnMs, at))
    ctx.effect('timer.set', { timerId: `silence:${orderId}`, at: clamp(askedAt + silenceMs) })
    return
  }
  if (lacksBytes(order)) insertSignature(ctx, order, order.signed.signature)
  else if (order.phase === 'signed') openGate(ctx, order, 'send')
  else if (order.phase === 'sending') sendOrder(ctx, order, true)
  if (!isWatched(order, ctx.at)) return
  // From this life's start, whenever its first look comes
  countFromNow(ctx, orderId)
  watchOrder(ctx, orderId)
}

export const order: Decider = {
  'order.place': place,
  'send.request': requestSend,
  'order.continue': (ctx, { orderId }) => {
    const known = own(ctx.model.order, orderId)
    if (known?.phase !== 'pressAwaited') return
    pressFor(ctx, orderId, isDear(ctx, known) ? known.built.fee : undefined)
    if (ctx.at - (known.times.built ?? 0) > freshMs || lacksGate(ctx, known)) prepareAgain(ctx, known)
    else ask(ctx, known)
  },
  'order.abandon': (ctx, { orderId }) => {
    const known = own(ctx.model.order, orderId)
    if (known?.phase === 'awaitingSignature')
      return orderWalletGone(ctx, known, 'the person gave up while the wallet was asked')
    if (known && isBeforeWallet(known)) giveUpEarly(ctx, known)
  },
  'order.dismiss': (ctx, { orderId }) => {
    const known = own(ctx.model.order, orderId)
    if (known && (!isOpen(known) || mayPutAway(known))) ctx.fact('order.dismissed', { orderId })
  },
  'chain.orderPrepared': prepared,
  'chain.sendPrepared': sendPrepared,
  'wallet.signed': (ctx, data) => {
    const known = askedBy(ctx)
    if (known) orderSigned(ctx, known.orderId, data)
  },
  'wallet.sent': (ctx, { signature }) => {
    const known = askedBy(ctx)
    if (known) orderSent(ctx, known.orderId, signature)
  },
  'wallet.failed': (ctx, { failure }) => {
    const known = askedBy(ctx)
    if (known) orderRefused(ctx, known.orderId, failure)
  },
  failed: {
    'chain.prepareOrder': (ctx, failure, orderId) => {
      notPrepared(ctx, failure, orderId)
      distrustChain(ctx, failure)
    },
    'chain.prepareSend': notPrepared,
    'chain.insertSignature': (ctx, failure, orderId) => {
      const known = own(ctx.model.order, orderId)
      if (!known || !lacksBytes(known)) return
      ctx.fact('order.gateRefused', { orderId, failure })
      forgetBytes(ctx, known.built.bytesRef)
      watchOrder(ctx, orderId)
    },
    'wallet.signTransaction': (ctx, failure, orderId) => orderNotAsked(ctx, orderId, failure),
    'wallet.signAndSendTransaction': (ctx, failure, orderId) => orderNotAsked(ctx, orderId, failure),
  },
  'page.attached': ctx => {
    for (const known of Object.values(ctx.model.order)) {
      if (known.phase !== 'awaitingSignature' || known.ask.tab === undefined) continue
      const { askId } = known.ask
      if (!isOrderAsked(ctx, askId) && !heldByPage(ctx, askId)) missed(ctx, known)
    }
  },
  'page.left': ctx => {
    for (const known of Object.values(ctx.model.order))
      if (known.phase === 'awaitingSignature' && known.ask.tab !== undefined && known.ask.tab === ctx.input.tab)
        ctx.effect('timer.set', { timerId: `return:${known.orderId}`, at: ctx.at + returnMs })
  },
  timers: {
    silence: (ctx, orderId) => {
      const known = ctx.model.order[orderId]
      if (known?.phase !== 'awaitingSignature') return
      orderWalletGone(ctx, known, `${known.walletName} expected to answer within ${silenceMs / 1000} s, sent nothing`)
    },
    return: (ctx, orderId) => {
      const known = ctx.model.order[orderId]
      if (known?.phase === 'awaitingSignature' && !heldByPage(ctx, known.ask.askId))
        orderWalletGone(ctx, known, `the page that asked ${known.walletName} is gone`)
    },
  },
  resume: ctx => {
    for (const known of Object.values(ctx.model.order)) resumeOne(ctx, known)
  },
}
