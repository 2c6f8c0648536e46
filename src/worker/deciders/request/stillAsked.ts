import { own } from '../../../events/schema/own.ts'
import type { WalletRequest } from '../../../events/subjects/request.ts'
import type { Ctx } from '../../core/context.ts'

/**
 * @returns whether a wallet may still be asked: the request has neither ended nor expired, and its order still awaits a
 *   signature. A person who gave that order up may have placed another one
 */
export function isStillAsked(ctx: Ctx, request: WalletRequest | undefined): boolean {
  if (!request || request.phase === 'ended' || request.expiresAt <= ctx.at) return false
  const { purpose } = request
  if (!purpose.startsWith('order:')) return true
  return own(ctx.model.order, purpose.slice('order:'.length))?.phase === 'awaitingSignature'
}
