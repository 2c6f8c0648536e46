/** Operations on the one socket to the relay: opening, testing, subscribing, call ids. */
import { isAuthAsked } from '../../../events/subjects/wallet/auth.ts'
import { opensAMinute } from '../../../events/subjects/service/relay.ts'
import type { Ctx } from '../../core/context.ts'
import { relayId } from '../../walletconnect/relay/ids.ts'
import { forgetTopic } from '../forget.ts'
import { isUnderWay } from '../order/underWay.ts'
import { lacksMethod } from './relayCapabilities.ts'

/** Most topics in one call. */
const batchSize = 500
const minuteMs = 60_000
/** Longest test of a socket, ms. */
export const probeMs = 10_000

/**
 * Makes sure a socket is open or opening; call it whenever the relay is needed.
 *
 * @param isPressed a person is waiting: skips the wait between attempts, within the budget
 */
export function needRelay(ctx: Ctx, isPressed = false): void {
  const { relay } = ctx.transient
  if (relay.open || isOpening(ctx)) return
  if (!isOnline(ctx)) return sayOffline(ctx)
  const known = ctx.model.relay
  // The timer of the next attempt is already set
  if (!isPressed && known.phase === 'lost' && known.retryAt > ctx.at && relay.attempt > 1) return
  openSocket(ctx)
}

/** Somebody pressed to reach a wallet again; a socket that cannot be opened for want of the client is told them. */
export function reachAgain(ctx: Ctx): void {
  needRelay(ctx, true)
  if (isOpening(ctx)) ctx.transient.wire.unloaded = { pressed: true }
}

/** No socket was ordered in the end: the file of the WalletConnect client could not be fetched. */
export function noteUnloaded(ctx: Ctx): void {
  const { relay, wire } = ctx.transient
  relay.opens.pop()
  wire.url = ''
  if (wire.unloaded?.pressed) ctx.fact('core.inputSetAside', { input: 'connection.retry' })
  wire.unloaded = { pressed: false }
}

/** @returns whether a socket was ordered that has not said how it went */
export function isOpening(ctx: Ctx): boolean {
  return isUnderWay(ctx, 'relay.open', '')
}

/** @returns whether this device is online; during the boot the model is still of an earlier life */
export function isOnline(ctx: Ctx): boolean {
  return ctx.input.type === 'core.boot' ? ctx.boot.online : ctx.model.network.online
}

/** Records that the relay is needed while this device is offline. */
export function sayOffline(ctx: Ctx): void {
  if (ctx.transient.wire.offline) return
  ctx.transient.wire.offline = true
  ctx.fact('relay.offline', {})
}

/** Opens a socket to the next relay in turn; beyond the budget, as soon as the budget allows. */
export function openSocket(ctx: Ctx): void {
  const { relay, wire } = ctx.transient
  if (!wire.counted) {
    // Openings of an earlier life count too, unless they lie in the future because its clock was ahead
    wire.counted = true
    relay.opens = ctx.model.relays.opens.filter(at => at <= ctx.at)
  }
  relay.opens = relay.opens.filter(at => at > ctx.at - minuteMs)
  const oldest = relay.opens[0]
  if (oldest !== undefined && relay.opens.length >= opensAMinute) {
    ctx.effect('timer.set', { timerId: 'relay:retry', at: oldest + minuteMs })
    return
  }
  relay.opens.push(ctx.at)
  // The driver drops a socket that is still opening, without an answer
  for (const [effectId, cause] of Object.entries(ctx.transient.asked))
    if (cause.type === 'relay.open') delete ctx.transient.asked[effectId]
  wire.url = nextUrl(ctx)
  wire.offline = false
  relay.attempt += 1
  ctx.fact('relay.connecting', { attempt: relay.attempt, url: wire.url })
  // Committed first, so that the next life counts it
  ctx.effect('relay.open', { url: wire.url, projectId: ctx.boot.projectId }, { after: 'written' })
}

/** Addresses in order of preference: the one that answered last, then as configured. */
function urlsInOrder({ boot, model }: Ctx): string[] {
  const { proved } = model.relays
  const urls = boot.relays.length > 0 ? boot.relays : [boot.relayUrl]
  return [...urls.filter(url => url === proved), ...urls.filter(url => url !== proved)]
}

/** Addresses that have not refused. */
export function urlsLeft(ctx: Ctx): string[] {
  return urlsInOrder(ctx).filter(url => !ctx.transient.wire.refused.includes(url))
}

/** The first address after a socket that lasted, else the next one. When all have refused, all are tried again. */
function nextUrl(ctx: Ctx): string {
  const { relay, wire } = ctx.transient
  if (urlsLeft(ctx).length === 0) wire.refused = []
  const urls = urlsInOrder(ctx)
  const last = relay.attempt === 0 ? -1 : urls.indexOf(wire.url)
  const turn = [...urls.slice(last + 1), ...urls.slice(0, last + 1)]
  return turn.find(url => !wire.refused.includes(url)) ?? ctx.boot.relayUrl
}

/** Tests the socket with a call that every relay answers; silence until the deadline counts as dead. */
export function probe(ctx: Ctx): void {
  const { relay } = ctx.transient
  if (!relay.open || relay.probedAt !== 0) return
  // One call is a test; all batches, for many sessions, would be a load
  const topics = topicsInUse(ctx).slice(0, batchSize)
  // Without topics the pending calls are the test; without those no answer is expected
  if (topics.length === 0 && Object.keys(relay.calls).length === 0) return
  relay.probedAt = ctx.at
  listen(ctx, topics.slice(0, lacksMethod(ctx, 'irn_batchSubscribe') ? 1 : batchSize))
  ctx.effect('timer.set', { timerId: 'relay:probe', at: ctx.at + probeMs })
}

/** Subscribes to topics, now if the socket is open, else with the next connection. */
export function listen(ctx: Ctx, topics: string[], how: { oneByOne?: boolean; first?: boolean } = {}): void {
  if (!ctx.transient.relay.open) return needRelay(ctx)
  const { oneByOne = lacksMethod(ctx, 'irn_batchSubscribe'), first = false } = how
  const size = oneByOne ? 1 : batchSize
  for (let from = 0; from < topics.length; from += size) {
    const part = topics.slice(from, from + size)
    const callId = relayCallId(ctx)
    const kind = oneByOne ? 'subscribeOne' : 'subscribe'
    ctx.transient.relay.calls[callId] = { kind, topics: part, at: ctx.at, ...(first && { first }) }
    ctx.effect('relay.subscribe', { callId, topics: part, ...(oneByOne && { oneByOne }) })
  }
}

/** Unsubscribes and deletes the topic's keys. */
export function unlisten(ctx: Ctx, topic: string): void {
  if (ctx.transient.relay.open) {
    const callId = relayCallId(ctx)
    ctx.transient.relay.calls[callId] = { kind: 'unsubscribe', topics: [topic], at: ctx.at }
    ctx.effect('relay.unsubscribe', { callId, topic })
  }
  forgetTopic(ctx, topic)
}

/** @returns a relay call's id: 19 decimal digits, unique and ascending in this life */
export function relayCallId(ctx: Ctx): string {
  const callId = relayId(ctx.at, ctx.random(1_000_000))
  const last = BigInt(ctx.transient.lastCallId)
  ctx.transient.lastCallId = BigInt(callId) > last ? callId : String(last + 1n)
  return ctx.transient.lastCallId
}

/** @returns every topic on which messages are expected */
export function topicsInUse(ctx: Ctx): string[] {
  const topics = new Set(Object.keys(ctx.model.session))
  for (const pairing of Object.values(ctx.model.pairing.open)) {
    topics.add(pairing.pairingTopic)
    if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)
  }
  for (const auth of Object.values(ctx.model.auth)) if (isAuthAsked(auth)) topics.add(auth.sent.responseTopic)
  return [...topics]
}
