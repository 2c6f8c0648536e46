/**
 * What the chain says about an order. The same bytes go out until they are seen or have expired; an order that nobody can
 * account for stays `unknown` until a landing is found or its expiry is proved.
 */
import { isDead, type Order } from '../../events/subjects/order.ts'
import type { Ctx, Decider, InputData } from '../context.ts'
import { refreshBalance } from './balance.ts'
import { scratch } from './orderAsk.ts'
import { readPurchases } from './purchase.ts'

const resendMs = 2000
const watchMs = 1000
const slowMs = 3000
/** The reference is looked up with every this many checks, even when a signature is known. */
const searchEvery = 5
/** Checks in a row without a trace after which a payment that was seen counts as dropped by a fork. */
const forkMisses = 3

/** Watches an order from now on; again for one that is watched already changes nothing. */
export function watchOrder(ctx: Ctx, orderId: string): void {
  ctx.effect('timer.set', { timerId: `watch:${orderId}`, at: ctx.at })
}

/** Sends the signed bytes once, and again until they are seen. */
export function sendOrder(ctx: Ctx, order: Order, first: boolean): void {
  if (order.signedRef === undefined) return
  ctx.effect(
    'chain.submit',
    { orderId: order.orderId, bytesRef: order.signedRef, first },
    { after: 'stored', about: order.orderId },
  )
  ctx.effect('timer.set', { timerId: `resend:${order.orderId}`, at: ctx.at + resendMs })
}

/** @returns true while the chain still has something to say about the order */
export function isWatched(order: Order): boolean {
  if (['signed', 'sending', 'seen', 'confirmed', 'unknown'].includes(order.phase)) return true
  // Refused or declined after the wallet had been asked: it may have sent its own copy
  return (
    (order.phase === 'gateRefused' || order.phase === 'rejected') &&
    order.ask !== undefined &&
    order.built !== undefined
  )
}

function check(ctx: Ctx, orderId: string): void {
  const order = ctx.model.order[orderId]
  if (!order?.built || !isWatched(order)) return
  const memory = scratch(ctx, orderId)
  memory.checks += 1
  const doubtful = order.signature === undefined || order.phase === 'unknown' || isDead(order)
  const search = doubtful || memory.checks % searchEvery === 0 || memory.searchNext === true
  const signature = order.signature === undefined ? {} : { signature: order.signature }
  const { orderRef } = order.built
  const underWay = Object.values(ctx.transient.asked).some(
    cause => cause.type === 'chain.watch' && cause.about === orderId,
  )
  if (!underWay) ctx.effect('chain.watch', { orderId, orderRef, search, ...signature }, { about: orderId })
  ctx.effect('timer.set', { timerId: `watch:${orderId}`, at: ctx.at + (doubtful ? slowMs : watchMs) })
}

function heard(ctx: Ctx, data: InputData<'chain.status'>): void {
  const order = ctx.model.order[data.orderId]
  if (!order?.built || ctx.cause?.about !== data.orderId || !isWatched(order)) return
  const memory = scratch(ctx, data.orderId)
  const { orderId, status, slot = 0, error, height, nodeSlot, found } = data
  if (status === undefined) {
    const [landed] = found ?? []
    if (landed !== undefined && landed !== order.signature) {
      ctx.fact('order.signed', { orderId, signature: landed })
      if (!isDead(order)) ctx.fact('order.sending', { orderId })
      return
    }
    if (order.phase === 'seen' || order.phase === 'confirmed') {
      memory.misses += 1
      if (memory.misses < forkMisses) return
      memory.misses = 0
      ctx.fact('order.unseen', { orderId })
      sendOrder(ctx, order, false)
      return
    }
    const past = height > order.built.validUntilHeight
    memory.searchNext = past
    if (past && nodeSlot >= order.built.slot && found && found.length === 0) {
      ctx.fact('order.expired', { orderId, height })
      forget(ctx, order)
    }
    return
  }
  memory.misses = 0
  if (error && status !== 'processed') {
    ctx.fact('order.failedOnChain', { orderId, slot, failure: error })
    return forget(ctx, order)
  }
  if (status === 'processed') {
    if (order.phase !== 'seen' && order.phase !== 'confirmed') ctx.fact('order.seen', { orderId, slot })
    return
  }
  if (status === 'confirmed') {
    if (order.phase === 'confirmed') return
    ctx.fact('order.confirmed', { orderId, slot })
    refreshBalance(ctx, order.account)
    readPurchases(ctx, order.account)
    return
  }
  ctx.fact('order.finalised', { orderId, slot })
  refreshBalance(ctx, order.account)
  readPurchases(ctx, order.account)
  forget(ctx, order)
}

/** The bytes have done their work. */
function forget(ctx: Ctx, order: Order): void {
  const refs = [order.built?.bytesRef, order.signedRef].filter(ref => ref !== undefined)
  if (refs.length > 0) ctx.effect('bytes.forget', { refs })
}

export const orderWatch: Decider = {
  'chain.status': heard,
  'chain.notices': (ctx, { checkpoint }) => {
    if (!checkpoint) return
    for (const order of Object.values(ctx.model.order)) {
      if (order.phase === 'finalised' && order.slot !== undefined && order.slot <= checkpoint.slot) {
        ctx.fact('order.accounted', { orderId: order.orderId, slot: checkpoint.slot })
      }
    }
  },
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type !== 'chain.submit') return
    const order = ctx.model.order[ctx.cause.about]
    // The node ran it first and refused: it was not passed on, so sending again would change nothing
    const refused = [
      'insufficient_sol',
      'insufficient_token',
      'rent',
      'account_not_found',
      'simulation_failed',
      'compute',
    ].includes(failure.code)
    if (order?.phase === 'sending' && refused) ctx.fact('order.unknown', { orderId: order.orderId, failure })
  },
  timers: {
    watch: check,
    resend: (ctx, orderId) => {
      const order = ctx.model.order[orderId]
      if (order?.phase === 'sending') sendOrder(ctx, order, false)
    },
  },
}
