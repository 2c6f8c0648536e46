/**
 * Ends of sessions: by the person, by the wallet, by expiry. The message to the wallet is owed until it is sealed and stored:
 * after a crash in between, the next life sends it.
 */
import { connectionOf } from '../../../events/subjects/wallet/connection.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import type { Session } from '../../../events/subjects/session/session.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { sdkErrors, wcError } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { sessionLife } from '../../walletconnect/time.ts'
import { endsByAnswer } from '../request/answers.ts'
import { deletedLately } from './deletedLately.ts'
import { fallSilent, send } from '../relay/outbox.ts'
import type { MailOwner } from '../relay/owners.ts'
import { own } from '../../../runtime/schema/own.ts'
import { payloadId } from '../request/payloadId.ts'
import { endRequests } from '../request/request.ts'
import { unlisten } from '../relay/socket.ts'

/** Ends a session from our side: notifies the wallet; the keys are deleted once the relay has accepted the message. */
export function deleteSession(ctx: Ctx, sessionTopic: string): void {
  if (!own(ctx.model.session, sessionTopic)) return
  ctx.fact('session.deleted', { sessionTopic, by: 'person' })
  fallSilent(ctx, sessionTopic)
  ctx.fact('parting.owed', { sessionTopic })
  // Not a rejection by the person: the wallet may still approve and send
  endRequests(ctx, sessionTopic, { code: 'wallet_gone', message: 'the wallet was disconnected before it answered' })
  tell(ctx, sessionTopic)
  ctx.effect('timer.clear', { timerId: `session:${sessionTopic}` })
}

/** Ends a session that the wallet ended or that expired. */
export function gone(ctx: Ctx, sessionTopic: string, by: 'wallet' | 'expiry'): void {
  ctx.fact('session.deleted', { sessionTopic, by })
  fallSilent(ctx, sessionTopic)
  const connection = connectionOf(ctx.model, sessionTopic)
  if (connection) ctx.fact('connection.ended', { connectionId: connection.connectionId, by })
  endRequests(ctx, sessionTopic, {
    code: 'wallet_gone',
    message: by === 'wallet' ? 'the wallet disconnected' : 'the session ran out',
  })
  unlisten(ctx, sessionTopic)
  if (by === 'wallet') ctx.effect('timer.clear', { timerId: `session:${sessionTopic}` })
}

/** Ends a session that has expired. */
export function expireSession(ctx: Ctx, sessionTopic: string): void {
  gone(ctx, sessionTopic, 'expiry')
}

function tell(ctx: Ctx, sessionTopic: string): void {
  const { tag, ttl, prompt } = wcMethods.wc_sessionDelete.request
  send(ctx, {
    kind: 'publish',
    topic: sessionTopic,
    tag,
    ttl,
    prompt,
    purpose: { kind: 'delete', id: sessionTopic },
    payload: { method: 'wc_sessionDelete', id: payloadId(ctx), ...sdkErrors.USER_DISCONNECTED },
  })
}

/** Tells a wallet of an end that it is still owed, unless that is being said already. */
function tellOnce(ctx: Ctx, sessionTopic: string): void {
  const isSaid = Object.values(ctx.transient.sealing).some(({ purpose }) => idIn('delete', purpose) === sessionTopic)
  if (!isSaid && !endsByAnswer(ctx, sessionTopic)) tell(ctx, sessionTopic)
}

/** Leaves one namespace of several. The wallet is not told, as the protocol has no message for it. */
function leaveNamespace(ctx: Ctx, { sessionTopic, namespaces }: Session, namespace: string): void {
  const connection = namespace === 'solana' ? connectionOf(ctx.model, sessionTopic) : undefined
  if (connection) ctx.fact('connection.ended', { connectionId: connection.connectionId, by: 'person' })
  const others = Object.keys(namespaces).filter(key => namespaceOf(key) !== namespace)
  if (others.length === 0) return deleteSession(ctx, sessionTopic)
  ctx.fact('session.namespaceLeft', { sessionTopic, namespace })
  const message = 'the person left this part of the connection before the wallet answered'
  endRequests(ctx, sessionTopic, { code: 'wallet_gone', message }, namespace)
}

/** The message to a wallet is stored, or can never be sealed. */
function parted(ctx: Ctx, sessionTopic: string): void {
  if (own(ctx.model.parting, sessionTopic) !== undefined) ctx.fact('parting.settled', { sessionTopic })
}

export const deleteMail: MailOwner = {
  sealed: parted,
  unsent(ctx, sessionTopic, failure) {
    // Without its key the wallet cannot be notified; any other failure is retried in the next life
    if (failure.code === 'expired') parted(ctx, sessionTopic)
  },
}

/** @returns the session; without one the command is refused in the official client's words */
export function requireSession(ctx: Ctx, sessionTopic: string): Session | undefined {
  const open = own(ctx.model.session, sessionTopic)
  const topic = sessionTopic.slice(0, 200)
  if (open && open.expiresAt > ctx.at) return open
  if (open) {
    expireSession(ctx, sessionTopic)
    refuse(ctx, sessionTopic, wcError('EXPIRED', `session topic: ${topic}`))
    return undefined
  }
  const unknown = wcError('NO_MATCHING_KEY', `session or pairing topic doesn't exist: ${topic}`)
  refuse(ctx, sessionTopic, deletedLately(ctx, 'session', topic) ?? unknown)
  return undefined
}

export function refuse(ctx: Ctx, sessionTopic: string, { code, message }: { code: number; message: string }): void {
  ctx.fact('session.refused', { sessionTopic, code, message })
}

export const sessionEnd: Decider = {
  'session.disconnect': (ctx, { sessionTopic, namespace }) => {
    const open = requireSession(ctx, sessionTopic)
    if (!open) return
    if (namespace !== undefined) {
      if (Object.keys(open.namespaces).some(key => namespaceOf(key) === namespace))
        return leaveNamespace(ctx, open, namespace)
      const message = `disconnect() namespace: ${namespace}`
      return refuse(ctx, sessionTopic, wcError('MISSING_OR_INVALID', message))
    }
    const connection = connectionOf(ctx.model, sessionTopic)
    if (connection) ctx.fact('connection.ended', { connectionId: connection.connectionId, by: 'person' })
    deleteSession(ctx, sessionTopic)
  },
  // Words that could not be sealed without the client are said now
  'relay.opened': ctx => {
    if (ctx.transient.wire.unloaded) for (const sessionTopic in ctx.model.parting) tellOnce(ctx, sessionTopic)
  },
  resume: ctx => {
    for (const [sessionTopic, since] of Object.entries(ctx.model.parting)) {
      // By then it has expired for the wallet too
      if (since + sessionLife * 1000 <= ctx.at) ctx.fact('parting.settled', { sessionTopic })
      else tellOnce(ctx, sessionTopic)
    }
  },
}
