/**
 * From the code on the screen to a settled session. A code is shown for 230 s and then renewed; the old one stays
 * answerable until its own end, and a proposal that a wallet already holds still settles.
 */
import type { Failure } from '../../../runtime/failure.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import { idIn, topicReference } from '../../../events/values/reference.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { isRejection, wcError } from '../../walletconnect/relay/errors.ts'
import { unknownMethodAnswer, wcMethods } from '../../walletconnect/session/methods.ts'
import { pairingLife } from '../../walletconnect/time.ts'
import { answer } from '../request/answers.ts'
import { attemptOf, failAttempt } from './attempt.ts'
import { ownMetadata } from './linkMode.ts'
import { failAuth } from './authEnd.ts'
import { usedAgain } from '../session/deletedLately.ts'
import { forgetTopic } from '../forget.ts'
import { send } from '../relay/outbox.ts'
import type { MailOwner } from '../relay/owners.ts'
import { own } from '../../../runtime/schema/own.ts'
import { anyVisible } from '../page.ts'
import { shownMs, unwatchPairing, watchPairing } from './pairingTimers.ts'
import { payloadId } from '../request/payloadId.ts'
import { askedNamespaces } from './proposal.ts'
import { settleSession } from '../session/settlement.ts'
import { pingAnswered } from './pairingPing.ts'
import { settlementFor } from '../relay/mail.ts'
import { listen, needRelay, unlisten } from '../relay/socket.ts'
import { isUnderWay } from '../order/underWay.ts'

/** How much longer than its code a pairing whose wallet has answered may take to settle, ms. */
const settleMs = 60_000

type Answered = Extract<Pairing, { phase: 'answered' }>
type Payload = InputData<'relay.message'>['payload']

/** Makes a new code for the attempt. */
export function startPairing(ctx: Ctx, attemptId: string): void {
  needRelay(ctx, ctx.input.type === 'connection.connectWalletConnect')
  ctx.effect('vault.makePairing', { attemptId, expiresAt: ctx.at + pairingLife * 1000 }, { about: attemptId })
}

export function propose(
  ctx: Ctx,
  {
    pairingTopic,
    publicKey,
    proposalId,
    proposal,
    expiresAt,
  }: Pick<Pairing, 'pairingTopic' | 'publicKey' | 'proposalId' | 'proposal' | 'expiresAt'>,
): void {
  const { sessionProperties, scopedProperties } = proposal ?? {}
  const { tag, ttl, prompt } = wcMethods.wc_sessionPropose.request
  send(ctx, {
    kind: 'propose',
    topic: pairingTopic,
    tag,
    ttl,
    prompt,
    purpose: { kind: 'propose', id: pairingTopic },
    payload: {
      method: 'wc_sessionPropose',
      id: proposalId,
      publicKey,
      expiryTimestamp: Math.floor(expiresAt / 1000),
      optionalNamespaces: askedNamespaces(ctx, proposal),
      metadata: ownMetadata(ctx),
      ...(sessionProperties && { sessionProperties }),
      ...(scopedProperties && { scopedProperties }),
    },
  })
}

function derive(ctx: Ctx, { pairingTopic, publicKey }: Pairing, responderKey: string): void {
  const about = topicReference(pairingTopic)
  ctx.effect('vault.deriveSession', { pairingTopic, publicKey, responderKey }, { about })
}

/** When nothing more is expected on a pairing, ms. */
function endOf(pairing: Pairing): number {
  const hasAnswer = pairing.phase === 'responded' || pairing.phase === 'answered'
  return pairing.expiresAt + (hasAnswer ? settleMs : 0)
}

function reject(ctx: Ctx, { pairingTopic, attemptId }: Pairing, failure: Failure): void {
  ctx.fact('pairing.rejected', { pairingTopic, failure })
  failAttempt(ctx, attemptId, failure)
  failAuth(ctx, attemptId, failure)
}

function rejectProposal(ctx: Ctx, pairingTopic: string, failure: Failure): void {
  const open = own(ctx.model.pairing.open, pairingTopic)
  if (open) reject(ctx, open, failure)
}

export const proposalMail: MailOwner = { unsent: rejectProposal, refused: rejectProposal }

function renew(ctx: Ctx, pairingTopic: string): void {
  const open = ctx.model.pairing.open[pairingTopic]
  if (!open || ctx.model.pairing.shown !== pairingTopic || (open.phase !== 'created' && open.phase !== 'proposed'))
    return
  if (attemptOf(ctx, open.attemptId) && !isUnderWay(ctx, 'vault.makePairing', open.attemptId))
    startPairing(ctx, open.attemptId)
}

/** Renews the code on the screen when its time is over, or cannot be told by this clock any more. */
function renewShown(ctx: Ctx): void {
  const { shown, open } = ctx.model.pairing
  const code = shown === null ? undefined : open[shown]
  if (code && (code.renewAt <= ctx.at || code.renewAt > ctx.at + shownMs)) renew(ctx, code.pairingTopic)
}

function end(ctx: Ctx, pairing: Pairing): void {
  unlisten(ctx, pairing.pairingTopic)
  if (pairing.phase === 'answered' && !ctx.model.session[pairing.sessionTopic]) unlisten(ctx, pairing.sessionTopic)
}

/** A wallet's refusal of a proposal, in our words. */
function refusal(error: { code: number; message: string } | undefined): Failure {
  const code = error?.code ?? 0
  if (error && isRejection(error))
    return { code: 'user_rejected', message: 'the person declined the connection in the wallet' }
  return { code: 'bad_response', message: `the wallet refused the proposal with error ${code}`, facts: { code } }
}

export const pairing: Decider = {
  'vault.pairingMade': (ctx, { attemptId, pairingTopic, publicKey }) => {
    // Told twice it is one pairing: a second proposal would have an id that no answer fits
    if (own(ctx.model.pairing.open, pairingTopic)) return
    const attempt = attemptOf(ctx, attemptId)
    if (!attempt) {
      forgetTopic(ctx, pairingTopic)
      return
    }
    const reused = usedAgain(ctx, 'pairing', pairingTopic)
    if (reused) return failAttempt(ctx, attemptId, reused)
    const made = {
      pairingTopic,
      attemptId,
      publicKey,
      proposalId: payloadId(ctx),
      ...(attempt.proposal && { proposal: attempt.proposal }),
      renewAt: ctx.at + shownMs,
      expiresAt: ctx.at + pairingLife * 1000,
    }
    ctx.fact('pairing.created', made)
    propose(ctx, made)
    watchPairing(ctx, made)
  },
  'vault.sessionDerived': (ctx, { pairingTopic, sessionTopic }) => {
    const open = ctx.model.pairing.open[pairingTopic]
    if (open?.phase !== 'responded') return
    const reused = usedAgain(ctx, 'session', sessionTopic)
    if (reused) return reject(ctx, open, reused)
    ctx.fact('pairing.answered', { pairingTopic, sessionTopic })
    listen(ctx, [sessionTopic])
    const answered = { ...open, phase: 'answered', sessionTopic } as const
    const early = settlementFor(ctx, sessionTopic)
    if (early) settleSession(ctx, answered, early.payload)
  },
  failed: {
    'vault.makePairing': (ctx, failure, attemptId) => failAttempt(ctx, attemptId, failure),
    'vault.deriveSession': (ctx, failure, about) => {
      // The wallet has answered: its session is made once the client's file is here
      if (failure.code !== 'reload_needed') rejectProposal(ctx, idIn('topic', about) ?? '', failure)
    },
  },
  'relay.opened': ctx => {
    if (!ctx.transient.wire.unloaded) return
    for (const open of Object.values(ctx.model.pairing.open))
      if (open.phase === 'responded' && !isUnderWay(ctx, 'vault.deriveSession', topicReference(open.pairingTopic)))
        derive(ctx, open, open.responderKey)
  },
  // A code is renewed only while a tab is visible; a tab that is visible again gets a new one
  'page.visible': (ctx, { visible }) => {
    if (visible) renewShown(ctx)
  },
  'clock.jumped': ctx => {
    if (anyVisible(ctx)) renewShown(ctx)
  },
  timers: {
    renew: (ctx, pairingTopic) => {
      if (anyVisible(ctx)) renew(ctx, pairingTopic)
    },
    pairing: (ctx, pairingTopic) => {
      const open = ctx.model.pairing.open[pairingTopic]
      if (!open) return
      if (endOf(open) > ctx.at) {
        ctx.effect('timer.set', { timerId: `pairing:${pairingTopic}`, at: endOf(open) })
        return
      }
      const wasShown = ctx.model.pairing.shown === pairingTopic
      ctx.fact('pairing.expired', { pairingTopic })
      end(ctx, open)
      const message = 'the connection code ran out before a wallet answered'
      // A new one is on its way, as after a sleep
      if (isUnderWay(ctx, 'vault.makePairing', open.attemptId)) return
      if (wasShown) failAttempt(ctx, open.attemptId, { code: 'expired', message })
    },
  },
  resume: ctx => {
    for (const open of Object.values(ctx.model.pairing.open)) {
      if (endOf(open) <= ctx.at || open.phase === 'rejected') {
        ctx.fact('pairing.expired', { pairingTopic: open.pairingTopic })
        end(ctx, open)
        // A page that starts anew has left the attempt
        const isAsked = ctx.boot.cause !== 'start' && attemptOf(ctx, open.attemptId) !== undefined
        if (isAsked && ctx.model.pairing.shown === open.pairingTopic) startPairing(ctx, open.attemptId)
        continue
      }
      watchPairing(ctx, open)
      const sealed = Object.values(ctx.model.outbox).some(outgoing => outgoing.payloadId === open.proposalId)
      if (open.phase === 'created' && !sealed) propose(ctx, open)
      if (open.phase === 'responded') derive(ctx, open, open.responderKey)
    }
  },
}

function leftByWallet(ctx: Ctx, open: Pairing): void {
  // Its answer is here, and the session has another topic
  if (open.phase === 'responded' || open.phase === 'answered') return
  ctx.fact('pairing.expired', { pairingTopic: open.pairingTopic })
  unwatchPairing(ctx, open.pairingTopic)
  end(ctx, open)
  const message = 'the wallet closed the connection code before it answered'
  if (ctx.model.pairing.shown === open.pairingTopic) failAttempt(ctx, open.attemptId, { code: 'wallet_gone', message })
}

/** @returns the pairing whose wallet is to settle on this topic */
export function answeredPairing({ model }: Ctx, topic: string): Answered | undefined {
  return Object.values(model.pairing.open).find(
    (open): open is Answered => open.phase === 'answered' && open.sessionTopic === topic,
  )
}

/** A message of this pairing is quarantined: without it the code leads nowhere; a new one may. */
export function pairingFailed(ctx: Ctx, topic: string): void {
  const open = own(ctx.model.pairing.open, topic) ?? answeredPairing(ctx, topic)
  const message = "the wallet's message made the core fail, so it was set aside"
  if (open && open.phase !== 'rejected') reject(ctx, open, { code: 'bad_response', message })
}

/** Handles a message on a pairing's topic. */
export function messageOnPairing(ctx: Ctx, open: Pairing, payload: Payload): void {
  if (payload.kind === 'result' || payload.kind === 'error') {
    if (own(open.pings ?? {}, payload.id) !== undefined) return pingAnswered(ctx, payload)
  }
  const question = { topic: open.pairingTopic, payloadId: payload.id }
  if (payload.kind === 'pairingPing') return answer(ctx, question, wcMethods.wc_pairingPing.response)
  // It wants nothing of this code any more
  if (payload.kind === 'pairingDelete') return leftByWallet(ctx, open)
  if (payload.kind === 'request') {
    const error = wcError('WC_METHOD_UNSUPPORTED', payload.method)
    return answer(ctx, { ...question, error }, unknownMethodAnswer)
  }
  if ((open.phase !== 'created' && open.phase !== 'proposed') || payload.id !== open.proposalId) return
  if (payload.kind === 'result' && payload.responderKey !== undefined) {
    ctx.fact('pairing.responded', { pairingTopic: open.pairingTopic, responderKey: payload.responderKey })
    derive(ctx, open, payload.responderKey)
    return
  }
  if (payload.kind === 'error') {
    reject(ctx, open, refusal(payload.error))
  }
}
