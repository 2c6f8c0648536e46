/**
 * The wallet's answer to an order: signed, sent, refused, silence. An uncertain outcome stays open until the chain decides it.
 */
import type { Failure } from '../../../runtime/failure.ts'
import {
  type AskedOrder,
  isDead,
  mayBeNamedLate,
  type Order,
  type OrderIn,
  orderSignatureOf,
  signedRefOf,
} from '../../../events/subjects/order/order.ts'
import { isWatched } from '../../../events/subjects/order/watchedOrder.ts'
import type { DecodedTransaction, TransactionDifference } from '../../../events/values/solana/transaction.ts'
import { signedCheckOf } from '../../services/saleChecks.ts'
import type { Ctx } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'
import { mostShown } from './landed.ts'
import { agreedOf } from './expected.ts'
import { openGate } from './gate.ts'
import { countFromSent } from './proof.ts'
import { watchOrder } from './watch.ts'
import { own } from '../../../runtime/schema/own.ts'

function awaitsAnswer(
  order: Order,
): order is OrderIn<'awaitingSignature'> | (OrderIn<'unknown'> & { signed?: undefined }) {
  return order.phase === 'awaitingSignature' || (order.phase === 'unknown' && order.signed === undefined)
}

/** Whether the wallet returned a bare signature that is not yet inserted into the bytes. */
export function lacksBytes(order: Order): order is OrderIn<'signed'> & { ask: { means: 'sign' } } {
  return order.phase === 'signed' && order.signed.bytesRef === undefined && order.ask.means === 'sign'
}

/** Handles signed bytes: they are compared with the agreed transaction, then the gate opens. */
export function orderSigned(
  ctx: Ctx,
  orderId: string,
  { signature, bytesRef, decoded }: { signature: string; bytesRef: string; decoded: DecodedTransaction },
): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !(awaitsAnswer(order) || lacksBytes(order))) {
    // Equal bytes of one order share a ref: bytes the order still uses stay
    if (!order || signedRefOf(order) !== bytesRef) forgetBytes(ctx, bytesRef)
    return
  }
  const { walletName } = order
  const check = signedCheckOf(ctx.model.sale, order)(decoded, agreedOf(order))
  if (!check.ok) {
    const failure = changed(walletName, check.code, check.differences)
    ctx.fact('order.gateRefused', { orderId, failure, differences: check.differences.slice(0, mostShown) })
    forgetBytes(ctx, bytesRef, order.built.bytesRef)
    watchOrder(ctx, orderId)
    return
  }
  ctx.fact('order.signed', { orderId, signature, bytesRef })
  openGate(ctx, { ...order, signed: { signature, bytesRef } }, 'send')
}

function changed(
  walletName: string,
  code: 'wallet_changed_tx' | 'account_changed',
  found: TransactionDifference[],
): Failure {
  const fields = found.map(({ field }) => field).join(', ')
  return { code, message: `${walletName} returned another transaction than was agreed: ${fields}`.slice(0, 300) }
}

/** Handles a bare signature: it is recorded before it is inserted into the bytes. */
export function orderSignedBare(ctx: Ctx, orderId: string, signature: string): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !awaitsAnswer(order)) return
  ctx.fact('order.signed', { orderId, signature })
  insertSignature(ctx, order, signature)
}

/** Inserts a bare signature into the bytes; they return as `wallet.signed`. */
export function insertSignature(ctx: Ctx, { orderId, account, built }: AskedOrder, signature: string): void {
  const { bytesRef } = built
  ctx.effect('chain.insertSignature', { orderId, bytesRef, account, signature }, { about: orderId })
}

/** Handles a signature from a wallet that sends by itself. */
export function orderSent(ctx: Ctx, orderId: string, signature: string): void {
  const order = own(ctx.model.order, orderId)
  if (!order) return
  const isLate = mayBeNamedLate(order)
  if (awaitsAnswer(order) || (isLate && order.phase === 'expired')) {
    ctx.fact('order.signed', { orderId, signature })
    ctx.fact('order.sending', { orderId })
  } else if (isLate || (isDead(order) && isWatched(order, ctx.at) && orderSignatureOf(order) !== signature)) {
    // It was rejected or given up before: now the chain decides. The wallet may say so again
    ctx.fact('order.signed', { orderId, signature })
  } else return
  countFromSent(ctx, orderId)
  watchOrder(ctx, orderId)
}

/** Handles a refusal or failure of the wallet. */
export function orderRefused(ctx: Ctx, orderId: string, failure: Failure): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !awaitsAnswer(order)) return
  // A wallet that sends by itself may have sent before it failed. Certain are only the person's rejection, and this page's own
  // refusal: it asks no wallet that another could be taken for
  const isSure =
    ['user_rejected', 'unauthorized'].includes(failure.code) ||
    (order.ask.means === 'sign' && failure.code !== 'wallet_gone')
  if (isSure) {
    ctx.fact('order.rejected', { orderId, failure })
    forgetBytes(ctx, order.built.bytesRef)
  } else if (order.phase !== 'unknown') ctx.fact('order.unknown', { orderId, failure })
  watchOrder(ctx, orderId)
}

/** The request never left this device. */
export function orderNotAsked(ctx: Ctx, orderId: string, failure: Failure): void {
  const order = own(ctx.model.order, orderId)
  if (!order || !awaitsAnswer(order)) return
  ctx.fact('order.rejected', { orderId, failure })
  forgetBytes(ctx, order.built.bytesRef)
  // It counts as shown to the wallet, until the chain proves that nothing can land
  watchOrder(ctx, orderId)
}

/** The page with the prompt is gone, and the answer with it. */
export function orderWalletGone(ctx: Ctx, order: Order, message: string): void {
  ctx.fact('order.unknown', { orderId: order.orderId, failure: { code: 'wallet_gone', message } })
  watchOrder(ctx, order.orderId)
}
