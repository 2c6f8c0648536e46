/** Settled sessions: what the wallet changes in them, how they end, and what their requests come to. */
import type { Ctx, Decider, InputData } from '../context.ts'
import { wcMethods } from '../walletconnect/methods.ts'
import { sessionProblem } from '../walletconnect/namespaceChecks.ts'
import { sdkErrors } from '../walletconnect/errors.ts'
import { sessionLife } from '../walletconnect/time.ts'
import { endRequests } from './request.ts'
import { send } from './outbox.ts'
import { solanaAccounts } from './sessionScope.ts'
import { payloadId } from './payloadId.ts'
import { isRepeat, unlisten } from './socket.ts'

type Payload = InputData<'relay.message'>['payload']

/** Sets the timer that ends a session at its expiry. */
export function watchExpiry(ctx: Ctx, sessionTopic: string, expiresAt: number): void {
  ctx.effect('timer.set', { timerId: `session:${sessionTopic}`, at: expiresAt })
}

/** Ends a session from our side: the wallet is told, the keys go once the relay has the message. */
export function deleteSession(ctx: Ctx, sessionTopic: string): void {
  if (!ctx.model.session[sessionTopic]) return
  const { tag, ttl, prompt } = wcMethods.wc_sessionDelete.request
  ctx.fact('session.deleted', { sessionTopic, by: 'person' })
  endRequests(ctx, sessionTopic, { code: 'user_rejected', message: 'the person disconnected' })
  send(ctx, {
    kind: 'publish',
    topic: sessionTopic,
    tag,
    ttl,
    prompt,
    purpose: `delete:${sessionTopic}`,
    payload: { method: 'wc_sessionDelete', id: payloadId(ctx), ...sdkErrors.USER_DISCONNECTED },
  })
  ctx.effect('timer.clear', { timerId: `session:${sessionTopic}` })
}

function connectionOf(ctx: Ctx, sessionTopic: string) {
  return Object.values(ctx.model.connection.made).find(made => made.sessionTopic === sessionTopic)
}

function gone(ctx: Ctx, sessionTopic: string, by: 'wallet' | 'expiry'): void {
  ctx.fact('session.deleted', { sessionTopic, by })
  const connection = connectionOf(ctx, sessionTopic)
  if (connection) ctx.fact('connection.ended', { connectionId: connection.connectionId, by })
  endRequests(ctx, sessionTopic, {
    code: 'wallet_gone',
    message: by === 'wallet' ? 'the wallet disconnected' : 'the session ran out',
  })
  unlisten(ctx, sessionTopic)
}

function answerTrue(
  ctx: Ctx,
  sessionTopic: string,
  id: string,
  method: 'wc_sessionUpdate' | 'wc_sessionExtend' | 'wc_sessionPing' | 'wc_sessionSettle',
) {
  const { tag, ttl, prompt } = wcMethods[method].response
  send(ctx, { kind: 'publish', topic: sessionTopic, tag, ttl, prompt, payload: { result: true, id } })
}

function accountsChanged(ctx: Ctx, sessionTopic: string, accounts: string[]): void {
  const connection = connectionOf(ctx, sessionTopic)
  if (!connection || accounts.length === 0 || accounts.join() === connection.accounts.join()) return
  ctx.fact('connection.accountsChanged', { connectionId: connection.connectionId, accounts })
}

function update(ctx: Ctx, sessionTopic: string, payload: Payload): void {
  const session = ctx.model.session[sessionTopic]
  if (!session) return
  const { tag, ttl, prompt } = wcMethods.wc_sessionUpdate.response
  const order = Math.floor(Number(payload.id) / 1000)
  const problem = sessionProblem(payload.namespaces, 'update()')
  if (order < session.updateOrder || problem || !payload.namespaces) {
    const error = problem ?? sdkErrors.INVALID_UPDATE_REQUEST
    send(ctx, { kind: 'publish', topic: sessionTopic, tag, ttl, prompt, payload: { error, id: payload.id } })
    return
  }
  ctx.fact('session.updated', { sessionTopic, namespaces: payload.namespaces, order })
  accountsChanged(ctx, sessionTopic, solanaAccounts(payload.namespaces))
  answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionUpdate')
}

export const session: Decider = {
  'relay.message': (ctx, { topic, hash, payload }) => {
    const open = ctx.model.session[topic]
    if (!open || isRepeat(ctx, hash)) return
    switch (payload.kind) {
      case 'settle':
        return answerTrue(ctx, topic, payload.id, 'wc_sessionSettle')
      case 'update':
        return update(ctx, topic, payload)
      case 'extend': {
        const expiresAt = ctx.at + sessionLife * 1000
        ctx.fact('session.extended', { sessionTopic: topic, expiresAt })
        watchExpiry(ctx, topic, expiresAt)
        return answerTrue(ctx, topic, payload.id, 'wc_sessionExtend')
      }
      case 'event':
        if (payload.event === 'accountsChanged' && payload.accounts) {
          const known = new Set(solanaAccounts(open.namespaces))
          accountsChanged(
            ctx,
            topic,
            payload.accounts.filter(account => known.has(account)),
          )
        }
        return
      case 'ping':
        return answerTrue(ctx, topic, payload.id, 'wc_sessionPing')
      case 'delete':
        return gone(ctx, topic, 'wallet')
    }
  },
  timers: {
    session: (ctx, sessionTopic) => {
      const open = ctx.model.session[sessionTopic]
      if (!open) return
      if (open.expiresAt <= ctx.at) gone(ctx, sessionTopic, 'expiry')
      else watchExpiry(ctx, sessionTopic, open.expiresAt)
    },
  },
  resume: ctx => {
    for (const open of Object.values(ctx.model.session)) {
      if (open.expiresAt <= ctx.at) gone(ctx, open.sessionTopic, 'expiry')
      else watchExpiry(ctx, open.sessionTopic, open.expiresAt)
    }
  },
}
