/** Functions over the one socket to the relay: needing it, testing it, listening to topics through it, naming calls on it. */
import { remember, remembers } from '../../events/values/memory.ts'
import type { Ctx } from '../context.ts'
import { forgetTopic } from './forget.ts'
import { isUnderWay } from './underWay.ts'

/** The relay takes at most this many topics in one call. */
const batchSize = 500
/** At most this many sockets are opened in any minute. */
const opensAMinute = 12
const minuteMs = 60_000
/** How long the test of a socket may take, ms. */
export const probeMs = 10_000
/** Messages that are remembered before the oldest half is forgotten. */
const seenKept = 2000

/** Makes sure a socket is open or on its way; call it whenever the relay is needed. */
export function needRelay(ctx: Ctx): void {
  const { relay } = ctx.transient
  if (relay.open || isOpening(ctx) || !isOnline(ctx)) return
  const known = ctx.model.relay
  // The timer that opens the next one is set already
  if (known.phase === 'lost' && known.retryAt > ctx.at && relay.attempt > 1) return
  openSocket(ctx)
}

/** @returns whether a socket was ordered that has not said how it went */
export function isOpening(ctx: Ctx): boolean {
  return isUnderWay(ctx, 'relay.open', '')
}

/** @returns whether this device says it is online; during the boot the model is still of an earlier life */
export function isOnline(ctx: Ctx): boolean {
  return ctx.input.type === 'core.boot' ? ctx.boot.online : ctx.model.network.online
}

/** Opens a socket, the next relay url in turn; within the budget, else as soon as the budget allows. */
export function openSocket(ctx: Ctx): void {
  const { relay } = ctx.transient
  relay.opens = relay.opens.filter(at => at > ctx.at - minuteMs && at <= ctx.at)
  const oldest = relay.opens[0]
  if (oldest !== undefined && relay.opens.length >= opensAMinute) {
    ctx.effect('timer.set', { timerId: 'relay:retry', at: oldest + minuteMs })
    return
  }
  relay.opens.push(ctx.at)
  // The driver drops a socket that was still opening, and says nothing more about it
  for (const [effectId, cause] of Object.entries(ctx.transient.asked))
    if (cause.type === 'relay.open') delete ctx.transient.asked[effectId]
  const { attempt } = relay
  relay.attempt = attempt + 1
  const url = ctx.boot.relays[attempt % Math.max(1, ctx.boot.relays.length)] ?? ctx.boot.relayUrl
  ctx.fact('relay.connecting', { attempt: attempt + 1 })
  ctx.effect('relay.open', { url, projectId: ctx.boot.projectId })
}

/** Tests the socket with a call that any relay answers; without a sign of life in time it counts as dead. */
export function probe(ctx: Ctx): void {
  const { relay } = ctx.transient
  if (!relay.open || relay.probedAt !== 0) return
  // One call is a test; all of them, for many sessions, would be a load
  const topics = topicsInUse(ctx).slice(0, batchSize)
  // Without topics the calls that wait for an answer are the test; without those nothing is expected of the socket
  if (topics.length === 0 && Object.keys(relay.calls).length === 0) return
  relay.probedAt = ctx.at
  listen(ctx, topics)
  ctx.effect('timer.set', { timerId: 'relay:probe', at: ctx.at + probeMs })
}

/** Listens to topics, now if the socket is open, else with the next connection. */
export function listen(ctx: Ctx, topics: string[]): void {
  if (!ctx.transient.relay.open) return needRelay(ctx)
  for (let from = 0; from < topics.length; from += batchSize) {
    const part = topics.slice(from, from + batchSize)
    const callId = relayCallId(ctx)
    ctx.transient.relay.calls[callId] = { kind: 'subscribe', topics: part, at: ctx.at }
    ctx.effect('relay.subscribe', { callId, topics: part })
  }
}

/** Stops listening and forgets the topic's keys. */
export function unlisten(ctx: Ctx, topic: string): void {
  if (ctx.transient.relay.open) {
    const callId = relayCallId(ctx)
    ctx.transient.relay.calls[callId] = { kind: 'unsubscribe', topics: [topic], at: ctx.at }
    ctx.effect('relay.unsubscribe', { callId, topic })
  }
  forgetTopic(ctx, topic)
}

/** @returns a relay call's id: 19 decimal digits, unique in this life, higher than the one before */
export function relayCallId(ctx: Ctx): string {
  let callId = `${ctx.at}${String(ctx.random(1_000_000)).padStart(6, '0')}`
  if (BigInt(callId) <= BigInt(ctx.transient.lastCallId)) callId = String(BigInt(ctx.transient.lastCallId) + 1n)
  ctx.transient.lastCallId = callId
  return callId
}

/** @returns every topic something is expected on */
export function topicsInUse(ctx: Ctx): string[] {
  const topics = new Set(Object.keys(ctx.model.session))
  for (const pairing of Object.values(ctx.model.pairing.open)) {
    topics.add(pairing.pairingTopic)
    if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)
  }
  return [...topics]
}

/** @returns true when this message was handled in this life already; the relay decider, which hears it last, remembers it */
export function isRepeat(ctx: Ctx, hash: string): boolean {
  return remembers(ctx.transient.relay.seen, hash)
}

/** Remembers a message; the oldest are forgotten when there are many. */
export function rememberSeen(ctx: Ctx, hash: string): void {
  remember(ctx.transient.relay.seen, hash, seenKept)
}
