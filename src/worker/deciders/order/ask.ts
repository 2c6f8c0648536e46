/** Requests an order's signature from the wallet. The request is stored before the wallet gets it. */
import type { Failure, FailureCode } from '../../../runtime/failure.ts'
import {
  builtOf,
  type EarlyOrder,
  type Order,
  type ReadyOrder,
  silenceMs,
} from '../../../events/subjects/order/order.ts'
import { installedWallet } from '../../../events/subjects/wallet/connection.ts'
import { feeEstimate, mostFeeOf } from '../../../events/values/solana/fees.ts'
import type { Ctx } from '../../core/context.ts'
import type { OrderScratch } from '../../core/transient.ts'
import { forgetBytes } from '../forget.ts'
import { askRefusal, askSession } from '../request/askSession.ts'
import { earlierRefusal, keyRefusal, purchaseRefusal, termsRefusal } from './judge.ts'

/** Longest time between a press and its prompt, ms; after it a new press is needed. */
const promptMs = 3000

/** @returns an order's transient memory in this life */
export function scratch(ctx: Ctx, orderId: string): OrderScratch {
  const known = ctx.transient.order[orderId]
  if (known) return known
  const made: OrderScratch = { pressedAt: 0, tab: ctx.input.tab ?? '', checks: 0, misses: 0 }
  ctx.transient.order[orderId] = made
  return made
}

/** Remembers a press. @param mostFee highest fee that the person agrees to with it, lamports */
export function pressFor(ctx: Ctx, orderId: string, mostFee: string | undefined): void {
  Object.assign(scratch(ctx, orderId), { pressedAt: ctx.at, tab: ctx.input.tab ?? '' }, mostFee && { mostFee })
}

/** @returns whether the wallet returns the signed bytes or sends them by itself */
export function meansOf(ctx: Ctx, { connectionId }: Order): 'sign' | 'signAndSend' {
  return ctx.model.connection.made[connectionId]?.features.includes('signTransaction') ? 'sign' : 'signAndSend'
}

/** Ends an order before its prompt; its unsigned bytes are of no more use. */
export function refuseOrder(ctx: Ctx, order: EarlyOrder, failure: Failure): void {
  ctx.fact('order.gateRefused', { orderId: order.orderId, failure })
  forgetBytes(ctx, builtOf(order)?.bytesRef)
}

/** @returns what has changed since the press or the gate, so that the wallet must not be asked; undefined for nothing */
function changedSince(ctx: Ctx, order: ReadyOrder, means: 'sign' | 'signAndSend'): Failure | undefined {
  // The earlier transfer's wallet may have answered since this one was requested
  if (order.send) return earlierRefusal(ctx, order.account)
  // No gate follows where the wallet sends by itself
  if (means === 'signAndSend') return purchaseRefusal(ctx, order)
  return termsRefusal(ctx, order) ?? keyRefusal(ctx, { ...order.accepted, account: order.account })
}

/** @returns whether its fee is higher than the person agreed to; a transfer and a page of an earlier build name none */
export function isDear(ctx: Ctx, { orderId, built }: ReadyOrder): boolean {
  const { pressedAt, mostFee } = scratch(ctx, orderId)
  // An earlier life knew it
  const most = mostFee ?? (pressedAt ? built.fee : mostFeeOf(feeEstimate))
  return BigInt(built.fee) > BigInt(most)
}

/** Opens the prompt, or waits for a new press when this one is too old, or was for a lower fee. */
export function askOrWait(ctx: Ctx, order: ReadyOrder): void {
  const connection = ctx.model.connection.made[order.connectionId]
  const isOld = connection?.connector === 'installed' && ctx.at - scratch(ctx, order.orderId).pressedAt > promptMs
  if (isOld || isDear(ctx, order)) ctx.fact('order.pressAwaited', { orderId: order.orderId })
  else ask(ctx, order)
}

/** Opens the wallet's prompt now, unless the order's terms are no longer in force. */
export function ask(ctx: Ctx, order: ReadyOrder): void {
  const { orderId, account, built, connectionId } = order
  const connection = ctx.model.connection.made[connectionId]
  const { network, core } = ctx.model
  const giveUp = (code: FailureCode, message: string) => {
    ctx.fact('order.abandoned', { orderId, failure: { code, message } })
    forgetBytes(ctx, built.bytesRef)
  }
  const means = meansOf(ctx, order)
  const changed = changedSince(ctx, order, means)
  if (changed) return refuseOrder(ctx, order, changed)
  if (core.storage !== 'durable')
    return giveUp('storage_down', 'asking the wallet expected a durable record, it is lost')
  if (network.phase !== 'identified')
    return giveUp('unreachable', 'asking the wallet expected the chain to be identified, it is not')
  if (connection?.phase !== 'live') return giveUp('wallet_gone', 'the wallet is not connected any more')
  if (connection.accounts[0] !== account)
    return giveUp('account_changed', 'the wallet switched to another account before it was asked')
  const refused = askRefusal(ctx, connection, account)
  if (refused) return refuseOrder(ctx, order, refused)
  if (connection.sessionTopic !== undefined) {
    const method = means === 'sign' ? 'solana_signTransaction' : 'solana_signAndSendTransaction'
    const askId = askSession(ctx, {
      sessionTopic: connection.sessionTopic,
      method,
      purpose: { kind: 'order', id: orderId },
      bytesRef: built.bytesRef,
      account,
    })
    ctx.fact('order.asked', { orderId, askId, means })
  } else {
    const { tab } = scratch(ctx, orderId)
    const type = means === 'sign' ? 'wallet.signTransaction' : 'wallet.signAndSendTransaction'
    const { genesisHash } = network
    const data = { ...installedWallet(connection), account, bytesRef: built.bytesRef, genesisHash }
    const askId = ctx.effect(type, data, { after: 'stored', about: orderId, ...(tab === '' ? {} : { tab }) })
    ctx.fact('order.asked', { orderId, askId, means, ...(tab === '' ? {} : { tab }) })
  }
  ctx.effect('timer.set', { timerId: `silence:${orderId}`, at: ctx.at + silenceMs })
}
