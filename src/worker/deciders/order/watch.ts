/**
 * Follows an order on the chain. The same bytes are resent until they are seen or expired; an order of unknown outcome stays
 * `unknown` until a landing is found or its expiry is proved.
 */
import type { EffectData } from '../../../events/effect.ts'
import {
  type AskedOrder,
  blocksLeft,
  blocksOnTop,
  builtOf,
  hiddenRule,
  isHidden,
  isProved,
  isReadAlarm,
  isSend,
  isSigned,
  type OrderSignature,
  type ReadyOrder,
  orderSignatureOf,
  signedRefOf,
} from '../../../events/subjects/order/order.ts'
import { isWatched, mayBeSent, sinceAsked } from '../../../events/subjects/order/watchedOrder.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { refreshBalance } from '../sale/balance.ts'
import { forgetBytes } from '../forget.ts'
import { scratch } from './ask.ts'
import { marginSlots, readLanded } from './landed.ts'
import { agreement, countFromNow, isDue, isPastEnd, isPossible } from './proof.ts'
import { own } from '../../../runtime/schema/own.ts'
import { readPurchases } from '../sale/purchase.ts'
import { isUnderWay } from './underWay.ts'

const resendMs = 2000
/** Time between checks: of a pending order, of an uncertain one, of a refused one that may have been sent, ms. */
const watchMs = 1000
const slowMs = 3000
const refusedMs = 10_000
/** Searches after the proof become rarer: each waits for this part of the time since the request. */
const latePart = 20
/** The reference is searched with every n-th check, even when a signature is known. */
const searchEvery = 5
/** Checks in this life before strangers count as hiding an order's end, three minutes at least. */
export const checksForHidden = 60
/** Looks in which at least one endpoint reports final, before the others are ignored. */
export const triesForFinal = 30
/** Consecutive checks without a trace after which a seen payment counts as dropped by a fork. */
const forkMisses = 3

/** Starts watching an order; idempotent. */
export function watchOrder(ctx: Ctx, orderId: string): void {
  ctx.effect('timer.set', { timerId: `watch:${orderId}`, at: ctx.at })
}

/** Sends the signed bytes, and resends them until they are seen. */
export function sendOrder(
  ctx: Ctx,
  { orderId, signed }: { orderId: string; signed: OrderSignature },
  first: boolean,
): void {
  const { bytesRef } = signed
  if (bytesRef === undefined) return
  ctx.effect('chain.submit', { orderId, bytesRef, first }, { after: 'stored', about: orderId })
  ctx.effect('timer.set', { timerId: `resend:${orderId}`, at: ctx.at + resendMs })
}

function check(ctx: Ctx, orderId: string): void {
  const order = ctx.model.order[orderId]
  if (!order || !isWatched(order, ctx.at)) return
  const memory = scratch(ctx, orderId)
  memory.checks += 1
  const isDoubtful = !isSigned(order) || order.phase === 'unknown' || mayBeSent(order)
  const proves = !isProved(order) && isDue(ctx, orderId) && memory.searchNext === true
  const search = proves || isDoubtful || memory.checks % searchEvery === 0
  const proof = proves ? { proves, ...(memory.asksBlockhash ? { blockhash: order.built.blockhash } : {}) } : {}
  if (!isUnderWay(ctx, 'chain.watch', orderId))
    ctx.effect('chain.watch', { ...whereIs(ctx, order), search, ...proof }, { about: orderId })
  ctx.effect('timer.set', { timerId: `watch:${orderId}`, at: ctx.at + waitMsOf(order, ctx.at, isDoubtful) })
}

function waitMsOf(order: AskedOrder, at: number, isDoubtful: boolean): number {
  if (isProved(order)) return Math.max(refusedMs, Math.floor(sinceAsked(order, at) / latePart))
  if (mayBeSent(order) || isReadAlarm(order)) return refusedMs
  return isDoubtful ? slowMs : watchMs
}

/** An order whose transaction may be on the chain, or may come there. */
export type Sought = Pick<ReadyOrder, 'orderId' | 'account' | 'built' | 'send'> & { signed?: OrderSignature }

/** @returns the search for the order's transaction */
export function whereIs(
  ctx: Ctx,
  { orderId, account, built, signed }: Sought,
): Omit<EffectData['chain.watch'], 'search'> {
  const { orderRef, slot } = built
  const namesakes = Object.values(ctx.model.order).flatMap(one => builtOf(one) ?? [])
  const first = Math.min(slot, ...namesakes.flatMap(one => (one.orderRef === orderRef ? one.slot : [])))
  const judged = Object.keys(scratch(ctx, orderId).judged ?? {})
  return {
    orderId,
    orderRef,
    account,
    fromSlot: Math.max(0, first - marginSlots),
    ...(signed && { signature: signed.signature }),
    ...(signed?.bytesRef !== undefined && { own: true }),
    ...(judged.length === 0 ? {} : { judged }),
  }
}

function heard(ctx: Ctx, data: InputData<'chain.status'>): void {
  const order = own(ctx.model.order, data.orderId)
  if (!order || ctx.cause?.about !== data.orderId || !isWatched(order, ctx.at)) return
  const { orderId } = data
  const memory = scratch(ctx, orderId)
  memory.searchNext = isPastEnd(order.built, data)
  const isOver = isProved(order)
  if (!isOver) {
    dispute(ctx, order, data)
    missAnswers(ctx, order, data)
  }
  const { shown, isOpen } = readLanded(ctx, order, data)
  // An alarm ends with the agreed transaction's landing, or with the person's dismissal
  if (!shown) return order.alarm || isOpen || isOver ? undefined : unseen(ctx, order, data)
  const { slot = 0, error, signature = orderSignatureOf(order) } = shown
  if (signature === undefined) return
  const isHeld = shown.status === 'finalized' && isFinalHeld(ctx, orderId, data)
  const status = isHeld ? 'confirmed' : shown.status
  memory.misses = 0
  // Found by the order's reference: this transaction counts
  if (signature !== orderSignatureOf(order)) ctx.fact('order.signed', { orderId, signature })
  // It is on its way again: the searches need not be rare
  if (isOver) watchOrder(ctx, orderId)
  if (status === 'finalized') {
    if (error) ctx.fact('order.failedOnChain', { orderId, slot, failure: error })
    else
      ctx.fact('order.finalised', { orderId, slot, ...(data.finalBy === undefined ? {} : { finalBy: data.finalBy }) })
    forget(ctx, order)
  } else if (status === 'confirmed' && !error) {
    if (order.phase === 'confirmed') return progress(ctx, order, data)
    ctx.fact('order.confirmed', { orderId, slot })
    progress(ctx, { ...order, phase: 'confirmed', signed: { signature }, slot }, data)
  } else {
    // A failure that is not final may be dropped by a fork, and the same bytes may still land
    if (order.phase !== 'seen' && order.phase !== 'confirmed') ctx.fact('order.seen', { orderId, slot })
    return
  }
  refreshBalance(ctx, order.account, order.send)
  if (!isSend(order)) readPurchases(ctx, order.account)
}

/**
 * @returns whether finality waits for endpoints that do not report it; after `triesForFinal` it is recorded and waits no more
 */
function isFinalHeld(ctx: Ctx, orderId: string, { finalBy }: InputData<'chain.status'>): boolean {
  if (finalBy === undefined) return false
  const memory = scratch(ctx, orderId)
  memory.finalTries = (memory.finalTries ?? 0) + 1
  return memory.finalTries <= triesForFinal
}

/** Records a changed number of endpoints that lie. */
function dispute(
  ctx: Ctx,
  { orderId, lying: known = 0 }: AskedOrder,
  { lying, proofs }: InputData<'chain.status'>,
): void {
  const now = lying ?? (proofs ? 0 : known)
  if (now !== known) ctx.fact('order.disputed', { orderId, lying: now })
}

/** Records changed hosts of endpoints that do not answer. */
function missAnswers(ctx: Ctx, { orderId, silent: known = [] }: AskedOrder, said: InputData<'chain.status'>): void {
  const hosts = said.silent ?? (said.proofs ? [] : known)
  if (hosts.join() !== known.join()) ctx.fact('order.unanswered', { orderId, hosts })
}

/** Records progress that shows. @param order after this check */
function progress(ctx: Ctx, order: AskedOrder, said: InputData<'chain.status'>): void {
  const known = order.progress?.height
  // A node that is behind takes nothing back, and an impossible height adds nothing
  const height = isPossible(ctx, order.built, said) ? Math.max(said.height, known ?? 0) : known
  if (height === undefined) return
  const nodeSlot = Math.max(said.nodeSlot, order.progress?.nodeSlot ?? 0)
  const now = { ...order, progress: { height, nodeSlot } }
  if (blocksLeft(now) === blocksLeft(order) && blocksOnTop(now) === blocksOnTop(order)) return
  ctx.fact('order.progressed', { orderId: order.orderId, height, nodeSlot })
}

/** The chain does not show the order: dropped by a fork, not there yet, or never to land. */
function unseen(ctx: Ctx, order: AskedOrder, said: InputData<'chain.status'>): void {
  const { orderId } = order
  const memory = scratch(ctx, orderId)
  if (order.phase === 'seen' || order.phase === 'confirmed') {
    memory.misses += 1
    if (memory.misses < forkMisses) return
    memory.misses = 0
    ctx.fact('order.unseen', { orderId })
    sendOrder(ctx, order, false)
    return
  }
  const { providers, lacks } = agreement(ctx, order, said)
  if (lacks) memory.asksBlockhash = true
  if (providers === 0) {
    // Strangers spoil the looks: the next purchase may begin, with this one's key, so that one of the two is refunded
    if (
      order.phase === 'unknown' &&
      !order.send &&
      !order.signed &&
      !isHidden(order) &&
      memory.checks >= checksForHidden &&
      said.proofs?.some(({ whole }) => !whole)
    )
      ctx.fact('order.unknown', { orderId, failure: { ...order.failure, facts: { rule: hiddenRule } } })
    return progress(ctx, order, said)
  }
  ctx.fact('order.expired', { orderId, height: said.height, providers })
  forget(ctx, order)
}

/** Deletes the order's bytes, as they are no longer needed. */
function forget(ctx: Ctx, order: AskedOrder): void {
  forgetBytes(ctx, order.built.bytesRef, signedRefOf(order))
}

/** Failures of a node's preflight: the bytes were not forwarded, and resending them is useless. */
const preflightRefusals: readonly string[] = [
  'insufficient_sol',
  'insufficient_token',
  'rent',
  'account_not_found',
  'simulation_failed',
  'compute',
]

export const orderWatch: Decider = {
  'chain.status': heard,
  failed: {
    'chain.submit': (ctx, failure, orderId) => {
      if (preflightRefusals.includes(failure.code) && own(ctx.model.order, orderId)?.phase === 'sending')
        ctx.fact('order.unknown', { orderId, failure })
    },
  },
  'clock.jumped': ctx => {
    for (const orderId of Object.keys(ctx.transient.order)) countFromNow(ctx, orderId)
  },
  timers: {
    watch: check,
    resend: (ctx, orderId) => {
      const order = ctx.model.order[orderId]
      if (order?.phase === 'sending') sendOrder(ctx, order, false)
    },
  },
}
