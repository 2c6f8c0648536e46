/**
 * Pings of the wallet that scanned a code, before any session is there. Each ping is logged and ends once: with the answer, at
 * its deadline, or with its code.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { wcError } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { deletedLately } from '../session/deletedLately.ts'
import { send } from '../relay/outbox.ts'
import type { MailOwner } from '../relay/owners.ts'
import { payloadId } from '../request/payloadId.ts'

const { request, response } = wcMethods.wc_pairingPing
/** The relay keeps the ping so long, and then the answer: after both nothing is on its way any more, ms. */
const answerMs = (request.ttl + response.ttl) * 1000

const silence: Failure = {
  code: 'timeout',
  message: `a code expected a sign of life within ${answerMs / 1000} s, whoever scanned it sent none`,
}

function watch(ctx: Ctx, id: string, sentAt: number): void {
  ctx.effect('timer.set', { timerId: `ping:${id}`, at: sentAt + answerMs })
}

function pingedBy(ctx: Ctx, id: string): Pairing | undefined {
  return Object.values(ctx.model.pairing.open).find(({ pings = {} }) => own(pings, id) !== undefined)
}

function end(ctx: Ctx, id: string, failure?: Failure): void {
  const pairing = pingedBy(ctx, id)
  if (!pairing) return
  const { pairingTopic } = pairing
  ctx.fact('pairing.pingEnded', { pairingTopic, payloadId: id, ...(failure && { failure }) })
  ctx.effect('timer.clear', { timerId: `ping:${id}` })
}

/** Why a code cannot be pinged, in the official client's words, or undefined. */
function problem(ctx: Ctx, pairingTopic: string) {
  const open = own(ctx.model.pairing.open, pairingTopic)
  const topic = pairingTopic.slice(0, 200)
  if (!open)
    return deletedLately(ctx, 'pairing', topic) ?? wcError('NO_MATCHING_KEY', `pairing topic doesn't exist: ${topic}`)
  return open.expiresAt > ctx.at ? undefined : wcError('EXPIRED', `pairing topic: ${topic}`)
}

/** Handles the answer to a ping. */
export function pingAnswered(ctx: Ctx, payload: InputData<'relay.message'>['payload']): void {
  if (payload.kind === 'result') return end(ctx, payload.id)
  const { code = 0 } = payload.error ?? {}
  const message = `whoever scanned the code answered a ping with error ${code}`
  end(ctx, payload.id, { code: 'bad_response', message, facts: { code } })
}

export const pingMail: MailOwner = { unsent: end }

export const pairingPing: Decider = {
  'pairing.ping': (ctx, { pairingTopic }) => {
    const wrong = problem(ctx, pairingTopic)
    if (wrong) return ctx.fact('pairing.refused', { pairingTopic, ...wrong })
    const id = payloadId(ctx)
    ctx.fact('pairing.pinged', { pairingTopic, payloadId: id })
    watch(ctx, id, ctx.at)
    const payload = { method: 'wc_pairingPing', id } as const
    send(ctx, { kind: 'publish', topic: pairingTopic, ...request, purpose: { kind: 'ping', id }, payload })
  },
  timers: { ping: (ctx, id) => end(ctx, id, silence) },
  resume: ctx => {
    for (const { pings = {} } of Object.values(ctx.model.pairing.open))
      for (const [id, sentAt] of Object.entries(pings)) watch(ctx, id, Math.min(sentAt, ctx.at))
  },
}
