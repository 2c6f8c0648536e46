/**
 * Our calls to a session's wallet: ping, extend, emit. Each call is recorded and ends once: with the wallet's answer, its
 * timeout or its session; an emitted event needs no answer and ends when the relay has accepted it.
 */
import type { OutgoingPayload } from '../../../events/effect.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Session, SessionCall } from '../../../events/subjects/session/session.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { wcError } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { approvedChains, eventsFor } from '../../walletconnect/session/namespaces.ts'
import { sessionLife } from '../../walletconnect/time.ts'
import { send } from '../relay/outbox.ts'
import type { MailOwner } from '../relay/owners.ts'
import { payloadId } from '../request/payloadId.ts'
import { watchExpiry } from './session.ts'
import { refuse, requireSession } from './sessionEnd.ts'
import { permittedIn } from './sessionScope.ts'

/** Longest time for a wallet's answer, ms. */
const answerMs = 300_000

/** The official client's messages after that. */
const silence: Record<SessionCall, string> = {
  ping: 'Ping request expired without receiving any acknowledgement',
  extend: 'Session extend request expired without receiving any acknowledgement',
  emit: 'telling the wallet expected the relay to take the message, it did not',
}
const methodOf = { ping: 'wc_sessionPing', extend: 'wc_sessionExtend', emit: 'wc_sessionEvent' } as const

function call(ctx: Ctx, sessionTopic: string, what: SessionCall, payloadOf: (id: string) => OutgoingPayload): void {
  const id = payloadId(ctx)
  const { tag, ttl, prompt } = wcMethods[methodOf[what]].request
  ctx.fact('session.called', { sessionTopic, payloadId: id, what })
  remember(ctx, id, sessionTopic)
  ctx.effect('timer.set', { timerId: `call:${id}`, at: ctx.at + answerMs })
  const payload = payloadOf(id)
  send(ctx, { kind: 'publish', topic: sessionTopic, tag, ttl, prompt, purpose: { kind: 'call', id }, payload })
}

function remember({ transient }: Ctx, id: string, sessionTopic: string): void {
  transient.callers ??= {}
  transient.callers[id] = sessionTopic
}

/** @returns the session with this pending call */
function callerOf(ctx: Ctx, id: string): Session | undefined {
  return own(ctx.model.session, own(ctx.transient.callers ?? {}, id) ?? '')
}

function end(ctx: Ctx, { sessionTopic, calls }: Session, id: string, failure?: Failure): void {
  const made = own(calls, id)
  if (!made) return
  delete ctx.transient.callers?.[id]
  ctx.fact('session.callEnded', { sessionTopic, payloadId: id, ...(failure && { failure }) })
  ctx.effect('timer.clear', { timerId: `call:${id}` })
  if (made.what !== 'extend' || failure) return
  // Each side uses its own clock: counted from our request, so that it ends no later here than there
  const expiresAt = made.sentAt + sessionLife * 1000
  ctx.fact('session.extended', { sessionTopic, expiresAt })
  watchExpiry(ctx, sessionTopic, expiresAt)
}

/** The reason an event cannot be emitted, in the official client's words; its data is not quoted. */
function emitProblem(ctx: Ctx, session: Session, event: string, chainId: string) {
  const permitted = permittedIn(ctx, session)
  if (!approvedChains(permitted).includes(chainId))
    return wcError('MISSING_OR_INVALID', `emit() chainId: ${chainId.slice(0, 200)}`)
  if (event !== '' && eventsFor(permitted, chainId).includes(event)) return undefined
  return wcError('MISSING_OR_INVALID', `emit() event: {"name":${JSON.stringify(event.slice(0, 200))},"data":…}`)
}

/** Handles the wallet's answer to a call. */
export function callAnswered(ctx: Ctx, open: Session, payload: InputData<'relay.message'>['payload']): void {
  if (payload.kind === 'result') return end(ctx, open, payload.id)
  const { code = 0, message = '' } = payload.error ?? {}
  const words = `the wallet answered with error ${code}${message === '' ? '' : `: ${message}`}`
  end(ctx, open, payload.id, { code: 'bad_response', message: words, facts: { code } })
}

export const callMail: MailOwner = {
  unsent(ctx, id, failure) {
    const caller = callerOf(ctx, id)
    if (caller) end(ctx, caller, id, failure)
  },
  // Events are not answered
  taken(ctx, id) {
    const caller = callerOf(ctx, id)
    if (caller && own(caller.calls, id)?.what === 'emit') end(ctx, caller, id)
  },
}

export const sessionCalls: Decider = {
  'session.ping': (ctx, { sessionTopic }) => {
    if (requireSession(ctx, sessionTopic)) call(ctx, sessionTopic, 'ping', id => ({ method: 'wc_sessionPing', id }))
  },
  'session.extend': (ctx, { sessionTopic }) => {
    if (requireSession(ctx, sessionTopic)) call(ctx, sessionTopic, 'extend', id => ({ method: 'wc_sessionExtend', id }))
  },
  'session.emit': (ctx, { sessionTopic, event, chainId, data }) => {
    const open = requireSession(ctx, sessionTopic)
    if (!open) return
    const problem = emitProblem(ctx, open, event, chainId)
    if (problem) return refuse(ctx, sessionTopic, problem)
    call(ctx, sessionTopic, 'emit', id => ({ method: 'wc_sessionEvent', id, chainId, event, data }))
  },
  timers: {
    call: (ctx, id) => {
      const caller = callerOf(ctx, id)
      const made = caller && own(caller.calls, id)
      if (caller && made) end(ctx, caller, id, { code: 'timeout', message: silence[made.what] })
      // It may have ended with its session
      delete ctx.transient.callers?.[id]
    },
  },
  resume: ctx => {
    for (const { sessionTopic, calls } of Object.values(ctx.model.session))
      for (const [id, { sentAt }] of Object.entries(calls)) {
        remember(ctx, id, sessionTopic)
        ctx.effect('timer.set', { timerId: `call:${id}`, at: Math.min(sentAt, ctx.at) + answerMs })
      }
  },
}
