/** Messages to wallets: sealed once, kept, and published with the same call id and bytes until the relay has taken them. */
import type { OutgoingPayload } from '../../events/effect.ts'
import type { Ctx, Decider } from '../context.ts'
import { forgetMessage } from './forget.ts'
import { own } from '../../events/own.ts'
import { listen, needRelay, probe, relayCallId, unlisten } from './socket.ts'

const retryMs = 15_000

export type Sending = {
  kind: 'publish' | 'propose'
  topic: string
  payload: OutgoingPayload
  tag: number
  ttl: number
  prompt: boolean
  purpose?: string
}

/** Seals a payload for a topic and publishes it. What for is in `purpose`: `request:<id>`, `delete:<topic>`, `propose:<topic>`. */
export function send(ctx: Ctx, { kind, topic, payload, tag, ttl, prompt, purpose }: Sending): void {
  const callId = relayCallId(ctx)
  ctx.transient.sealing[callId] = {
    kind,
    topic,
    tag,
    ttl,
    prompt,
    payloadId: payload.id,
    ...(purpose === undefined ? {} : { purpose }),
  }
  ctx.effect('vault.seal', { callId, topic, payload }, { after: 'stored', about: callId })
  needRelay(ctx)
}

/** Publishes everything that the relay has not taken yet. */
export function republish(ctx: Ctx): void {
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.expiresAt <= ctx.at) drop(ctx, outgoing.callId)
    else publish(ctx, outgoing)
  }
}

type Ready = {
  callId: string
  kind: 'publish' | 'propose'
  topic: string
  messageRef: string
  tag: number
  ttl: number
  prompt: boolean
  payloadId: string
}

function publish(ctx: Ctx, { callId, kind, topic, messageRef, tag, ttl, prompt, payloadId }: Ready): void {
  ctx.transient.relay.calls[callId] = { kind: 'publish', topics: [topic], at: ctx.at }
  if (kind === 'propose') {
    ctx.effect(
      'relay.propose',
      { callId, pairingTopic: topic, messageRef, ttl, correlationId: payloadId },
      { after: 'stored' },
    )
  } else ctx.effect('relay.publish', { callId, topic, messageRef, ttl, tag, prompt }, { after: 'stored' })
  ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + retryMs })
}

/** @returns what a message that is being sealed was for; for those who must know when that fails */
export function sealingFor(ctx: Ctx, kind: 'request' | 'propose'): string | undefined {
  if (ctx.cause?.type !== 'vault.seal') return undefined
  const purpose = own(ctx.transient.sealing, ctx.cause.about)?.purpose ?? ''
  return purpose.startsWith(`${kind}:`) ? purpose.slice(kind.length + 1) : undefined
}

function drop(ctx: Ctx, callId: string): void {
  const outgoing = ctx.model.outbox[callId]
  if (!outgoing) return
  ctx.fact('outbox.dropped', { callId })
  forgetMessage(ctx, outgoing.messageRef)
}

/** Says nothing more on a topic: what the relay does not have yet stays unsaid. */
export function fallSilent(ctx: Ctx, topic: string): void {
  // What is being sealed finds nobody who waits for it; its bytes go with the next start
  for (const [callId, sealing] of Object.entries(ctx.transient.sealing))
    if (sealing.topic === topic) delete ctx.transient.sealing[callId]
  for (const outgoing of Object.values(ctx.model.outbox)) {
    if (outgoing.topic !== topic) continue
    drop(ctx, outgoing.callId)
    ctx.effect('timer.clear', { timerId: `outbox:${outgoing.callId}` })
  }
}

/** The wallet may be quicker than the relay's own answer. */
function delivered(ctx: Ctx, requestId: string): void {
  if (own(ctx.model.request, requestId)?.phase === 'sent') ctx.fact('request.delivered', { requestId })
}

function proposed(ctx: Ctx, pairingTopic: string): void {
  if (own(ctx.model.pairing.open, pairingTopic)?.phase === 'created') ctx.fact('pairing.proposed', { pairingTopic })
}

export const outbox: Decider = {
  'vault.sealed': (ctx, { callId, messageRef }) => {
    const sealing = own(ctx.transient.sealing, callId)
    if (!sealing) return
    delete ctx.transient.sealing[callId]
    ctx.fact('outbox.queued', { callId, messageRef, ...sealing, expiresAt: ctx.at + sealing.ttl * 1000 })
    if (ctx.transient.relay.open) publish(ctx, { callId, messageRef, ...sealing })
    else needRelay(ctx)
  },
  'relay.taken': (ctx, { callId }) => {
    const outgoing = own(ctx.model.outbox, callId)
    if (!outgoing) return
    ctx.fact('outbox.taken', { callId })
    forgetMessage(ctx, outgoing.messageRef)
    ctx.effect('timer.clear', { timerId: `outbox:${callId}` })
    const purpose = outgoing.purpose ?? ''
    if (purpose.startsWith('request:')) delivered(ctx, purpose.slice('request:'.length))
    else if (purpose.startsWith('delete:')) unlisten(ctx, purpose.slice('delete:'.length))
    else if (purpose.startsWith('propose:')) proposed(ctx, outgoing.topic)
  },
  'relay.failed': (ctx, { callId, error }) => {
    const outgoing = own(ctx.model.outbox, callId)
    if (!outgoing) return
    // A relay of the older kind does not know the composite method: subscribe, then publish as any message
    if (outgoing.kind === 'propose' && (error.code === -32601 || /method|unknown|unsupported/i.test(error.message))) {
      const { purpose, messageRef, topic, payloadId, expiresAt, ttl } = outgoing
      const again = relayCallId(ctx)
      ctx.fact('outbox.dropped', { callId })
      ctx.fact('outbox.queued', {
        callId: again,
        kind: 'publish',
        topic,
        messageRef,
        tag: 1100,
        ttl,
        prompt: true,
        payloadId,
        expiresAt,
        ...(purpose === undefined ? {} : { purpose }),
      })
      listen(ctx, [topic])
      publish(ctx, { callId: again, kind: 'publish', topic, messageRef, tag: 1100, ttl, prompt: true, payloadId })
    }
  },
  'effect.failed': ctx => {
    if (ctx.cause?.type === 'vault.seal') delete ctx.transient.sealing[ctx.cause.about]
  },
  timers: {
    outbox: (ctx, callId) => {
      const outgoing = ctx.model.outbox[callId]
      if (!outgoing || !ctx.transient.relay.open) return
      if (outgoing.expiresAt <= ctx.at) return drop(ctx, callId)
      // Not a word since it was published: the socket may be dead
      if (ctx.transient.relay.heardAt <= ctx.at - retryMs) probe(ctx)
      publish(ctx, outgoing)
    },
  },
}
