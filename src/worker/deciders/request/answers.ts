/**
 * Answers to wallets' requests. Each is owed from the step that takes the request until the answer is sealed and stored: after
 * a crash in between, the next life gives it.
 */
import { own } from '../../../runtime/schema/own.ts'
import type { PeerError } from '../../../events/schema/fields.ts'
import { type OwedAnswer, requestKey } from '../../../events/subjects/session/mail.ts'
import { idIn, type MessagePurpose, messagePurposeIn, referenceText } from '../../../events/values/reference.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import type { Publishing } from '../../walletconnect/session/methods.ts'
import { send } from '../relay/outbox.ts'

/** Time after which a failed sealing of an answer is retried, ms. */
const againMs = 15_000

type Answer = { topic: string; payloadId: string; purpose?: MessagePurpose; error?: PeerError }

/** Answers a wallet's request by true, or by an error. */
export function answer(ctx: Ctx, { topic, payloadId, purpose, error }: Answer, { tag, ttl }: Publishing): void {
  const about = error ? { error } : {}
  const owed = { topic, payloadId, tag, ttl, ...(purpose && { purpose: referenceText(purpose) }), ...about }
  ctx.fact('mail.owed', owed)
  give(ctx, owed)
}

/** Seals and publishes an answer. It sends no push notification, as the wallet is waiting. */
function give(ctx: Ctx, { topic, payloadId: id, tag, ttl, purpose: text, error }: Omit<OwedAnswer, 'owedAt'>): void {
  const purpose = messagePurposeIn(text)
  const payload = error ? { error, id } : ({ result: true, id } as const)
  send(ctx, { kind: 'publish', topic, tag, ttl, prompt: false, payload, ...(purpose && { purpose }) })
}

/** @returns whether the end of a session is owed as the answer to its settlement, which announces it */
export function endsByAnswer({ model, at }: Ctx, sessionTopic: string): boolean {
  return Object.values(model.mail.owed).some(
    owed => idIn('delete', owed.purpose) === sessionTopic && !isTooLate(owed, at),
  )
}

/** Whether the relay's mailbox lifetime of the answer is over. */
function isTooLate({ owedAt, ttl }: OwedAnswer, at: number): boolean {
  return owedAt + ttl * 1000 <= at
}

/** Gives every owed answer that is not being sealed. */
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
  failed: {
    'vault.seal': (ctx, failure, callId) => {
      const failed = own(ctx.transient.sealing, callId)
      if (!failed || !own(ctx.model.mail.owed, requestKey(failed.topic, failed.payloadId))) return
      if (failure.code === 'expired') forgo(ctx, failed)
      else ctx.effect('timer.set', { timerId: 'owed', at: ctx.at + againMs })
    },
  },
  timers: { owed: giveOwed },
  resume: ctx => {
    // In the next step, as this one may drop some answers
    if (Object.keys(ctx.model.mail.owed).length > 0) ctx.effect('timer.set', { timerId: 'owed', at: ctx.at })
  },
}
