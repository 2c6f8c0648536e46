/** What the wallet says to an order: signed, sent, refused, nothing. Whatever is not sure stays open until the chain tells. */
import type { Failure } from '../../../events/failure.ts'
import { isDead, type Order } from '../../../events/subjects/order.ts'
import type { DecodedTransaction, Difference } from '../../../events/values/transaction.ts'
import { checkSigned } from '../../chains/solana/check.ts'
import type { Ctx } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'
import { mostShown } from './landed.ts'
import { agreedOf } from './expected.ts'
import { openGate } from './gate.ts'
import { isWatched, watchOrder } from './watch.ts'
import { own } from '../../../events/schema/own.ts'

function awaitsAnswer(order: Order): boolean {
  return order.phase === 'awaitingSignature' || (order.phase === 'unknown' && order.signature === undefined)
}

/** The wallet gave a bare signature, which has yet to be put into the bytes it signed. */
export function lacksBytes(order: Order): boolean {
  return order.phase === 'signed' && order.signedRef === undefined && order.ask?.means === 'sign'
}

/** The wallet signed and gave the bytes back: compared with what was agreed, then the last look. */
export function orderSigned(
  ctx: Ctx,
  orderId: string,
  signed: { signature: string; bytesRef: string; decoded: DecodedTransaction },
): void {
  const order = own(ctx.model.order, orderId)
  const agreed = order && agreedOf(order)
  if (!agreed || !(awaitsAnswer(order) || lacksBytes(order))) {
    // The same bytes are kept under the same name: what an order still uses stays
    if (order?.signedRef !== signed.bytesRef) forgetBytes(ctx, signed.bytesRef)
    return
  }
  const { walletName } = order
  const check = checkSigned(signed.decoded, agreed)
  if (!check.ok) {
    const failure = changed(walletName, check.code, check.differences)
    ctx.fact('order.gateRefused', { orderId, failure, differences: check.differences.slice(0, mostShown) })
    forgetBytes(ctx, signed.bytesRef)
    watchOrder(ctx, orderId)
    return
  }
  ctx.fact('order.signed', { orderId, signature: signed.signature, bytesRef: signed.bytesRef })
  openGate(ctx, { ...order, signature: signed.signature, signedRef: signed.bytesRef }, 'send')
}

function changed(walletName: string, code: 'wallet_changed_tx' | 'account_changed', found: Difference[]): Failure {
  const fields = found.map(({ field }) => field).join(', ')
  return { code, message: `${walletName} returned another transaction than was agreed: ${fields}`.slice(0, 300) }
}

/** The wallet signed and gave the signature alone: it is on record before it is put into the bytes it signed. */
export function orderSignedBare(ctx: Ctx, orderId: string, signature: string): void {
  const order = own(ctx.model.order, orderId)
  if (!order?.built || !awaitsAnswer(order)) return
  ctx.fact('order.signed', { orderId, signature })
  insertSignature(ctx, { ...order, signature })
}

/** Puts a bare signature into the bytes it signed; they come back as `wallet.signed`. */
export function insertSignature(ctx: Ctx, { orderId, account, built, signature }: Order): void {
  if (!built || signature === undefined) return
  const { bytesRef } = built
  ctx.effect('chain.insertSignature', { orderId, bytesRef, account, signature }, { about: orderId })
}

/** The wallet signed and sent by itself. */
export function orderSent(ctx: Ctx, orderId: string, signature: string): void {
  const order = own(ctx.model.order, orderId)
  if (!order) return
  if (awaitsAnswer(order)) {
    ctx.fact('order.signed', { orderId, signature })
    ctx.fact('order.sending', { orderId })
  } else if (isDead(order) && isWatched(order)) {
    // It had said no, or was given up: now the chain must tell
    ctx.fact('order.signed', { orderId, signature })
  } else return
  watchOrder(ctx, orderId)
}

/** The wallet said no, or cannot be asked any more. */
export function orderRefused(ctx: Ctx, orderId: string, failure: Failure): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !awaitsAnswer(order)) return
  // A wallet that sends by itself may have sent before it failed: only the person's own no is believed at once,
  // and this page's own: it asks no wallet that another could be taken for
  const isSure =
    ['user_rejected', 'unauthorized'].includes(failure.code) ||
    (order.ask?.means === 'sign' && failure.code !== 'wallet_gone')
  if (isSure) {
    ctx.fact('order.rejected', { orderId, failure })
    forgetBytes(ctx, order.built?.bytesRef)
  } else if (order.phase !== 'unknown') ctx.fact('order.unknown', { orderId, failure })
  watchOrder(ctx, orderId)
}

/** The question never left this device. */
export function orderNotAsked(ctx: Ctx, orderId: string, failure: Failure): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !awaitsAnswer(order)) return
  ctx.fact('order.rejected', { orderId, failure })
  forgetBytes(ctx, order.built?.bytesRef)
}

/** The page that held the prompt is gone, and with it the answer. */
export function orderWalletGone(ctx: Ctx, order: Order, message: string): void {
  ctx.fact('order.unknown', { orderId: order.orderId, failure: { code: 'wallet_gone', message } })
  watchOrder(ctx, order.orderId)
}
