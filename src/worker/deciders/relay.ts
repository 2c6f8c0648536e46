/**
 * The one socket to the relay: opened when somebody needs it, believed only after an answer, opened again with jitter.
 * After every connection all topics are subscribed in batches, which makes the relay push what was missed.
 */
import type { Failure } from '../../events/failure.ts'
import type { Ctx, Decider } from '../context.ts'
import { backoff } from './backoff.ts'
import { republish } from './outbox.ts'
import { own } from '../../events/own.ts'
import { isOnline, isOpening, listen, openSocket, probe, probeMs, rememberSeen, topicsInUse } from './socket.ts'

/** Silence after which an open socket is tested, ms. */
const quietMs = 30_000
/** A socket that was open this long had been a good one: the first try after it comes at once, ms. */
const lastedMs = 10_000
const atOnceMs = 100
/** A subscription without an answer is made again after this, ms. */
const subscribeMs = 15_000

function isNeeded(ctx: Ctx): boolean {
  return (
    Object.keys(ctx.model.session).length > 0 ||
    Object.keys(ctx.model.pairing.open).length > 0 ||
    Object.keys(ctx.model.outbox).length > 0 ||
    Object.keys(ctx.transient.sealing).length > 0
  )
}

function heard(ctx: Ctx): void {
  ctx.transient.relay.heardAt = ctx.at
  ctx.transient.relay.probedAt = 0
}

/** The socket is gone, or did not open. */
function lost(ctx: Ctx, failure: Failure): void {
  const { relay } = ctx.transient
  if (relay.open && ctx.at - relay.openedAt >= lastedMs) relay.attempt = 0
  relay.open = false
  relay.probedAt = 0
  relay.calls = {}
  if (!isNeeded(ctx)) return ctx.fact('relay.closed', {})
  // Trying again changes nothing by itself: the next try waits for a press, a glance or a new connection
  if (failure.code === 'unauthorized') return ctx.fact('relay.refused', { failure })
  const waitMs = relay.attempt === 0 ? atOnceMs : backoff(ctx, relay.attempt)
  ctx.fact('relay.lost', { failure, attempt: relay.attempt, retryAt: ctx.at + waitMs })
  ctx.effect('timer.set', { timerId: 'relay:retry', at: ctx.at + waitMs })
}

/** Somebody looks again, or the device woke up: nothing is believed until it is seen. */
function verify(ctx: Ctx): void {
  if (ctx.transient.relay.open) probe(ctx)
  else if (!isOpening(ctx) && isNeeded(ctx) && isOnline(ctx)) openSocket(ctx)
}

/** The clock was set back: what was noted by it before would look as if it were yet to come. */
function forgetFuture({ transient: { relay }, at }: Ctx): void {
  if (!relay.open) return
  relay.heardAt = Math.min(relay.heardAt, at)
  relay.openedAt = Math.min(relay.openedAt, at)
  if (relay.probedAt > at) relay.probedAt = 0
  for (const call of Object.values(relay.calls)) call.at = Math.min(call.at, at)
}

function pulse(ctx: Ctx): void {
  const { relay } = ctx.transient
  if (!isNeeded(ctx)) {
    relay.open = false
    relay.calls = {}
    ctx.effect('relay.close', {})
    ctx.fact('relay.closed', {})
    return
  }
  if (ctx.at - relay.heardAt >= quietMs) {
    probe(ctx)
    ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
    return
  }
  const late = Object.entries(relay.calls).filter(
    ([, call]) => call.kind === 'subscribe' && ctx.at - call.at >= subscribeMs,
  )
  for (const [callId, call] of late) {
    delete relay.calls[callId]
    listen(ctx, call.topics)
  }
  ctx.effect('timer.set', { timerId: 'relay:pulse', at: relay.heardAt + quietMs })
}

export const relay: Decider = {
  'relay.opened': ctx => {
    const { relay } = ctx.transient
    relay.open = true
    relay.openedAt = ctx.at
    relay.calls = {}
    heard(ctx)
    ctx.fact('relay.connected', {})
    listen(ctx, topicsInUse(ctx))
    republish(ctx)
    ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
  },
  'relay.closed': (ctx, { failure }) => lost(ctx, failure),
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type === 'relay.open') lost(ctx, failure)
  },
  'relay.taken': (ctx, { callId }) => {
    heard(ctx)
    delete ctx.transient.relay.calls[callId]
  },
  'relay.failed': (ctx, { callId }) => {
    const { relay } = ctx.transient
    heard(ctx)
    const call = own(relay.calls, callId)
    delete relay.calls[callId]
    if (call?.kind === 'subscribe') ctx.effect('timer.set', { timerId: 'relay:listen', at: ctx.at + subscribeMs })
  },
  'relay.message': (ctx, { pushId, hash }) => {
    heard(ctx)
    ctx.effect('relay.acknowledge', { pushId }, { after: 'stored' })
    rememberSeen(ctx, hash)
  },
  'relay.garbage': heard,
  // Else it would come again with every connection
  'core.setAside': (ctx, { pushId }) => {
    if (pushId !== undefined) ctx.effect('relay.acknowledge', { pushId }, { after: 'stored' })
  },
  'page.resumed': verify,
  'clock.jumped': ctx => {
    forgetFuture(ctx)
    verify(ctx)
  },
  'page.visible': (ctx, { visible }) => {
    if (visible) verify(ctx)
  },
  'page.online': (ctx, { online }) => {
    if (!online) return
    if (ctx.transient.relay.open) return probe(ctx)
    ctx.transient.relay.attempt = 0
    if (isNeeded(ctx)) openSocket(ctx)
  },
  timers: {
    relay: (ctx, what) => {
      const { relay } = ctx.transient
      if (what === 'retry') {
        if (!relay.open && !isOpening(ctx) && isNeeded(ctx) && isOnline(ctx)) openSocket(ctx)
        return
      }
      if (!relay.open) return
      if (what === 'listen') return listen(ctx, topicsInUse(ctx))
      if (what !== 'probe') return pulse(ctx)
      if (relay.probedAt === 0) return
      if (ctx.at - relay.probedAt < probeMs)
        return ctx.effect('timer.set', { timerId: 'relay:probe', at: relay.probedAt + probeMs })
      ctx.effect('relay.close', {})
      lost(ctx, silentSocket)
    },
  },
  resume: ctx => {
    if (isOpening(ctx)) return
    if (ctx.model.relay.phase !== 'closed') ctx.fact('relay.closed', {})
    if (isNeeded(ctx) && isOnline(ctx)) openSocket(ctx)
  },
}

const silentSocket: Failure = {
  code: 'timeout',
  message: `the relay's socket expected an answer within ${probeMs / 1000} s, got none`,
}
