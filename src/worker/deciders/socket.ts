/** Functions over the one socket to the relay: needing it, listening to topics through it, naming calls on it. */
import type { Ctx } from '../context.ts'

/** The relay takes at most this many topics in one call. */
const batchSize = 500

/** Makes sure a socket is open or on its way; call it whenever the relay is needed. */
export function needRelay(ctx: Ctx): void {
  const phase = ctx.model.relay.phase
  if (ctx.transient.relay.open || phase === 'connecting') return
  if (ctx.model.relay.phase === 'lost' && ctx.model.relay.retryAt > ctx.at && ctx.transient.relay.attempt > 1) return
  if (ctx.transient.relay.opening) return
  if (!ctx.model.network.online) return
  openSocket(ctx)
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
  ctx.effect('vault.forget', { topics: [topic], refs: [] })
}

/** @returns a relay call's id: 19 decimal digits, unique in this life, higher than the one before */
export function relayCallId(ctx: Ctx): string {
  let callId = `${ctx.at}${String(ctx.random(1_000_000)).padStart(6, '0')}`
  if (BigInt(callId) <= BigInt(ctx.transient.lastCallId)) callId = String(BigInt(ctx.transient.lastCallId) + 1n)
  ctx.transient.lastCallId = callId
  return callId
}

/** Opens a socket, the next relay url in turn. */
export function openSocket(ctx: Ctx): void {
  const { attempt } = ctx.transient.relay
  ctx.transient.relay.attempt = attempt + 1
  ctx.transient.relay.opening = true
  const url = ctx.boot.relays[attempt % Math.max(1, ctx.boot.relays.length)] ?? ctx.boot.relayUrl
  ctx.fact('relay.connecting', { attempt: attempt + 1 })
  ctx.effect('relay.open', { url, projectId: ctx.boot.projectId })
}

/** @returns every topic something is expected on */
export function topicsInUse(ctx: Ctx): string[] {
  const topics = new Set(Object.keys(ctx.model.session))
  for (const pairing of Object.values(ctx.model.pairing.open)) {
    if (pairing.phase !== 'created') topics.add(pairing.pairingTopic)
    if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)
  }
  return [...topics]
}

/** @returns true when this message was handled in this life already; call it before the relay decider hears the message */
export function isRepeat(ctx: Ctx, hash: string): boolean {
  return ctx.transient.relay.seen.includes(hash)
}
