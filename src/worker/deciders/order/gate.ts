/**
 * The gate: sale, notices and block height are read again before the wallet prompt and before bytes are sent; for a transfer the
 * height alone. Where a code under the order's key may be paid, its payment is looked for, too.
 */
import type { Failure } from '../../../runtime/failure.ts'
import {
  builtOf,
  finalityBlocks,
  isBeforeWallet,
  type ReadyOrder,
  signedRefOf,
} from '../../../events/subjects/order/order.ts'
import { own } from '../../../runtime/schema/own.ts'
import { idIn, referenceText } from '../../../events/values/reference.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'
import { askOrWait, refuseOrder, scratch } from './ask.ts'
import { purchaseRefusal, saleUnread } from './judge.ts'
import { isPossible } from './proof.ts'
import { sendOrder, type Sought, watchOrder, whereIs } from './watch.ts'
import { codeUnder, lookForCodes, namesakes } from '../sale/invoiceLook.ts'
import { readNoticesNow, readSaleNow } from '../sale/sale.ts'

/** Fewest blocks left for sending: with fewer, the signed bytes might expire on the way. */
const leastBlocks = 20
const retryMs = 2000
const triesBeforeAsking = 5

const noTerms: Failure = {
  code: 'unreachable',
  message: 'a payment expected the terms to be read since the start, they are not',
}

/** Reads everything again; once all of it has arrived, the order goes on or is refused. */
export function openGate(ctx: Ctx, order: Sought & Pick<ReadyOrder, 'accepted'>, before: 'ask' | 'send'): void {
  const memory = scratch(ctx, order.orderId)
  const ofSale = order.send === undefined
  const code = ofSale ? codeUnder(ctx, order.accepted.orderKey) : undefined
  memory.gate = {
    before,
    waiting: ofSale ? ['sale', 'notices', 'height', ...(code ? (['code'] as const) : [])] : ['height'],
    ...(code && { code: code.invoiceId }),
    height: 0,
  }
  const about = referenceText({ kind: 'gate', id: order.orderId })
  const { orderId, orderRef, account, fromSlot } = whereIs(ctx, order)
  const readHeight = () => ctx.effect('chain.watch', { orderId, orderRef, account, fromSlot, search: false }, { about })
  if (!ofSale) return void readHeight()
  if (ctx.model.sale.terms.phase !== 'read' || ctx.transient.sale.noticeRef === '') return unread(ctx, noTerms, about)
  readSaleNow(ctx, about)
  readNoticesNow(ctx, about)
  readHeight()
  if (code) lookForCodes(ctx, namesakes(ctx, code))
}

function arrived(
  ctx: Ctx,
  what: 'sale' | 'notices' | 'height' | 'code',
  height = 0,
  orderId = idIn('gate', ctx.cause?.about),
): void {
  if (orderId === undefined) return
  const { gate } = scratch(ctx, orderId)
  if (!gate) return
  gate.waiting = gate.waiting.filter(waiting => waiting !== what)
  if (what === 'height') gate.height = height
  // This input's facts are folded after the step: judge in the next one
  if (gate.waiting.length === 0) ctx.effect('timer.set', { timerId: `gate:${orderId}`, at: ctx.at })
}

function judge(ctx: Ctx, orderId: string): void {
  const memory = scratch(ctx, orderId)
  const order = ctx.model.order[orderId]
  const { gate } = memory
  if (!gate || (order?.phase !== 'signed' && order?.phase !== 'simulated')) return
  if (gate.waiting.length > 0) return openGate(ctx, order, gate.before)
  // The newest reading was not taken: another one settles which of the two is the chain's
  if (!order.send && ctx.transient.sale.slots?.suspect) {
    gate.waiting = ['sale']
    return missed(ctx, orderId, saleUnread)
  }
  delete memory.gate
  memory.misses = 0
  const failure = recordRefusal(ctx) ?? (order.send ? undefined : purchaseRefusal(ctx, order))
  if (failure) {
    ctx.fact('order.gateRefused', { orderId, failure })
    forgetBytes(ctx, order.built.bytesRef, signedRefOf(order))
    if (order.phase === 'signed') watchOrder(ctx, orderId)
    return
  }
  if (order.phase === 'simulated') return askOrWait(ctx, order)
  const left = order.built.validUntilHeight - (gate.height + finalityBlocks)
  if (left < leastBlocks) {
    const message = `sending expected at least ${leastBlocks} blocks before the transaction expires, ${Math.max(0, left)} are left`
    ctx.fact('order.unknown', { orderId, failure: { code: 'expired', message, facts: { left } } })
    watchOrder(ctx, orderId)
    return
  }
  ctx.fact('order.sending', { orderId })
  sendOrder(ctx, order, true)
  watchOrder(ctx, orderId)
}

function recordRefusal(ctx: Ctx): Failure | undefined {
  if (ctx.model.core.storage === 'durable') return undefined
  return { code: 'storage_down', message: 'a payment expected a durable record on this device, it is lost' }
}

/** A reading failed; if it was the gate's, it is made again. */
function unread(ctx: Ctx, failure: Failure, about: string): void {
  const orderId = idIn('gate', about)
  if (orderId !== undefined) missed(ctx, orderId, failure)
}

/** @returns the orders whose gate waits for the look for this code: one look serves the page, too */
function waitingForCode({ transient }: Ctx, invoiceId: string | undefined): string[] {
  return Object.entries(transient.order).flatMap(([orderId, { gate }]) =>
    gate?.waiting.includes('code') && gate.code === invoiceId ? orderId : [],
  )
}

function missed(ctx: Ctx, orderId: string, failure: Failure): void {
  const memory = scratch(ctx, orderId)
  if (!memory.gate) return
  memory.misses += 1
  if (memory.gate.before === 'ask' && memory.misses >= triesBeforeAsking) {
    delete memory.gate
    const order = own(ctx.model.order, orderId)
    if (order && isBeforeWallet(order)) refuseOrder(ctx, order, failure)
    return
  }
  ctx.effect('timer.set', { timerId: `gate:${orderId}`, at: ctx.at + retryMs })
  if (memory.gate.before === 'send') watchOrder(ctx, orderId)
}

export const orderGate: Decider = {
  'chain.sale': ctx => arrived(ctx, 'sale'),
  'chain.notices': ctx => arrived(ctx, 'notices'),
  'chain.status': (ctx, said) => {
    const order = own(ctx.model.order, said.orderId)
    const built = order && builtOf(order)
    // An impossible height counts as 0: the bytes are new, so there are blocks left
    arrived(ctx, 'height', built && isPossible(ctx, built, said) ? said.height : 0)
  },
  'chain.invoice': ctx => {
    for (const orderId of waitingForCode(ctx, ctx.cause?.about)) arrived(ctx, 'code', 0, orderId)
  },
  failed: {
    'chain.readSale': unread,
    'chain.readNotices': unread,
    'chain.watch': unread,
    'chain.watchInvoice': (ctx, failure, invoiceId) => {
      for (const orderId of waitingForCode(ctx, invoiceId)) missed(ctx, orderId, failure)
    },
  },
  timers: { gate: judge },
}
