/**
 * Messages on their way in: each is handled once, whether the relay doubles it or the wallet says the same again; what came
 * before its time waits, and what leads nowhere is counted.
 */
import { own } from '../../../events/schema/own.ts'
import { isOver } from '../../../events/subjects/auth.ts'
import { wasDeleted } from '../../../events/subjects/deleted.ts'
import { remember, remembers } from '../../../events/values/memory.ts'
import { requestKey } from '../../../events/subjects/mail.ts'
import type { Ctx, InputData } from '../../core/context.ts'

export type Message = InputData<'relay.message'>
type Heard = Pick<Message, 'topic' | 'hash' | 'payload'>

/** Messages of this life that are remembered before the older half is forgotten; the newest few outlive it. */
const seenKept = 2000
/** Messages that may wait for their topic. */
const earlyKept = 10

/** Payloads that ask something of us. The same id again on the same topic is the same question. */
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

/** @returns true when this message was handled already; the relay decider, which hears it last, remembers it */
export function isRepeat({ model, transient }: Ctx, { topic, hash, payload }: Heard): boolean {
  const { messages, requests } = model.mail
  if (remembers(transient.relay.seen, hash) || remembers(messages, hash)) return true
  return asking.has(payload.kind) && remembers(requests, requestKey(topic, payload.id))
}

/** Puts a message on record, last of all: it is handled, or leads nowhere. */
export function keepInMind(ctx: Ctx, message: Message, isExpected = isInUse(ctx, message.topic)): void {
  const { topic, hash, payload } = message
  const isKnown = isRepeat(ctx, message)
  // What could not be opened may open another time, when its key can be read
  if (payload.kind !== 'unopened') remember(ctx.transient.relay.seen, hash, seenKept)
  if (isKnown) return
  if (!isExpected) ctx.fact('mail.dropped', { why: isLate(ctx, topic) ? 'late' : 'unknown' })
  else if (payload.kind === 'unopened') ctx.fact('mail.dropped', { why: 'unopened' })
  else ctx.fact('mail.heard', { topic, hash, ...(asking.has(payload.kind) && { payloadId: payload.id }) })
}

function isLate({ model }: Ctx, topic: string): boolean {
  return wasDeleted(model.deleted, 'session', topic) || wasDeleted(model.deleted, 'pairing', topic)
}

/** @returns whether something is expected on a topic */
export function isInUse({ model }: Ctx, topic: string): boolean {
  if (own(model.session, topic) || own(model.pairing.open, topic)) return true
  if (Object.values(model.auth).some(auth => auth.sent?.responseTopic === topic && !isOver(auth))) return true
  return Object.values(model.pairing.open).some(open => open.phase === 'answered' && open.sessionTopic === topic)
}

/**
 * @returns whether a message came before its time: perhaps a settlement that overtook the answer to a proposal, for its topic
 * is nobody's and a session is yet to come; or what a wallet says in a session whose settlement it overtook. Such a one is
 * not acknowledged, so that it comes again once its topic is listened to.
 */
export function isEarly(ctx: Ctx, { topic, payload }: Heard): boolean {
  const open = Object.values(ctx.model.pairing.open)
  if (!own(ctx.model.session, topic) && open.some(one => one.phase === 'answered' && one.sessionTopic === topic))
    return payload.kind !== 'settle' && payload.kind !== 'unopened'
  if (isInUse(ctx, topic) || isLate(ctx, topic)) return false
  return open.some(one => one.phase !== 'answered' && one.phase !== 'rejected')
}

/** Lets a message wait for its topic, too: a relay may not push it a second time. */
export function hold(ctx: Ctx, message: Message): void {
  const { wire } = ctx.transient
  if (message.payload.kind === 'unopened' || wire.early.some(({ hash }) => hash === message.hash)) return
  wire.early = [...wire.early, message].slice(-earlyKept)
}

/** It waits no longer. */
export function release(ctx: Ctx, message: Message): void {
  const { wire } = ctx.transient
  wire.early = wire.early.filter(({ hash }) => hash !== message.hash)
}

/** @returns the settlement that waits for its topic; of several the first */
export function settlementFor({ transient }: Ctx, topic: string): Message | undefined {
  return transient.wire.early.find(message => message.topic === topic && message.payload.kind === 'settle')
}

/** What waits for the session of this topic is heard once this step is over: it may be there then. */
export function hearOvertakenNext(ctx: Ctx, topic: string): void {
  if (ctx.transient.wire.early.some(message => message.topic === topic))
    ctx.effect('timer.set', { timerId: 'relay:overtaken', at: ctx.at })
}

/** @returns what waits for a session that is there now, oldest first */
export function overtaken({ model, transient }: Ctx): Message[] {
  return transient.wire.early.filter(({ topic }) => own(model.session, topic))
}
