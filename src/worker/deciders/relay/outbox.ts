/**
 * Messages to wallets: sealed once, stored, and published with the same call id and bytes until the relay has accepted them.
 */
import type { OutgoingPayload } from '../../../events/effect.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import { type AuthView, isAuthOver } from '../../../events/subjects/wallet/auth.ts'
import type { Outgoing } from '../../../events/subjects/session/outbox.ts'
import { idIn, type MessagePurpose, messagePurposeIn, referenceText } from '../../../events/values/reference.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import type { SealingMessage } from '../../core/transient.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { visibleTab } from '../page.ts'
import { backoff } from './backoff.ts'
import { forgetMessage } from '../forget.ts'
import { linkFor, queueLink } from '../pairing/linkMode.ts'
import { type MailOwners, tellOwner } from './owners.ts'
import { listen, needRelay, probe, relayCallId, unlisten } from './socket.ts'
import { isStillAsked } from '../request/stillAsked.ts'
import { invalidParams, isUnknownMethod, learnMethod, proposalWay } from './relayCapabilities.ts'
import {
  endAttestationWait,
  forgetAttestation,
  passAttestation,
  pauseAttestation,
  waitingForAttestation,
  waitsForAttestation,
} from './attestation.ts'

/** Time after which an unanswered publication is retried, ms. */
const retryMs = 15_000
/** Errors, over about a minute, after which an awaited proposal or request fails. */
const mostErrors = 7
/** Errors after which the relay supports neither way to carry a proposal. */
const mostUnknown = 3

/** `universal` sends it by that link of the wallet, otherwise it takes its session's transport; `plain` is not sealed. */
type Sending = Omit<SealingMessage, 'payloadId' | 'purpose'> & {
  payload: OutgoingPayload
  purpose?: MessagePurpose
  plain?: true
}
type Refused = InputData<'relay.failed'>

/** Seals a payload for a topic and publishes it. */
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
    ...(purpose && { purpose: referenceText(purpose) }),
    ...(universal === undefined ? {} : { universal }),
  }
  const way = universal === undefined ? {} : ({ way: plain ? 'plain' : 'link' } as const)
  // Sealing has no outside effect: publishing waits for the commit, which includes the sealing
  ctx.effect('vault.seal', { callId, topic, payload, ...way }, { about: callId })
  if (universal === undefined) needRelay(ctx)
}

/** Publishes everything the relay has not accepted yet. */
export function republish(ctx: Ctx): void {
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.universal === undefined) publish(ctx, outgoing)
  }
}

type Ready = Omit<Outgoing, 'queuedAt'>

/**
 * Publishes a message, or gives it up once its life is over: the device may have slept since it was queued.
 *
 * @param way how this relay carries proposals; a proposal queued the other way is requeued as a new call with the same bytes
 */
function publish(ctx: Ctx, ready: Ready, way = proposalWay(ctx)): void {
  if (ready.expiresAt <= ctx.at) return giveUp(ctx, ready.callId, tooLate)
  if (!isProposal(ready) || ready.kind === way) return transmit(ctx, ready)
  const { wire } = ctx.transient
  const again = { ...messageOf(ready), callId: relayCallId(ctx), kind: way }
  const count = own(wire.errors, ready.callId)
  if (count !== undefined) wire.errors[again.callId] = count
  if (wire.unsent?.[ready.callId]) wire.unsent = { ...wire.unsent, [again.callId]: true }
  passAttestation(ctx, ready.callId, again.callId)
  forgetCall(ctx, ready.callId)
  ctx.fact('outbox.dropped', { callId: ready.callId })
  ctx.fact('outbox.queued', again)
  transmit(ctx, again)
}

/** Sends a message whose wait for an attestation is over. */
function goWithWitness(ctx: Ctx, callId: string): void {
  if (!endAttestationWait(ctx, callId)) return
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing || !ctx.transient.relay.open) return
  // The device may have slept meanwhile
  if (outgoing.expiresAt <= ctx.at) giveUp(ctx, callId, tooLate)
  else transmit(ctx, outgoing)
}

/** The page is hidden and may be frozen: sends pending messages without waiting for their attestation. */
function goUnseen(ctx: Ctx): void {
  if (visibleTab(ctx) === undefined) for (const callId of waitingForAttestation(ctx)) goWithWitness(ctx, callId)
}

function transmit(ctx: Ctx, ready: Ready): void {
  if (isMoot(ctx, ready)) return drop(ctx, ready.callId)
  if (waitsForAttestation(ctx, ready)) return
  const { callId, kind, topic, messageRef, tag, ttl, prompt, payloadId } = ready
  if (isProposal(ready) && kind === 'publish') listen(ctx, [topic])
  const { relay, wire } = ctx.transient
  relay.calls[callId] = { kind: 'publish', topics: [topic], at: ctx.at }
  // Only the first attempt is known not to have been sent before
  const isFirst = wire.unsent?.[callId] === true
  if (isFirst) delete wire.unsent?.[callId]
  const held = { ...dueAfter(ctx, ready), ...(isFirst && { about: callId }) }
  if (kind === 'propose')
    ctx.effect('relay.propose', { callId, pairingTopic: topic, messageRef, ttl, correlationId: payloadId }, held)
  else ctx.effect('relay.publish', { callId, topic, messageRef, ttl, tag, prompt }, held)
  ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + retryMs })
}

/**
 * The commit a message waits for: strict where it may move money, else relaxed. A request that is safe to retry does not wait:
 * should this worker die now, its answer matches no request, and the page sends it again.
 */
function dueAfter({ model }: Ctx, { purpose }: Ready): { after?: 'stored' | 'written' } {
  const request = own(model.request, idIn('request', purpose) ?? '')
  if (!request) return { after: 'written' }
  return safeToRetry.has(request.method) ? {} : { after: 'stored' }
}

function isProposal({ tag }: { tag: number }): boolean {
  return tag === wcMethods.wc_sessionPropose.request.tag
}

/** @returns whether a message's request or auth has ended */
export function isMoot(ctx: Ctx, { purpose }: { purpose?: string }): boolean {
  const subject = messagePurposeIn(purpose)
  if (subject?.kind === 'auth') return isEnded(ctx.model.auth, subject.id)
  return subject?.kind === 'request' && !isStillAsked(ctx, own(ctx.model.request, subject.id))
}

function isEnded(auths: AuthView, authId: string): boolean {
  const auth = own(auths, authId)
  return auth !== undefined && isAuthOver(auth)
}

/** The parts of a message that stay the same when it takes another way. */
function messageOf({ topic, messageRef, tag, ttl, prompt, payloadId, purpose, expiresAt }: Ready) {
  const message = { topic, messageRef, tag, ttl, prompt, payloadId, expiresAt }
  return purpose === undefined ? message : { ...message, purpose }
}

/** Messages whose subjects wait for the wallet. */
const awaited: ReadonlySet<MessagePurpose['kind'] | undefined> = new Set(['request', 'propose', 'auth'])

/** @returns why a message is given up after one more error, undefined while it is retried */
function finalRefusal(ctx: Ctx, { callId, tag, purpose }: Ready, error: Refused['error']): Failure | undefined {
  const count = (own(ctx.transient.wire.errors, callId) ?? 0) + 1
  if (isProposal({ tag }) && isUnknownMethod(error))
    return count < mostUnknown
      ? undefined
      : { code: 'unsupported', message: 'the relay knows no way to carry a proposal' }
  // Our answers are not awaited here: they are retried until they expire
  const isAwaited = awaited.has(messagePurposeIn(purpose)?.kind)
  if (error.code !== invalidParams && !(isAwaited && count >= mostErrors)) return undefined
  const times = count === 1 ? 'once' : `${count} times`
  return {
    code: 'bad_response',
    message: `the relay refused the message ${times}, last with error ${error.code}`,
    facts: { code: error.code },
  }
}

/** Drops all unsent messages of a topic. */
export function fallSilent(ctx: Ctx, topic: string): void {
  // Messages being sealed are ignored later; their bytes are deleted at the next start
  for (const [callId, sealing] of Object.entries(ctx.transient.sealing))
    if (sealing.topic === topic) delete ctx.transient.sealing[callId]
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.topic !== topic) continue
    drop(ctx, outgoing.callId)
  }
}

/** The relay does not know the method of a proposal, so records of its capabilities were wrong. */
function otherWay(ctx: Ctx, { kind }: Ready): 'propose' | 'publish' {
  learnMethod(ctx, 'wc_proposeSession', kind !== 'propose')
  learnMethod(ctx, 'irn_publish', kind === 'propose')
  return kind === 'propose' ? 'publish' : 'propose'
}

/** Gives up a message the relay will not accept. */
export function giveUp(ctx: Ctx, callId: string, failure: Failure): void {
  // The message of a session's end: the topic's keys are useless, whether the wallet gets it or not
  const deleted = idIn('delete', own(ctx.model.outbox, callId)?.purpose)
  drop(ctx, callId, failure)
  if (deleted !== undefined) unlisten(ctx, deleted)
}

/** Drops a message. */
export function drop(ctx: Ctx, callId: string, failure?: Failure): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing || isDroppedNow(ctx, callId)) return
  ctx.fact('outbox.dropped', failure ? { callId, failure } : { callId })
  forgetMessage(ctx, outgoing.messageRef)
  forgetCall(ctx, callId)
}

/** Several deciders may drop the same message in one step, before the model shows it. */
function isDroppedNow({ transient: { wire }, input: { n } }: Ctx, callId: string): boolean {
  if (wire.dropped?.n !== n) wire.dropped = { n, callIds: [] }
  const { callIds } = wire.dropped
  if (callIds.includes(callId)) return true
  callIds.push(callId)
  return false
}

/** Forgets the transient state of a finished call. */
function forgetCall(ctx: Ctx, callId: string): void {
  const { wire, asked } = ctx.transient
  delete wire.errors[callId]
  forgetAttestation(ctx, callId)
  delete wire.unsent?.[callId]
  for (const [effectId, { type, about }] of Object.entries(asked))
    if (about === callId && (type === 'relay.publish' || type === 'relay.propose')) delete asked[effectId]
  ctx.effect('timer.clear', { timerId: `outbox:${callId}` })
}

const tooLate: Failure = { code: 'expired', message: 'the relay did not take the message before its time ran out' }

/** The wallet may answer before the relay does. */
function delivered(ctx: Ctx, requestId: string): void {
  if (own(ctx.model.request, requestId)?.phase === 'sent') ctx.fact('request.delivered', { requestId })
}

function proposed(ctx: Ctx, pairingTopic: string): void {
  if (own(ctx.model.pairing.open, pairingTopic)?.phase === 'created') ctx.fact('pairing.proposed', { pairingTopic })
}

function authDelivered(ctx: Ctx, authId: string): void {
  if (own(ctx.model.auth, authId)?.phase === 'created') ctx.fact('auth.delivered', { authId })
}

/** The relay accepted the message. */
export function taken(ctx: Ctx, callId: string): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing) return
  ctx.fact('outbox.taken', { callId })
  forgetMessage(ctx, outgoing.messageRef)
  forgetCall(ctx, callId)
  arrived(ctx, outgoing)
}

/** A message that may have been sent and must not be repeated: its subject goes on waiting for an answer. */
export function maybeTaken(ctx: Ctx, callId: string, failure: Failure): void {
  const outgoing = own(ctx.model.outbox, callId)
  if (!outgoing) return
  drop(ctx, callId, failure)
  arrived(ctx, outgoing)
}

function arrived(ctx: Ctx, { purpose, topic }: Outgoing): void {
  const subject = messagePurposeIn(purpose)
  switch (subject?.kind) {
    case 'request':
      return delivered(ctx, subject.id)
    case 'delete':
      return unlisten(ctx, subject.id)
    case 'propose':
      return proposed(ctx, topic)
    case 'auth':
      return authDelivered(ctx, subject.id)
  }
}

function witnessed(ctx: Ctx): void {
  if (ctx.cause?.type === 'attest.get') goWithWitness(ctx, ctx.cause.about)
}

/** A message's publishing failed before it was committed: the message was not sent. */
function unwritten(ctx: Ctx, owners: MailOwners, failure: Failure, callId: string): void {
  if (failure.code !== 'storage_down') return
  tellOwner(owners, own(ctx.model.outbox, callId)?.purpose, (owner, id) => owner.unsent?.(ctx, id, failure))
  drop(ctx, callId, failure)
}

/** @param owners are told of their messages before the outbox forgets those */
export const createOutbox = (owners: MailOwners): Decider => ({
  'vault.sealed': (ctx, { callId, messageRef }) => {
    const sealing = own(ctx.transient.sealing, callId)
    if (!sealing) return
    tellOwner(owners, sealing.purpose, (owner, id) => owner.sealed?.(ctx, id))
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
  'relay.taken': (ctx, { callId }) => {
    tellOwner(owners, own(ctx.model.outbox, callId)?.purpose, (owner, id) => owner.taken?.(ctx, id))
    taken(ctx, callId)
  },
  'relay.failed': (ctx, { callId, error }) => {
    const outgoing = own(ctx.model.outbox, callId)
    if (!outgoing) return
    const refusal = finalRefusal(ctx, outgoing, error)
    if (refusal) {
      tellOwner(owners, outgoing.purpose, (owner, id) => owner.refused?.(ctx, id, refusal))
      return giveUp(ctx, callId, refusal)
    }
    const { errors } = ctx.transient.wire
    const count = (own(errors, callId) ?? 0) + 1
    errors[callId] = count
    if (isProposal(outgoing) && isUnknownMethod(error)) return publish(ctx, outgoing, otherWay(ctx, outgoing))
    ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + backoff(ctx, count) })
  },
  failed: {
    'vault.seal': (ctx, failure, callId) => {
      tellOwner(owners, own(ctx.transient.sealing, callId)?.purpose, (owner, id) => owner.unsent?.(ctx, id, failure))
      delete ctx.transient.sealing[callId]
    },
    'relay.publish': (ctx, failure, callId) => unwritten(ctx, owners, failure, callId),
    'relay.propose': (ctx, failure, callId) => unwritten(ctx, owners, failure, callId),
    'attest.get': (ctx, _, callId) => goWithWitness(ctx, callId),
  },
  'attest.got': witnessed,
  // No page was available for the attestation
  'wallet.failed': witnessed,
  'page.visible': goUnseen,
  'page.left': goUnseen,
  timers: {
    attest: (ctx, callId) => {
      pauseAttestation(ctx, callId)
      goWithWitness(ctx, callId)
    },
    outbox: (ctx, callId) => {
      const outgoing = own(ctx.model.outbox, callId)
      if (!outgoing || !ctx.transient.relay.open) return
      // Silence since the publication: the socket may be dead
      if (outgoing.expiresAt > ctx.at && ctx.transient.relay.heardAt <= ctx.at - retryMs) probe(ctx)
      publish(ctx, outgoing)
    },
  },
})
