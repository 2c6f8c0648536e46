import type { Failure } from '../../../runtime/failure.ts'
import { builtOf, type Order, type SendOrder } from '../../../events/subjects/order/order.ts'
import { recentRecipients } from '../../../events/subjects/order/sends.ts'
import type { Ctx } from '../../core/context.ts'
import { isUnderWay } from './underWay.ts'

type Intent = Pick<SendOrder, 'orderId' | 'account' | 'units' | 'send'>

/** @returns why no transfer can be built for now: its chain is not known */
export function networkRefusal({ model }: Ctx): Failure | undefined {
  if (model.network.phase === 'identified') return undefined
  const message = 'a transfer expected the chain to be identified'
  return { code: 'unreachable', message, facts: { rule: 'NETWORK' } }
}

/** Builds a transfer, or builds it again: same key, new blockhash, at most the fee that was shown. */
export function prepareSend(
  ctx: Ctx,
  { orderId, account, units, send }: Intent,
  orderKey: string,
  before?: Order,
): void {
  const { network, order } = ctx.model
  if (network.phase !== 'identified' || isUnderWay(ctx, 'chain.prepareSend', orderId)) return
  const mostFee = before && builtOf(before)?.fee
  const recent = recentRecipients(order, account)
  const { genesisHash } = network
  const toBuild = { ...send, orderKey, account, units, recent, genesisHash, ...(mostFee !== undefined && { mostFee }) }
  ctx.effect('chain.prepareSend', { orderId, send: toBuild }, { about: orderId })
}
