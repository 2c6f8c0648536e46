/**
 * Answers to what wallets ask. Each is owed from the step that takes the question until the message that gives it is sealed
 * and kept: whoever dies in between gives it in the next life.
 */
import { own } from '../../../events/schema/own.ts'
import type { PeerError } from '../../../events/schema/fields.ts'
import { type OwedAnswer, requestKey } from '../../../events/subjects/mail.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import type { Publishing } from '../../walletconnect/session/methods.ts'
import { send } from '../relay/outbox.ts'

/** An answer that could not be sealed is sealed again after this, ms. */
const againMs = 15_000

type Answer = { topic: string; payloadId: string; purpose?: string; error?: PeerError }

/** Answers a wallet's question by true, or by an error. */
export function answer(ctx: Ctx, { topic, payloadId, purpose, error }: Answer, { tag, ttl }: Publishing): void {
  const about = { ...(purpose !== undefined && { purpose }), ...(error && { error }) }
  const owed = { topic, payloadId, tag, ttl, ...about }
  ctx.fact('mail.owed', owed)
  give(ctx, owed)
}

/** No answer wakes a phone: its wallet waits. */
function give(ctx: Ctx, { topic, payloadId: id, tag, ttl, purpose, error }: Omit<OwedAnswer, 'owedAt'>): void {
  const payload = error ? { error, id } : ({ result: true, id } as const)
  send(ctx, { kind: 'publish', topic, tag, ttl, prompt: false, payload, ...(purpose !== undefined && { purpose }) })
}

/** @returns whether the word that a session is over is owed as the answer to its settlement, and will be given as that */
export function endsByAnswer({ model, at }: Ctx, sessionTopic: string): boolean {
  return Object.values(model.mail.owed).some(owed => owed.purpose === `delete:${sessionTopic}` && !isTooLate(owed, at))
}

/** The relay would not keep it any longer. */
function isTooLate({ owedAt, ttl }: OwedAnswer, at: number): boolean {
  return owedAt + ttl * 1000 <= at
}

/** Gives what is owed and is not being sealed. */
function giveOwed(ctx: Ctx): void {
  const sealing = new Set(Object.values(ctx.transient.sealing).map(one => requestKey(one.topic, one.payloadId)))
  for (const [key, owed] of Object.entries(ctx.model.mail.owed)) {
    if (sealing.has(key)) continue
    if (isTooLate(owed, ctx.at)) forgo(ctx, owed)
    else give(ctx, owed)
  }
}

function forgo(ctx: Ctx, { topic, payloadId }: { topic: string; payloadId: string }): void {
  ctx.fact('mail.forgone', { topic, payloadId })
}

export const answers: Decider = {
  'effect.failed': (ctx, { failure }) => {
    const failed = ctx.cause?.type === 'vault.seal' ? own(ctx.transient.sealing, ctx.cause.about) : undefined
    if (!failed || !own(ctx.model.mail.owed, requestKey(failed.topic, failed.payloadId))) return
    if (failure.code === 'expired') forgo(ctx, failed)
    else ctx.effect('timer.set', { timerId: 'owed', at: ctx.at + againMs })
  },
  timers: { owed: giveOwed },
  resume: ctx => {
    // Once this step is over: what ends in it takes its answers along
    if (Object.keys(ctx.model.mail.owed).length > 0) ctx.effect('timer.set', { timerId: 'owed', at: ctx.at })
  },
}
