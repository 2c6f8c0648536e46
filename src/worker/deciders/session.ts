/** Settled sessions: what the wallet changes in them, how they end, and what their requests come to. */
import { connectionOf, type WalletFeature } from '../../events/subjects/connection.ts'
import type { Session } from '../../events/subjects/session.ts'
import type { Ctx, Decider, InputData } from '../context.ts'
import { wcMethods } from '../walletconnect/methods.ts'
import { sdkErrors } from '../walletconnect/errors.ts'
import { sessionLife } from '../walletconnect/time.ts'
import { refreshBalance } from './balance.ts'
import { fallSilent, send } from './outbox.ts'
import { own } from '../../events/own.ts'
import { payloadId } from './payloadId.ts'
import { readPurchases } from './purchase.ts'
import { endRequests } from './request.ts'
import { featuresOf, solanaAccounts } from './sessionScope.ts'
import { isRepeat } from './mail.ts'
import { unlisten } from './socket.ts'

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
  fallSilent(ctx, sessionTopic)
  // Not the person's no to what the wallet still shows: it may be approved there, and sent
  endRequests(ctx, sessionTopic, { code: 'wallet_gone', message: 'the wallet was disconnected before it answered' })
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

/** A session ends because its time is over. */
export function expireSession(ctx: Ctx, sessionTopic: string): void {
  gone(ctx, sessionTopic, 'expiry')
}

function gone(ctx: Ctx, sessionTopic: string, by: 'wallet' | 'expiry'): void {
  ctx.fact('session.deleted', { sessionTopic, by })
  fallSilent(ctx, sessionTopic)
  const connection = connectionOf(ctx.model, sessionTopic)
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

/** The wallet shares these accounts from now on, none perhaps; `features` is given when they may have changed too. */
function accountsChanged(ctx: Ctx, sessionTopic: string, accounts: string[], features?: WalletFeature[]): void {
  const connection = connectionOf(ctx.model, sessionTopic)
  if (!connection) return
  const { connectionId } = connection
  if (features && features.join() !== connection.features.join())
    ctx.fact('connection.restored', { connectionId, accounts, features })
  else if (accounts.join() !== connection.accounts.join())
    ctx.fact('connection.accountsChanged', { connectionId, accounts })
  const [account] = accounts
  if (account === undefined || account === connection.accounts[0]) return
  refreshBalance(ctx, account)
  readPurchases(ctx, account)
}

/** Ids hold the sender's clock; one that cannot be put in order passes. */
function orderOf(id: string): number {
  const order = Math.floor(Number(id) / 1000)
  return Number.isSafeInteger(order) && order > 0 ? order : Number.MAX_SAFE_INTEGER
}

/** Takes an event about the accounts, unless a newer one came before it. */
function happened(ctx: Ctx, { sessionTopic, namespaces }: Session, { id, event, accounts }: Payload): void {
  if (event !== 'accountsChanged' || !accounts) return
  const order = orderOf(id)
  if (order < (ctx.transient.accountsChanged[sessionTopic] ?? 0)) return
  if (order !== Number.MAX_SAFE_INTEGER) ctx.transient.accountsChanged[sessionTopic] = order
  const approved = new Set(solanaAccounts(namespaces))
  const usable = accounts.filter(account => approved.has(account))
  if (usable.length > 0) accountsChanged(ctx, sessionTopic, usable)
}

function update(ctx: Ctx, sessionTopic: string, payload: Payload): void {
  const session = own(ctx.model.session, sessionTopic)
  if (!session) return
  const { tag, ttl, prompt } = wcMethods.wc_sessionUpdate.response
  const order = orderOf(payload.id)
  if (order < session.updateOrder || !payload.namespaces) {
    const error = sdkErrors.INVALID_UPDATE_REQUEST
    send(ctx, { kind: 'publish', topic: sessionTopic, tag, ttl, prompt, payload: { error, id: payload.id } })
    return
  }
  const { namespaces } = payload
  const kept = order === Number.MAX_SAFE_INTEGER ? session.updateOrder : order
  ctx.fact('session.updated', { sessionTopic, namespaces, order: kept })
  accountsChanged(ctx, sessionTopic, solanaAccounts(namespaces), featuresOf(namespaces))
  answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionUpdate')
}

export const session: Decider = {
  lends: { deleteSession },
  'relay.message': (ctx, { topic, hash, payload }) => {
    const open = own(ctx.model.session, topic)
    if (!open || isRepeat(ctx, { topic, hash, payload })) return
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
        return happened(ctx, open, payload)
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
