/** Messages to wallets: sealed once, kept, and published with the same call id and bytes until the relay has taken them. */
import type { OutgoingPayload } from '../../../events/effect.ts'
import type { Failure } from '../../../events/failure.ts'
import { own } from '../../../events/schema/own.ts'
import { type AuthView, isOver } from '../../../events/subjects/auth.ts'
import type { Outgoing } from '../../../events/subjects/outbox.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import type { Sealing } from '../../core/transient.ts'
import { costless } from '../../walletconnect/session/safeToRetry.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { visibleTab } from '../page.ts'
import { backoff } from './backoff.ts'
import { forgetMessage } from '../forget.ts'
import { linkFor, queueLink } from '../pairing/linkMode.ts'
import { listen, needRelay, probe, relayCallId, unlisten } from './socket.ts'
import { isStillAsked } from '../request/stillAsked.ts'
import { invalidParams, isUnknownMethod, learn, proposalWay } from './ways.ts'
import { endWait, forgetWitness, passWitness, restFromWitness, waitingForWitness, waitsForWitness } from './witness.ts'

/** A message without an answer goes out again after this, ms. */
const retryMs = 15_000
/** Somebody waits for a proposal and for a request: after so many errors, a minute or so, they are told. */
const mostErrors = 7
/** After so many errors neither way to carry a proposal is known to the relay. */
const mostUnknown = 3

/** With `universal` it goes by that link of the wallet's, else by the way its session goes; `plain` is not sealed. */
export type Sending = Omit<Sealing, 'payloadId'> & { payload: OutgoingPayload; plain?: true }
type Refused = InputData<'relay.failed'>

/** Seals a payload for a topic and publishes it. What for is in `purpose`: `request:<id>`, `delete:<topic>`, `propose:<topic>`. */
export function send(ctx: Ctx, sending: Sending): void {
  const { kind, topic, payload, tag, ttl, prompt, purpose, plain } = sending
  const universal = sending.universal ?? linkFor(ctx, topic)
  const callId = relayCallId(ctx)
  ctx.transient.sealing[callId] = {
    kind,
    topic,
    tag,
    ttl,
    prompt,
    payloadId: payload.id,
    ...(purpose === undefined ? {} : { purpose }),
    ...(universal === undefined ? {} : { universal }),
  }
  const way = universal === undefined ? {} : ({ way: plain ? 'plain' : 'link' } as const)
  // Sealing tells nobody anything: what is published waits for the log, and so for this, too
  ctx.effect('vault.seal', { callId, topic, payload, ...way }, { about: callId })
  if (universal === undefined) needRelay(ctx)
}

/** Publishes everything that the relay has not taken yet. */
export function republish(ctx: Ctx): void {
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.universal !== undefined) continue
    if (outgoing.expiresAt <= ctx.at) giveUp(ctx, outgoing.callId, tooLate)
    else publish(ctx, outgoing)
  }
}

type Ready = Omit<Outgoing, 'queuedAt'>

/** @param way how the relay at hand carries proposals; one that was to go otherwise goes as another call, with the same bytes */
function publish(ctx: Ctx, ready: Ready, way = proposalWay(ctx)): void {
  if (!isProposal(ready) || ready.kind === way) return transmit(ctx, ready)
  const { wire } = ctx.transient
  const again = { ...messageOf(ready), callId: relayCallId(ctx), kind: way }
  const count = own(wire.errors, ready.callId)
  if (count !== undefined) wire.errors[again.callId] = count
  if (wire.unsent?.[ready.callId]) wire.unsent = { ...wire.unsent, [again.callId]: true }
  passWitness(ctx, ready.callId, again.callId)
  forgetCall(ctx, ready.callId)
  ctx.fact('outbox.dropped', { callId: ready.callId })
  ctx.fact('outbox.queued', again)
  transmit(ctx, again)
}

/** Its wait is over, with the word or without. */
function goWithWitness(ctx: Ctx, callId: string): void {
  if (!endWait(ctx, callId)) return
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing || !ctx.transient.relay.open) return
  // The device may have slept meanwhile
  if (outgoing.expiresAt <= ctx.at) giveUp(ctx, callId, tooLate)
  else transmit(ctx, outgoing)
}

/** Nobody looks at this page any more: a browser may freeze it at any moment, and the wallet may be open by now. */
function goUnseen(ctx: Ctx): void {
  if (visibleTab(ctx) === undefined) for (const callId of waitingForWitness(ctx)) goWithWitness(ctx, callId)
}

function transmit(ctx: Ctx, ready: Ready): void {
  if (isMoot(ctx, ready)) return drop(ctx, ready.callId)
  if (waitsForWitness(ctx, ready)) return
  const { callId, kind, topic, messageRef, tag, ttl, prompt, payloadId } = ready
  if (isProposal(ready) && kind === 'publish') listen(ctx, [topic])
  const { relay, wire } = ctx.transient
  relay.calls[callId] = { kind: 'publish', topics: [topic], at: ctx.at }
  // Only of the first try is it known that nothing was sent before
  const isFirst = wire.unsent?.[callId] === true
  if (isFirst) delete wire.unsent?.[callId]
  const held = { ...dueAfter(ctx, ready), ...(isFirst && { about: callId }) }
  if (kind === 'propose')
    ctx.effect('relay.propose', { callId, pairingTopic: topic, messageRef, ttl, correlationId: payloadId }, held)
  else ctx.effect('relay.publish', { callId, topic, messageRef, ttl, tag, prompt }, held)
  ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + retryMs })
}

/**
 * What a message waits for: one that may move money is not even forgotten by a power cut. A request that costs nobody
 * anything waits for nothing: should this worker die in that moment, its answer is nobody's, and it is asked anew.
 */
function dueAfter({ model }: Ctx, { purpose }: Ready): { after?: 'stored' | 'written' } {
  const request = own(model.request, named('request', purpose) ?? '')
  if (!request) return { after: 'written' }
  return costless.has(request.method) ? {} : { after: 'stored' }
}

function isProposal({ tag }: { tag: number }): boolean {
  return tag === wcMethods.wc_sessionPropose.request.tag
}

/** @returns whether a message asks what nobody asks any more */
export function isMoot(ctx: Ctx, { purpose }: { purpose?: string }): boolean {
  const [requestId, authId] = [named('request', purpose), named('auth', purpose)]
  if (authId !== undefined) return isEnded(ctx.model.auth, authId)
  return requestId !== undefined && !isStillAsked(ctx, own(ctx.model.request, requestId))
}

function isEnded(auths: AuthView, authId: string): boolean {
  const auth = own(auths, authId)
  return auth !== undefined && isOver(auth)
}

/** What stays the same when a message goes another way. */
function messageOf({ topic, messageRef, tag, ttl, prompt, payloadId, purpose, expiresAt }: Ready) {
  const message = { topic, messageRef, tag, ttl, prompt, payloadId, expiresAt }
  return purpose === undefined ? message : { ...message, purpose }
}

/**
 * @returns what a message was for that could not be sealed, or whose first publishing could not be written down: nothing of
 *   it was sent. Those who wait for what comes of it hear it before us.
 */
export function unsentFor(ctx: Ctx, kind: 'request' | 'propose' | 'call' | 'auth' | 'ping'): string | undefined {
  const { cause, transient, model } = ctx
  if (cause?.type === 'vault.seal') return named(kind, own(transient.sealing, cause.about)?.purpose)
  const callId = unwritten(ctx)
  return callId === undefined ? undefined : named(kind, own(model.outbox, callId)?.purpose)
}

/** @returns the call whose publishing has just failed because it could not be written down */
function unwritten({ cause, input }: Ctx): string | undefined {
  const { code } = (input.data.failure ?? {}) as Partial<Failure>
  const isPublishing = cause?.type === 'relay.publish' || cause?.type === 'relay.propose'
  return isPublishing && code === 'storage_down' ? cause.about : undefined
}

/** @returns what the relay will not take any more, and why; for those who wait for what comes of it. They hear it before us. */
export function refusedFor(
  ctx: Ctx,
  kind: 'request' | 'propose' | 'auth',
  { callId, error }: Refused,
): { id: string; failure: Failure } | undefined {
  const outgoing = own(ctx.model.outbox, callId)
  const failure = outgoing && finalRefusal(ctx, outgoing, error)
  const id = named(kind, outgoing?.purpose)
  return failure && id !== undefined ? { id, failure } : undefined
}

function named(kind: string, purpose = ''): string | undefined {
  return purpose.startsWith(`${kind}:`) ? purpose.slice(kind.length + 1) : undefined
}

/** @returns why a message is given up after one more error, undefined while it is to be tried again */
function finalRefusal(ctx: Ctx, { callId, tag, purpose = '' }: Ready, error: Refused['error']): Failure | undefined {
  const count = (own(ctx.transient.wire.errors, callId) ?? 0) + 1
  if (isProposal({ tag }) && isUnknownMethod(error))
    return count < mostUnknown
      ? undefined
      : { code: 'unsupported', message: 'the relay knows no way to carry a proposal' }
  // Nobody waits for our answers: they are worth a try as long as they may arrive
  const isAwaited = /^(request|propose|auth):/.test(purpose)
  if (error.code !== invalidParams && !(isAwaited && count >= mostErrors)) return undefined
  const times = count === 1 ? 'once' : `${count} times`
  return {
    code: 'bad_response',
    message: `the relay refused the message ${times}, last with error ${error.code}`,
    facts: { code: error.code },
  }
}

/** Says nothing more on a topic: what the relay does not have yet stays unsaid. */
export function fallSilent(ctx: Ctx, topic: string): void {
  // What is being sealed finds nobody who waits for it; its bytes go with the next start
  for (const [callId, sealing] of Object.entries(ctx.transient.sealing))
    if (sealing.topic === topic) delete ctx.transient.sealing[callId]
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.topic !== topic) continue
    drop(ctx, outgoing.callId)
  }
}

/** The relay does not know the method a proposal came by; whatever was remembered otherwise was wrong. */
function otherWay(ctx: Ctx, { kind }: Ready): 'propose' | 'publish' {
  learn(ctx, 'wc_proposeSession', kind !== 'propose')
  learn(ctx, 'irn_publish', kind === 'propose')
  return kind === 'propose' ? 'publish' : 'propose'
}

/** The relay will not have it any more. */
export function giveUp(ctx: Ctx, callId: string, failure: Failure): void {
  // The wallet was to hear that its session is over: whether it does or not, the keys are of no use any more
  const deleted = named('delete', own(ctx.model.outbox, callId)?.purpose)
  drop(ctx, callId, failure)
  if (deleted !== undefined) unlisten(ctx, deleted)
}

/** Says it no more. */
export function drop(ctx: Ctx, callId: string, failure?: Failure): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing || isDroppedNow(ctx, callId)) return
  ctx.fact('outbox.dropped', failure ? { callId, failure } : { callId })
  forgetMessage(ctx, outgoing.messageRef)
  forgetCall(ctx, callId)
}

/** Several who wait for what comes of a message may let go of it in one step, before the model says that it is gone. */
function isDroppedNow({ transient: { wire }, input: { n } }: Ctx, callId: string): boolean {
  if (wire.dropped?.n !== n) wire.dropped = { n, callIds: [] }
  const { callIds } = wire.dropped
  if (callIds.includes(callId)) return true
  callIds.push(callId)
  return false
}

/** Forgets what was noted of a call that is over. */
function forgetCall(ctx: Ctx, callId: string): void {
  const { wire, asked } = ctx.transient
  delete wire.errors[callId]
  forgetWitness(ctx, callId)
  delete wire.unsent?.[callId]
  for (const [effectId, { type, about }] of Object.entries(asked))
    if (about === callId && (type === 'relay.publish' || type === 'relay.propose')) delete asked[effectId]
  ctx.effect('timer.clear', { timerId: `outbox:${callId}` })
}

const tooLate: Failure = { code: 'expired', message: 'the relay did not take the message before its time ran out' }

/** The wallet may be quicker than the relay's own answer. */
function delivered(ctx: Ctx, requestId: string): void {
  if (own(ctx.model.request, requestId)?.phase === 'sent') ctx.fact('request.delivered', { requestId })
}

function proposed(ctx: Ctx, pairingTopic: string): void {
  if (own(ctx.model.pairing.open, pairingTopic)?.phase === 'created') ctx.fact('pairing.proposed', { pairingTopic })
}

function authDelivered(ctx: Ctx, authId: string): void {
  if (own(ctx.model.auth, authId)?.phase === 'created') ctx.fact('auth.delivered', { authId })
}

/** It is on its way to the wallet, whichever that is. */
export function taken(ctx: Ctx, callId: string): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing) return
  ctx.fact('outbox.taken', { callId })
  forgetMessage(ctx, outgoing.messageRef)
  forgetCall(ctx, callId)
  arrived(ctx, outgoing)
}

/** Nobody knows whether it is on its way, and it is not said twice: whoever waits for an answer goes on waiting. */
export function maybeTaken(ctx: Ctx, callId: string, failure: Failure): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing) return
  drop(ctx, callId, failure)
  arrived(ctx, outgoing)
}

function arrived(ctx: Ctx, { purpose, topic }: Outgoing): void {
  const [requestId, deleted] = [named('request', purpose), named('delete', purpose)]
  const authId = named('auth', purpose)
  if (requestId !== undefined) delivered(ctx, requestId)
  else if (deleted !== undefined) unlisten(ctx, deleted)
  else if (named('propose', purpose) !== undefined) proposed(ctx, topic)
  else if (authId !== undefined) authDelivered(ctx, authId)
}

function witnessed(ctx: Ctx): void {
  if (ctx.cause?.type === 'attest.get') goWithWitness(ctx, ctx.cause.about)
}

export const outbox: Decider = {
  'vault.sealed': (ctx, { callId, messageRef }) => {
    const sealing = own(ctx.transient.sealing, callId)
    if (!sealing) return
    delete ctx.transient.sealing[callId]
    if (isMoot(ctx, sealing)) return forgetMessage(ctx, messageRef)
    const { open } = ctx.transient.relay
    const kind = open && isProposal(sealing) ? proposalWay(ctx) : sealing.kind
    const ready: Ready = { callId, messageRef, ...sealing, kind, expiresAt: ctx.at + sealing.ttl * 1000 }
    ctx.fact('outbox.queued', ready)
    ctx.transient.wire.unsent = { ...ctx.transient.wire.unsent, [callId]: true }
    if (ready.universal !== undefined) queueLink(ctx, callId)
    else if (open) transmit(ctx, ready)
    else needRelay(ctx)
  },
  'relay.taken': (ctx, { callId }) => taken(ctx, callId),
  'relay.failed': (ctx, { callId, error }) => {
    const outgoing = own(ctx.model.outbox, callId)
    if (!outgoing) return
    const refusal = finalRefusal(ctx, outgoing, error)
    if (refusal) return giveUp(ctx, callId, refusal)
    const { errors } = ctx.transient.wire
    const count = (own(errors, callId) ?? 0) + 1
    errors[callId] = count
    if (isProposal(outgoing) && isUnknownMethod(error)) return publish(ctx, outgoing, otherWay(ctx, outgoing))
    ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + backoff(ctx, count) })
  },
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type === 'vault.seal') delete ctx.transient.sealing[ctx.cause.about]
    witnessed(ctx)
    const callId = unwritten(ctx)
    if (callId !== undefined) drop(ctx, callId, failure)
  },
  'attest.got': witnessed,
  // No page could be asked
  'wallet.failed': witnessed,
  'page.visible': goUnseen,
  'page.left': goUnseen,
  timers: {
    attest: (ctx, callId) => {
      restFromWitness(ctx, callId)
      goWithWitness(ctx, callId)
    },
    outbox: (ctx, callId) => {
      const outgoing = own(ctx.model.outbox, callId)
      if (!outgoing || !ctx.transient.relay.open) return
      if (outgoing.expiresAt <= ctx.at) return giveUp(ctx, callId, tooLate)
      // Not a word since it was published: the socket may be dead
      if (ctx.transient.relay.heardAt <= ctx.at - retryMs) probe(ctx)
      publish(ctx, outgoing)
    },
  },
}
