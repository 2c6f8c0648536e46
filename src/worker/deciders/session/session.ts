/** Settled sessions: changes by the wallet, and expiry. */
import type { Failure } from '../../../runtime/failure.ts'
import type { PeerError } from '../../../events/schema/fields.ts'
import { namespaceOf } from '../../../events/values/networks.ts'
import { type Session, withoutNamespaces } from '../../../events/subjects/session/session.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { sdkErrors } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { conformanceProblem } from '../../walletconnect/session/namespaceChecks.ts'
import { inWordsOf } from '../../walletconnect/session/namespaces.ts'
import { digitsOf } from '../../walletconnect/relay/ids.ts'
import { sessionLife } from '../../walletconnect/time.ts'
import { answer } from '../request/answers.ts'
import { askedNamespaces } from '../pairing/proposal.ts'
import { accountsChanged } from './sessionAccounts.ts'
import { expireSession, gone } from './sessionEnd.ts'
import { featuresOf, permittedIn, solanaAccounts } from './sessionScope.ts'

type Payload = InputData<'relay.message'>['payload']
type Answered = 'wc_sessionUpdate' | 'wc_sessionExtend' | 'wc_sessionPing' | 'wc_sessionSettle'

/** Sets the timer of a session's expiry. */
export function watchExpiry(ctx: Ctx, sessionTopic: string, expiresAt: number): void {
  ctx.effect('timer.set', { timerId: `session:${sessionTopic}`, at: expiresAt })
}

function answerTrue(ctx: Ctx, topic: string, payloadId: string, method: Answered): void {
  answer(ctx, { topic, payloadId }, wcMethods[method].response)
}

function answerError(ctx: Ctx, topic: string, payloadId: string, method: Answered, error: PeerError): void {
  answer(ctx, { topic, payloadId, error }, wcMethods[method].response)
}

/** @returns an id's ms, as ids contain their sender's clock; 0 for an id without order, which passes */
function orderOf(id: string): number {
  const order = Math.floor(Number(digitsOf(id)) / 1000)
  return Number.isSafeInteger(order) && order > 0 ? order : 0
}

function update(ctx: Ctx, session: Session, payload: Payload): void {
  const { sessionTopic, updateOrder, left } = session
  const order = orderOf(payload.id)
  const refused = updateProblem(session, payload, order)
  if (refused) {
    ctx.fact('session.updateRefused', { sessionTopic, failure: refused })
    const { code, message } = sdkErrors.INVALID_UPDATE_REQUEST
    // The error names the missing parts, as the wallet may not know what was required
    const error =
      refused.code === 'unsupported' ? { code, message: `${message} ${refused.message}` } : { code, message }
    return answerError(ctx, sessionTopic, payload.id, 'wc_sessionUpdate', error)
  }
  const asked = askedNamespaces(ctx, session.proposal)
  const namespaces = inWordsOf(asked, withoutNamespaces(payload.namespaces ?? {}, left))
  ctx.fact('session.updated', { sessionTopic, namespaces, order: order === 0 ? updateOrder : order })
  const permitted = permittedIn(ctx, { ...session, namespaces })
  accountsChanged(ctx, sessionTopic, solanaAccounts(ctx, permitted), featuresOf(ctx, permitted))
  answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionUpdate')
}

/** The reason an update is refused, or undefined. */
function updateProblem(session: Session, { namespaces, error }: Payload, order: number): Failure | undefined {
  if (!namespaces) {
    const code = error?.code ?? 0
    return { code: 'bad_response', message: `an update expected namespaces of their form, got error ${code}` }
  }
  if (order !== 0 && order < session.updateOrder)
    return { code: 'bad_response', message: 'an update expected to be newer than the last one, it is older' }
  const required = Object.entries(session.proposal?.required ?? {}).filter(
    ([key]) => !session.left.includes(namespaceOf(key)),
  )
  const lacking = conformanceProblem(Object.fromEntries(required), namespaces, 'update()')
  return lacking && { code: 'unsupported', message: lacking.message, facts: { code: lacking.code } }
}

/** Whether it repeats the session's settlement: its wallet missed our acknowledgement. */
function isSettledBy({ controllerKey, namespaces }: Session, payload: Payload): boolean {
  return payload.controllerKey === controllerKey && JSON.stringify(payload.namespaces) === JSON.stringify(namespaces)
}

function extend(ctx: Ctx, sessionTopic: string, { id, error }: Payload): void {
  if (error) return answerError(ctx, sessionTopic, id, 'wc_sessionExtend', sdkErrors.INVALID_EXTEND_REQUEST)
  const expiresAt = ctx.at + sessionLife * 1000
  ctx.fact('session.extended', { sessionTopic, expiresAt })
  watchExpiry(ctx, sessionTopic, expiresAt)
  answerTrue(ctx, sessionTopic, id, 'wc_sessionExtend')
}

/** Handles a wallet's request about its session. */
export function messageInSession(ctx: Ctx, open: Session, payload: Payload): void {
  const { sessionTopic } = open
  switch (payload.kind) {
    case 'settle':
      // Another settlement is ignored: a yes would be untrue, and at a no the wallet would end this session
      if (isSettledBy(open, payload)) answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionSettle')
      return
    case 'update':
      return update(ctx, open, payload)
    case 'extend':
      return extend(ctx, sessionTopic, payload)
    case 'ping':
      return answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionPing')
    case 'delete':
      return gone(ctx, sessionTopic, 'wallet')
  }
}

export const session: Decider = {
  timers: {
    session: (ctx, sessionTopic) => {
      const open = ctx.model.session[sessionTopic]
      if (!open) return
      if (open.expiresAt <= ctx.at) expireSession(ctx, sessionTopic)
      else watchExpiry(ctx, sessionTopic, open.expiresAt)
    },
  },
  resume: ctx => {
    for (const open of Object.values(ctx.model.session)) {
      if (open.expiresAt <= ctx.at) expireSession(ctx, open.sessionTopic)
      else watchExpiry(ctx, open.sessionTopic, open.expiresAt)
    }
  },
}
