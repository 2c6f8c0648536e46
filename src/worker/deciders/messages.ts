/** Incoming messages, each handed to the owner of its topic. The relay decider has deduplicated them. */
import { own } from '../../runtime/schema/own.ts'
import type { Ctx } from '../core/context.ts'
import { answeredPairing, messageOnPairing, pairingFailed } from './pairing/pairing.ts'
import { authAnswered, authAskedBy, authFailed } from './pairing/auth.ts'
import { noteDelivery } from './pairing/link.ts'
import type { Inbound } from './relay/inbound.ts'
import { answersRequest, messageOnRequest, requestFailed } from './request/request.ts'
import { messageInSession } from './session/session.ts'
import { callAnswered } from './session/sessionCalls.ts'
import { eventHeard } from './session/sessionEvents.ts'
import { settleSession } from './session/settlement.ts'

export const inbound: Inbound = {
  delivered: noteDelivery,
  handle(ctx, { topic, payload }) {
    const request = answersRequest(ctx, topic, payload)
    if (request) return messageOnRequest(ctx, request, payload)
    const session = own(ctx.model.session, topic)
    if (session) {
      if (payload.kind === 'event') return eventHeard(ctx, session, payload)
      if (payload.kind === 'result' || payload.kind === 'error') return callAnswered(ctx, session, payload)
      return messageInSession(ctx, session, payload)
    }
    const auth = authAskedBy(ctx, topic, payload)
    if (auth) return authAnswered(ctx, auth, payload)
    const pairing = own(ctx.model.pairing.open, topic)
    if (pairing) return messageOnPairing(ctx, pairing, payload)
    const answered = payload.kind === 'settle' ? answeredPairing(ctx, topic) : undefined
    if (answered) settleSession(ctx, answered, payload)
  },
  setAside(ctx: Ctx, topic: string, payloadId: string) {
    pairingFailed(ctx, topic)
    authFailed(ctx, topic)
    requestFailed(ctx, topic, payloadId)
  },
}
