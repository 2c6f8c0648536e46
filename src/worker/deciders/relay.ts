/**
 * The one socket to the relay: opened when somebody needs it, believed only after an answer, opened again with jitter.
 * After every connection all topics are subscribed in batches, which makes the relay push what was missed.
 */
import type { Ctx, Decider } from '../context.ts'
import { backoff } from './backoff.ts'
import { republish } from './outbox.ts'
import { listen, openSocket, topicsInUse } from './socket.ts'

/** Silence after which an open socket is tested, and how long the test may take, ms. */
const quietMs = 30_000
const probeMs = 10_000
const seenKept = 2000

function isNeeded(ctx: Ctx): boolean {
  return (
    Object.keys(ctx.model.session).length > 0 ||
    Object.keys(ctx.model.pairing.open).length > 0 ||
    Object.keys(ctx.model.outbox).length > 0 ||
    Object.keys(ctx.transient.sealing).length > 0
  )
}

/** Tests the socket with a call that any relay answers; without an answer in time it counts as dead. */
function probe(ctx: Ctx): void {
  const relay = ctx.transient.relay
  if (!relay.open || relay.probedAt !== 0) return
  const topics = topicsInUse(ctx)
  if (topics.length === 0) return
  relay.probedAt = ctx.at
  listen(ctx, topics)
  ctx.effect('timer.set', { timerId: 'relay:probe', at: ctx.at + probeMs })
}

function heard(ctx: Ctx): void {
  ctx.transient.relay.heardAt = ctx.at
  ctx.transient.relay.probedAt = 0
}

export const relay: Decider = {
  'relay.opened': ctx => {
    ctx.transient.relay.open = true
    ctx.transient.relay.opening = false
    ctx.transient.relay.attempt = 0
    ctx.transient.relay.calls = {}
    heard(ctx)
    ctx.fact('relay.connected', {})
    listen(ctx, topicsInUse(ctx))
    republish(ctx)
    ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
  },
  'relay.closed': (ctx, { code, failure }) => {
    const { relay } = ctx.transient
    relay.open = false
    relay.opening = false
    relay.probedAt = 0
    relay.calls = {}
    if (!isNeeded(ctx)) {
      ctx.fact('relay.closed', {})
      return
    }
    const refused = failure.code === 'unauthorized'
    if (refused) ctx.fact('relay.refused', { failure })
    const waitMs = refused ? 60_000 : relay.attempt === 0 && code !== 0 ? 100 : backoff(ctx, Math.max(1, relay.attempt))
    if (!refused) ctx.fact('relay.lost', { failure, attempt: relay.attempt, retryAt: ctx.at + waitMs })
    ctx.effect('timer.set', { timerId: 'relay:retry', at: ctx.at + waitMs })
  },
  'relay.taken': (ctx, { callId }) => {
    heard(ctx)
    delete ctx.transient.relay.calls[callId]
  },
  'relay.failed': (ctx, { callId }) => {
    heard(ctx)
    delete ctx.transient.relay.calls[callId]
  },
  'relay.message': (ctx, { pushId, hash }) => {
    heard(ctx)
    ctx.effect('relay.acknowledge', { pushId }, { after: 'stored' })
    const { seen } = ctx.transient.relay
    seen.push(hash)
    if (seen.length > seenKept) seen.splice(0, seenKept / 2)
  },
  'relay.garbage': heard,
  'page.resumed': probe,
  'page.visible': (ctx, { visible }) => {
    if (visible) probe(ctx)
  },
  'page.online': (ctx, { online }) => {
    if (!online || ctx.transient.relay.open) return
    ctx.transient.relay.attempt = 0
    if (isNeeded(ctx)) openSocket(ctx)
  },
  timers: {
    relay: (ctx, what) => {
      const { relay } = ctx.transient
      if (what === 'retry') {
        if (!relay.open && isNeeded(ctx) && ctx.model.network.online && ctx.model.relay.phase !== 'connecting')
          openSocket(ctx)
        return
      }
      if (!relay.open) return
      if (what === 'probe') {
        if (relay.probedAt === 0 || ctx.at - relay.probedAt < probeMs) return
        relay.open = false
        ctx.effect('relay.close', {})
        ctx.fact('relay.lost', { failure: silentSocket, attempt: 0, retryAt: ctx.at + 100 })
        ctx.effect('timer.set', { timerId: 'relay:retry', at: ctx.at + 100 })
        return
      }
      if (!isNeeded(ctx)) {
        relay.open = false
        ctx.effect('relay.close', {})
        ctx.fact('relay.closed', {})
        return
      }
      if (ctx.at - relay.heardAt >= quietMs) probe(ctx)
      ctx.effect('timer.set', { timerId: 'relay:pulse', at: ctx.at + quietMs })
    },
  },
  resume: ctx => {
    if (ctx.model.relay.phase !== 'closed') ctx.fact('relay.closed', {})
    if (isNeeded(ctx) && ctx.boot.online) openSocket(ctx)
  },
}

const silentSocket = {
  code: 'timeout',
  message: `the relay's socket expected an answer within ${probeMs / 1000} s, got none`,
} as const
