import { own } from '../../../events/schema/own.ts'
import type { WalletRequest } from '../../../events/subjects/request.ts'
import type { Ctx } from '../../core/context.ts'

/**
 * @returns whether a wallet may still be asked this: the request has not ended, nor run out, and an order behind it still
 *   waits for its wallet. Whoever gave it up may have asked for another one since
 */
export function isStillAsked(ctx: Ctx, request: WalletRequest | undefined): boolean {
  if (!request || request.phase === 'ended' || request.expiresAt <= ctx.at) return false
  const { purpose } = request
  if (!purpose.startsWith('order:')) return true
  return own(ctx.model.order, purpose.slice('order:'.length))?.phase === 'awaitingSignature'
}
