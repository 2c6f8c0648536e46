/**
 * Attestations of outgoing messages, by the verify service.
 *
 * 1. A message waits for its attestation, but only briefly.
 * 2. After a wait in vain, later messages do not wait for a while.
 * 3. Without an attestation the wallet shows an unknown origin; nothing fails.
 */
import { own } from '../../../runtime/schema/own.ts'
import type { Outgoing } from '../../../events/subjects/session/outbox.ts'
import type { Ctx } from '../../core/context.ts'
import { wcMethods, attestedTags } from '../../walletconnect/session/methods.ts'
import { visibleTab } from '../page.ts'

const requestTag = wcMethods.wc_sessionRequest.request.tag
/** Longest wait of a proposal, ms: its code is on the screen meanwhile, until a wallet reads it. */
const proposalMs = 5000
/** Longest wait of a request, ms: the person looks at a wallet that shows nothing yet. */
const requestMs = 2000
/** Time without waiting after the service was silent, ms. */
const restMs = 10 * 60_000

type Message = Pick<Outgoing, 'callId' | 'tag' | 'messageRef'>

/** @returns whether a message has to wait for its attestation; each is requested once, and only from a visible page */
export function waitsForAttestation(ctx: Ctx, { callId, tag, messageRef }: Message): boolean {
  const { wire } = ctx.transient
  if (!ctx.boot.attests || !attestedTags.has(tag)) return false
  const known = own(wire.attested ?? {}, callId)
  if (known) return known === 'asked'
  const tab = visibleTab(ctx)
  if (tab === undefined || ctx.at < (wire.witnessRestsUntil ?? 0)) return false
  wire.attested = { ...wire.attested, [callId]: 'asked' }
  ctx.effect('attest.get', { messageRef }, { tab, about: callId })
  ctx.effect('timer.set', { timerId: timerOf(callId), at: ctx.at + (tag === requestTag ? requestMs : proposalMs) })
  return true
}

/** Ends the wait of one message. @returns false when it does not wait */
export function endAttestationWait(ctx: Ctx, callId: string): boolean {
  const { attested = {} } = ctx.transient.wire
  if (own(attested, callId) !== 'asked') return false
  attested[callId] = 'done'
  ctx.effect('timer.clear', { timerId: timerOf(callId) })
  return true
}

/** Stops waiting for a while, if the service was silent until this message's deadline. */
export function pauseAttestation({ transient: { wire }, at }: Ctx, callId: string): void {
  if (own(wire.attested ?? {}, callId) === 'asked') wire.witnessRestsUntil = at + restMs
}

/** The same bytes are sent as another call: their attestation stays valid. */
export function passAttestation({ transient: { wire } }: Ctx, from: string, to: string): void {
  if (own(wire.attested ?? {}, from) === 'done') wire.attested = { ...wire.attested, [to]: 'done' }
}

/** @returns call ids of messages that wait */
export function waitingForAttestation({ transient }: Ctx): string[] {
  return Object.entries(transient.wire.attested ?? {}).flatMap(([callId, state]) => (state === 'asked' ? [callId] : []))
}

/** Forgets the attestation of a dropped message. */
export function forgetAttestation(ctx: Ctx, callId: string): void {
  endAttestationWait(ctx, callId)
  delete ctx.transient.wire.attested?.[callId]
}

const timerOf = (callId: string) => `attest:${callId}` as const
