/**
 * Incoming messages.
 *
 * 1. Each is handled once, whether the relay duplicates it or the wallet repeats it.
 * 2. An early message waits for its topic.
 * 3. A message for no known topic is counted and dropped.
 */
import { own } from '../../../runtime/schema/own.ts'
import { isAuthAsked } from '../../../events/subjects/wallet/auth.ts'
import { wasDeleted } from '../../../events/subjects/session/deleted.ts'
import { remember, remembers } from '../../../events/values/memory.ts'
import { requestKey } from '../../../events/subjects/session/mail.ts'
import type { Ctx, InputData } from '../../core/context.ts'

export type Message = InputData<'relay.message'>
type Heard = Pick<Message, 'topic' | 'hash' | 'payload'>

/**
 * Most messages remembered in this life; at the limit the older half is forgotten. The model keeps the newest few for longer.
 */
const seenKept = 2000
/** Most messages that wait for their topic. */
const earlyKept = 10

/** Payloads that are requests to us. The same id on the same topic is the same request. */
const asking: ReadonlySet<string> = new Set([
  'settle',
  'update',
  'extend',
  'event',
  'delete',
  'ping',
  'pairingDelete',
  'pairingPing',
  'request',
])

/** @returns whether this message was handled before */
export function isRepeat({ model, transient }: Ctx, { topic, hash, payload }: Heard): boolean {
  const { messages, requests } = model.mail
  if (remembers(transient.relay.seen, hash) || remembers(messages, hash)) return true
  return asking.has(payload.kind) && remembers(requests, requestKey(topic, payload.id))
}

/** Records a message: as handled or as dropped. */
export function recordMessage(ctx: Ctx, message: Message, isExpected = isInUse(ctx, message.topic)): void {
  const { topic, hash, payload } = message
  const isKnown = isRepeat(ctx, message)
  // An unopened message may open later, when its key is readable
  if (payload.kind !== 'unopened') remember(ctx.transient.relay.seen, hash, seenKept)
  if (isKnown) return
  if (!isExpected) ctx.fact('mail.dropped', { why: isLate(ctx, topic) ? 'late' : 'unknown' })
  else if (payload.kind === 'unopened') ctx.fact('mail.dropped', { why: 'unopened' })
  else ctx.fact('mail.heard', { topic, hash, ...(asking.has(payload.kind) && { payloadId: payload.id }) })
}

function isLate({ model }: Ctx, topic: string): boolean {
  return wasDeleted(model.deleted, 'session', topic) || wasDeleted(model.deleted, 'pairing', topic)
}

/** @returns whether messages are expected on a topic */
function isInUse({ model }: Ctx, topic: string): boolean {
  if (own(model.session, topic) || own(model.pairing.open, topic)) return true
  if (Object.values(model.auth).some(auth => isAuthAsked(auth) && auth.sent.responseTopic === topic)) return true
  return Object.values(model.pairing.open).some(open => open.phase === 'answered' && open.sessionTopic === topic)
}

/**
 * @returns whether a message is early: perhaps a settlement that overtook the proposal's answer, for an unknown topic while
 *   a proposal is open; or a message in a session whose settlement it overtook. An early message is not acknowledged, so the
 *   relay redelivers it once its topic is subscribed.
 */
export function comesBeforeItsSession(ctx: Ctx, { topic, payload }: Heard): boolean {
  const open = Object.values(ctx.model.pairing.open)
  if (!own(ctx.model.session, topic) && open.some(one => one.phase === 'answered' && one.sessionTopic === topic))
    return payload.kind !== 'settle' && payload.kind !== 'unopened'
  if (isInUse(ctx, topic) || isLate(ctx, topic)) return false
  return open.some(one => one.phase !== 'answered' && one.phase !== 'rejected')
}

/** Keeps an early message, as a relay may not push it a second time. */
export function holdEarly(ctx: Ctx, message: Message): void {
  const { wire } = ctx.transient
  if (message.payload.kind === 'unopened' || wire.early.some(({ hash }) => hash === message.hash)) return
  wire.early = [...wire.early, message].slice(-earlyKept)
}

/** Removes a message from the early ones. */
export function release(ctx: Ctx, message: Message): void {
  const { wire } = ctx.transient
  wire.early = wire.early.filter(({ hash }) => hash !== message.hash)
}

/** @returns the first settlement that waits for its topic */
export function settlementFor({ transient }: Ctx, topic: string): Message | undefined {
  return transient.wire.early.find(message => message.topic === topic && message.payload.kind === 'settle')
}

/** Handles the early messages of this topic's session in the next step, when the session may exist. */
export function hearOvertakenNext(ctx: Ctx, topic: string): void {
  if (ctx.transient.wire.early.some(message => message.topic === topic))
    ctx.effect('timer.set', { timerId: 'relay:overtaken', at: ctx.at })
}

/** @returns early messages whose session exists now, oldest first */
export function overtaken({ model, transient }: Ctx): Message[] {
  return transient.wire.early.filter(({ topic }) => own(model.session, topic))
}
