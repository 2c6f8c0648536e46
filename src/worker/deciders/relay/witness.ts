/**
 * The verify service's word about messages whose sender wallets want to have witnessed. They wait for it, but never long, and
 * for a service that let one wait in vain the next ones do not wait at all: without the word a wallet says that it does not
 * know where the message comes from, and nothing fails.
 */
import { own } from '../../../events/schema/own.ts'
import type { Outgoing } from '../../../events/subjects/outbox.ts'
import type { Ctx } from '../../core/context.ts'
import { wcMethods, witnessedTags } from '../../walletconnect/session/methods.ts'
import { visibleTab } from '../page.ts'

const requestTag = wcMethods.wc_sessionRequest.request.tag
/** A code is on the screen while its proposal waits: nobody does until a wallet has read it. */
const proposalMs = 5000
/** Somebody has pressed and looks at a wallet that shows nothing yet. */
const requestMs = 2000
/** For so long nothing waits for a service that was silent. */
const restMs = 10 * 60_000

type Message = Pick<Outgoing, 'callId' | 'tag' | 'messageRef'>

/** @returns true when a message has to wait for the word about it; each is asked for once, and only where somebody looks */
export function waitsForWitness(ctx: Ctx, { callId, tag, messageRef }: Message): boolean {
  const { wire } = ctx.transient
  if (!ctx.boot.attests || !witnessedTags.has(tag)) return false
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
export function endWait(ctx: Ctx, callId: string): boolean {
  const { attested = {} } = ctx.transient.wire
  if (own(attested, callId) !== 'asked') return false
  attested[callId] = 'done'
  ctx.effect('timer.clear', { timerId: timerOf(callId) })
  return true
}

/** The service was silent for as long as this message may wait. */
export function restFromWitness({ transient: { wire }, at }: Ctx, callId: string): void {
  if (own(wire.attested ?? {}, callId) === 'asked') wire.witnessRestsUntil = at + restMs
}

/** The same bytes go out as another call: what was said of them holds. */
export function passWitness({ transient: { wire } }: Ctx, from: string, to: string): void {
  if (own(wire.attested ?? {}, from) === 'done') wire.attested = { ...wire.attested, [to]: 'done' }
}

/** @returns messages that wait, by call id */
export function waitingForWitness({ transient }: Ctx): string[] {
  return Object.entries(transient.wire.attested ?? {}).flatMap(([callId, state]) => (state === 'asked' ? [callId] : []))
}

/** Its message is gone. */
export function forgetWitness(ctx: Ctx, callId: string): void {
  endWait(ctx, callId)
  delete ctx.transient.wire.attested?.[callId]
}

const timerOf = (callId: string) => `attest:${callId}`
