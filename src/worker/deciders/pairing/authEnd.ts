/** How one-click auth ends, whichever of its two answers came: once, and with its topic's key forgotten. */
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import { isAuthAsked, isAuthOver, type OpenAuth } from '../../../events/subjects/wallet/auth.ts'
import type { Ctx } from '../../core/context.ts'
import { forgetTopic } from '../forget.ts'
import { fallSilent } from '../relay/outbox.ts'
import { unwatchPairing } from './pairingTimers.ts'
import { unlisten } from '../relay/socket.ts'

/** @returns the auth of this name while something is expected of it */
export function openAuth(ctx: Ctx, authId: string): OpenAuth | undefined {
  const auth = own(ctx.model.auth, authId)
  return auth && !isAuthOver(auth) ? auth : undefined
}

/** Ends it in words a person can read; nothing happens when it is over, or when the name is that of something else. */
export function failAuth(ctx: Ctx, authId: string, failure: Failure): void {
  const auth = openAuth(ctx, authId)
  if (!auth) return
  ctx.fact('auth.failed', { authId, failure })
  close(ctx, auth)
}

/** Ends it with what the wallet signed, with a session, or with both. */
export function finishAuth(ctx: Ctx, authId: string, sessionTopic?: string): void {
  const auth = openAuth(ctx, authId)
  if (!auth) return
  ctx.fact('auth.done', { authId, ...(sessionTopic !== undefined && { sessionTopic }) })
  close(ctx, auth)
}

/** The proposal beside it is not to be answered any more. */
export function closeFallback(ctx: Ctx, auth: OpenAuth, fact: 'pairing.settled' | 'pairing.expired'): void {
  const pairing = isAuthAsked(auth) && own(ctx.model.pairing.open, auth.sent.pairingTopic)
  if (!pairing) return
  ctx.fact(fact, { pairingTopic: pairing.pairingTopic })
  unwatchPairing(ctx, pairing.pairingTopic)
  fallSilent(ctx, pairing.pairingTopic)
  unlisten(ctx, pairing.pairingTopic)
  if (pairing.phase === 'answered' && !ctx.model.session[pairing.sessionTopic]) unlisten(ctx, pairing.sessionTopic)
}

function close(ctx: Ctx, auth: OpenAuth): void {
  ctx.effect('timer.clear', { timerId: `auth:${auth.authId}` })
  if (!isAuthAsked(auth)) return
  unlisten(ctx, auth.sent.responseTopic)
  // No message was expected on it, so its key is forgotten here alone
  if (auth.byLink) forgetTopic(ctx, auth.sent.pairingTopic)
}
