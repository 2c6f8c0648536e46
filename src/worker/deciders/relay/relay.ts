/**
 * The one socket to the relay.
 *
 * 1. It is opened on demand, believed only after an answer, and reopened with jitter.
 * 2. After every connection all topics are subscribed in batches, which makes the relay push the backlog.
 * 3. A message is acknowledged after its commit; an early one stays unacknowledged until it is handled.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { isAuthOver } from '../../../events/subjects/wallet/auth.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import type { RelayCall } from '../../core/transient.ts'
import { backoff } from './backoff.ts'
import type { Inbound } from './inbound.ts'
import {
  hearOvertakenNext,
  holdEarly,
  comesBeforeItsSession,
  isRepeat,
  recordMessage,
  overtaken,
  release,
  settlementFor,
} from './mail.ts'
import { fetched, fetchMissed, fetchRefused, fetchUnanswered, isFetch } from './backlog.ts'
import { anyVisible } from '../page.ts'
import { republish } from './outbox.ts'
import {
  isOnline,
  isOpening,
  listen,
  needRelay,
  noteUnloaded,
  openSocket,
  probe,
  probeMs,
  sayOffline,
  topicsInUse,
  urlsLeft,
} from './socket.ts'
import { invalidParams, isUnknownMethod, learnMethod } from './relayCapabilities.ts'

/** Silence after which an open socket is tested, ms: while a wallet's word is expected, and while none is. */
const quietMs = 30_000
const idleQuietMs = 120_000
/** Lifetime after which a socket counts as good: the first reconnect follows at once, ms. */
const lastedMs = 10_000
const atOnceMs = 100
/** Attempts assumed in the wait for a busy relay. */
const busyAttempts = 5
/** From this try on the waits for the client's file grow no more: they are of up to half a minute. */
const mostUnloaded = 6
/** A subscription or a fetch without an answer is made again after this, one that was refused at first, ms. */
const unansweredMs = 15_000
/** Most doublings of the wait after a refusal: up to 8 minutes. */
const mostDoublings = 5

function isNeeded(ctx: Ctx): boolean {
  return (
    isAny(ctx.model.session, session => session.transport !== 'link') ||
    Object.keys(ctx.model.pairing.open).length > 0 ||
    isAny(ctx.model.auth, auth => !auth.byLink && !isAuthOver(auth)) ||
    isAny(ctx.model.outbox, isForRelay) ||
    isAny(ctx.transient.sealing, isForRelay) ||
    // Words to these could not be sealed
    (ctx.transient.wire.unloaded !== undefined && Object.keys(ctx.model.parting).length > 0)
  )
}

function isForRelay({ universal }: { universal?: string }): boolean {
  return universal === undefined
}

function isAny<T>(table: Readonly<Record<string, T>>, which: (row: T) => boolean): boolean {
  for (const key in table) if (which(table[key] as T)) return true
  return false
}

function heard(ctx: Ctx): void {
  ctx.transient.relay.heardAt = ctx.at
  ctx.transient.relay.probedAt = 0
}

/** Records that the relay at this address answers: it is tried first from now on. */
function proved(ctx: Ctx): void {
  const { url } = ctx.transient.wire
  if (ctx.boot.relays.length > 1 && ctx.transient.relay.open && ctx.model.relays.proved !== url)
    ctx.fact('relay.proved', { url })
}

function forgetSocket({ relay, wire }: Ctx['transient']): void {
  relay.open = false
  relay.probedAt = 0
  relay.calls = {}
  wire.missed = []
  wire.fetching = ''
  wire.pages = 0
  delete wire.listens
}

function acknowledge(ctx: Ctx, pushId: string): void {
  if (pushId !== '') ctx.effect('relay.acknowledge', { pushId }, { after: 'stored' })
}

/** The socket closed, or did not open. */
function lost(ctx: Ctx, failure: Failure): void {
  const { relay, wire } = ctx.transient
  if (relay.open && ctx.at - relay.openedAt >= lastedMs) relay.attempt = 0
  forgetSocket(ctx.transient)
  if (!isNeeded(ctx)) return ctx.fact('relay.closed', {})
  if (!isOnline(ctx)) return sayOffline(ctx)
  if (failure.code === 'unauthorized') {
    wire.refused.push(wire.url)
    // Retrying these is useless: the next attempt waits for a press, a visible page or a new connection
    if (urlsLeft(ctx).length === 0) return ctx.fact('relay.refused', { failure })
  }
  const waitMs = waitAfter(ctx, failure)
  ctx.fact('relay.lost', { failure, attempt: relay.attempt, retryAt: ctx.at + waitMs })
  ctx.effect('timer.set', { timerId: 'relay:retry', at: ctx.at + waitMs })
}

function waitAfter(ctx: Ctx, { code }: Failure): number {
  const { attempt } = ctx.transient.relay
  // Wallets cannot be heard meanwhile
  if (code === 'reload_needed') return backoff(ctx, Math.min(attempt, mostUnloaded))
  if (code === 'rate_limited') return backoff(ctx, Math.max(attempt, busyAttempts))
  return attempt === 0 ? atOnceMs : backoff(ctx, attempt)
}

/** A page is visible again, or the device woke up: the socket is tested. */
function verify(ctx: Ctx): void {
  if (ctx.transient.relay.open) probe(ctx)
  else if (!isOpening(ctx) && isNeeded(ctx) && isOnline(ctx)) openSocket(ctx)
}

/** The clock was set back: earlier timestamps must not lie in the future. */
function forgetFuture({ transient: { relay }, at }: Ctx): void {
  relay.opens = relay.opens.map(opened => Math.min(opened, at))
  if (!relay.open) return
  relay.heardAt = Math.min(relay.heardAt, at)
  relay.openedAt = Math.min(relay.openedAt, at)
  if (relay.probedAt > at) relay.probedAt = 0
  for (const call of Object.values(relay.calls)) call.at = Math.min(call.at, at)
}

/** Whether something is under way that a dead socket would hold up. */
function isExpecting({ model, transient }: Ctx): boolean {
  return (
    isAny(model.outbox, () => true) ||
    isAny(model.pairing.open, () => true) ||
    isAny(transient.relay.calls, () => true) ||
    isAny(model.request, ({ phase }) => phase !== 'ended') ||
    isAny(model.auth, auth => !isAuthOver(auth))
  )
}

function pulse(ctx: Ctx): void {
  const { relay } = ctx.transient
  if (!isNeeded(ctx)) {
    forgetSocket(ctx.transient)
    ctx.effect('relay.close', {})
    ctx.fact('relay.closed', {})
    return
  }
  if (ctx.at - relay.heardAt >= quietMs) {
    const isIdle = ctx.boot.rests === true && !isExpecting(ctx)
    // Idle and out of sight, the socket is tested when somebody looks
    if (!isIdle || (anyVisible(ctx) && ctx.at - relay.heardAt >= idleQuietMs)) probe(ctx)
    ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
    return
  }
  for (const [callId, call] of Object.entries(relay.calls)) {
    if (ctx.at - call.at < unansweredMs || !(isSubscription(call) || isFetch(call))) continue
    delete relay.calls[callId]
    if (isFetch(call)) fetchUnanswered(ctx, callId, call)
    else listen(ctx, call.topics, call.first ? { first: true } : {})
  }
  ctx.effect('timer.set', { timerId: 'relay:pulse', at: relay.heardAt + quietMs })
}

function isSubscription({ kind }: RelayCall): boolean {
  return kind === 'subscribe' || kind === 'subscribeOne'
}

/**
 * The relay refused a subscription: without batch support it is repeated topic by topic, when too long in halves, otherwise
 * once more later.
 */
function subscriptionRefused(
  ctx: Ctx,
  { kind, topics, first }: RelayCall,
  error: { code: number; message: string },
): void {
  const again = first ? { first } : {}
  const isUnknown = isUnknownMethod(error)
  if (isUnknown) learnMethod(ctx, 'irn_batchSubscribe', kind !== 'subscribe')
  if (isUnknown && kind === 'subscribe') return listen(ctx, topics, { ...again, oneByOne: true })
  if (error.code === invalidParams && topics.length > 1) {
    const half = Math.ceil(topics.length / 2)
    listen(ctx, topics.slice(0, half), again)
    return listen(ctx, topics.slice(half), again)
  }
  const waitMs = unansweredMs * 2 ** Math.min(ctx.transient.wire.listens ?? 0, mostDoublings)
  ctx.effect('timer.set', { timerId: 'relay:listen', at: ctx.at + waitMs })
}

/** Subscribes again, as the relay may accept now; the backlog is still to be fetched. */
function listenAgain(ctx: Ctx): void {
  const { wire } = ctx.transient
  wire.listens = (wire.listens ?? 0) + 1
  listen(ctx, topicsInUse(ctx), { first: true })
}

/** Handles messages that overtook a settlement, one in each step. */
function hearOvertaken(ctx: Ctx, { handle }: Inbound): void {
  const [message, next] = overtaken(ctx)
  if (!message) return
  release(ctx, message)
  if (!isRepeat(ctx, message)) handle(ctx, message)
  acknowledge(ctx, message.pushId)
  recordMessage(ctx, message)
  if (next) ctx.effect('timer.set', { timerId: 'relay:overtaken', at: ctx.at })
}

/** Its owner takes it up again with the next socket, which needs the client's file too. */
function waitForClient(ctx: Ctx, { code }: Failure): void {
  if (code === 'reload_needed') ctx.transient.wire.unloaded ??= { pressed: false }
}

/** A page is visible: a relay that refused may be tried again. */
function glance(ctx: Ctx): void {
  ctx.transient.wire.refused = []
  verify(ctx)
}

/**
 * One function: a table of short handlers over one socket and `inbound`.
 *
 * @param inbound the way of messages to the owners of their topics
 */
export const createRelay = (inbound: Inbound): Decider => ({
  'relay.opened': ctx => {
    const { relay } = ctx.transient
    forgetSocket(ctx.transient)
    relay.open = true
    relay.openedAt = ctx.at
    ctx.transient.wire.offline = false
    heard(ctx)
    ctx.fact('relay.connected', {})
    listen(ctx, topicsInUse(ctx), { first: true })
    republish(ctx)
    ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
    delete ctx.transient.wire.unloaded
  },
  'relay.closed': (ctx, { failure }) => lost(ctx, failure),
  failed: {
    'vault.seal': waitForClient,
    'vault.deriveSession': waitForClient,
    'relay.open': (ctx, failure) => {
      if (failure.code === 'reload_needed') noteUnloaded(ctx)
      lost(ctx, failure)
    },
  },
  'relay.taken': (ctx, { callId }) => {
    const { calls } = ctx.transient.relay
    heard(ctx)
    proved(ctx)
    const call = own(calls, callId)
    delete calls[callId]
    if (call && isSubscription(call)) delete ctx.transient.wire.listens
    if (call?.first) fetchMissed(ctx, call.topics)
    if (call && isFetch(call)) fetchRefused(ctx, callId, call)
  },
  'relay.fetched': (ctx, { callId, ...page }) => {
    heard(ctx)
    fetched(ctx, callId, page)
    delete ctx.transient.relay.calls[callId]
  },
  'relay.failed': (ctx, { callId, error }) => {
    const { calls } = ctx.transient.relay
    heard(ctx)
    proved(ctx)
    const call = own(calls, callId)
    delete calls[callId]
    if (!call) return
    if (isSubscription(call)) subscriptionRefused(ctx, call, error)
    else if (isFetch(call)) fetchRefused(ctx, callId, call, error)
  },
  'relay.message': (ctx, message) => {
    inbound.delivered(ctx, message)
    if (!isRepeat(ctx, message)) inbound.handle(ctx, message)
    if (message.link) return recordMessage(ctx, message)
    heard(ctx)
    if (comesBeforeItsSession(ctx, message)) return holdEarly(ctx, message)
    acknowledge(ctx, message.pushId)
    recordMessage(ctx, message)
    if (message.payload.kind === 'settle') hearOvertakenNext(ctx, message.topic)
  },
  'vault.sessionDerived': (ctx, { sessionTopic }) => {
    const message = settlementFor(ctx, sessionTopic)
    if (message) {
      acknowledge(ctx, message.pushId)
      recordMessage(ctx, message, true)
      release(ctx, message)
    }
    hearOvertakenNext(ctx, sessionTopic)
  },
  'relay.garbage': (ctx, { pushId }) => {
    heard(ctx)
    ctx.fact('mail.dropped', { why: 'garbage' })
    if (pushId !== undefined) acknowledge(ctx, pushId)
  },
  // Otherwise the relay would redeliver it with every connection
  'core.setAside': (ctx, { pushId, topic, payloadId = '' }) => {
    if (topic !== undefined) inbound.setAside(ctx, topic, payloadId)
    if (pushId !== undefined) acknowledge(ctx, pushId)
  },
  'page.resumed': verify,
  'clock.jumped': ctx => {
    forgetFuture(ctx)
    verify(ctx)
  },
  'page.visible': (ctx, { visible }) => {
    if (visible) glance(ctx)
  },
  'page.online': (ctx, { online }) => {
    const { relay, wire } = ctx.transient
    if (relay.open) return probe(ctx)
    if (!online) {
      if (isNeeded(ctx) && !isOpening(ctx)) sayOffline(ctx)
      return
    }
    relay.attempt = 0
    wire.refused = []
    wire.offline = false
    if (isNeeded(ctx)) openSocket(ctx)
    else if (ctx.model.relay.phase === 'offline') ctx.fact('relay.closed', {})
  },
  timers: {
    relay: (ctx, what) => {
      const { relay } = ctx.transient
      if (what === 'overtaken') return hearOvertaken(ctx, inbound)
      if (what === 'retry') {
        if (!relay.open && !isOpening(ctx) && isNeeded(ctx) && isOnline(ctx)) openSocket(ctx)
        return
      }
      if (!relay.open) return
      if (what === 'listen') return listenAgain(ctx)
      if (what !== 'probe') return pulse(ctx)
      if (relay.probedAt === 0) return
      // The input that told of a clock set back may have failed
      if (relay.probedAt > ctx.at) relay.probedAt = ctx.at
      if (ctx.at - relay.probedAt < probeMs)
        return ctx.effect('timer.set', { timerId: 'relay:probe', at: relay.probedAt + probeMs })
      ctx.effect('relay.close', {})
      lost(ctx, silentSocket)
    },
  },
  resume: ctx => {
    if (isOpening(ctx)) return
    if (ctx.model.relay.phase !== 'closed') ctx.fact('relay.closed', {})
    if (isNeeded(ctx)) needRelay(ctx)
  },
})

const silentSocket: Failure = {
  code: 'timeout',
  message: `the relay's socket expected an answer within ${probeMs / 1000} s, got none`,
}
