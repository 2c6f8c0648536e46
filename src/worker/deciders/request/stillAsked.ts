import { own } from '../../../runtime/schema/own.ts'
import type { WalletRequest } from '../../../events/subjects/session/requestState.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { Ctx } from '../../core/context.ts'

/**
 * @returns whether a wallet may still be asked: the request has neither ended nor expired, and its order still awaits a
 *   signature. A person who gave that order up may have placed another one
 */
export function isStillAsked(ctx: Ctx, request: WalletRequest | undefined): boolean {
  if (!request || request.phase === 'ended' || request.expiresAt <= ctx.at) return false
  const orderId = idIn('order', request.purpose)
  return orderId === undefined || own(ctx.model.order, orderId)?.phase === 'awaitingSignature'
}
