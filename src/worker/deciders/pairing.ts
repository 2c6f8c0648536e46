/**
 * From the code on the screen to a settled session. A code is shown for 230 s and then renewed; the old one stays
 * answerable until its own end, and a proposal that a wallet already holds still settles.
 */
import type { Failure } from '../../events/failure.ts'
import type { Pairing } from '../../events/subjects/pairing.ts'
import type { Ctx, Decider, InputData } from '../context.ts'
import { isRejection, sdkErrors } from '../walletconnect/errors.ts'
import { wcMethods } from '../walletconnect/methods.ts'
import { approvedChains, methodsFor } from '../walletconnect/namespaces.ts'
import { sessionProblem } from '../walletconnect/namespaceChecks.ts'
import { pairingLife } from '../walletconnect/time.ts'
import { proposedNamespaces } from './proposal.ts'
import { refreshBalance } from './balance.ts'
import { send } from './outbox.ts'
import { payloadId } from './payloadId.ts'
import { readPurchases } from './purchase.ts'
import { isRepeat, listen, needRelay, unlisten } from './socket.ts'
import { watchExpiry } from './session.ts'
import { featuresOf, solanaAccounts } from './sessionScope.ts'

/** How long one code is shown, ms. */
const shownMs = 230_000

/** Makes a new code for the attempt. */
export function startPairing(ctx: Ctx, attemptId: string): void {
  needRelay(ctx)
  ctx.effect('vault.makePairing', { attemptId, expiresAt: ctx.at + pairingLife * 1000 }, { about: attemptId })
}

function propose(
  ctx: Ctx,
  {
    pairingTopic,
    publicKey,
    proposalId,
    expiresAt,
  }: Pick<Pairing, 'pairingTopic' | 'publicKey' | 'proposalId' | 'expiresAt'>,
): void {
  const { tag, ttl, prompt } = wcMethods.wc_sessionPropose.request
  send(ctx, {
    kind: 'propose',
    topic: pairingTopic,
    tag,
    ttl,
    prompt,
    purpose: `propose:${pairingTopic}`,
    payload: {
      method: 'wc_sessionPropose',
      id: proposalId,
      publicKey,
      expiryTimestamp: Math.floor(expiresAt / 1000),
      optionalNamespaces: proposedNamespaces(ctx),
      metadata: ctx.boot.metadata,
    },
  })
}

function derive(ctx: Ctx, { pairingTopic, publicKey }: Pairing, responderKey: string): void {
  ctx.effect('vault.deriveSession', { pairingTopic, publicKey, responderKey }, { after: 'stored', about: pairingTopic })
}

function watch(
  ctx: Ctx,
  { pairingTopic, renewAt, expiresAt }: { pairingTopic: string; renewAt: number; expiresAt: number },
): void {
  ctx.effect('timer.set', { timerId: `renew:${pairingTopic}`, at: renewAt })
  ctx.effect('timer.set', { timerId: `pairing:${pairingTopic}`, at: expiresAt })
}

function end(ctx: Ctx, pairing: Pairing): void {
  unlisten(ctx, pairing.pairingTopic)
  if (pairing.phase === 'answered' && !ctx.model.session[pairing.sessionTopic]) unlisten(ctx, pairing.sessionTopic)
}

function attemptOf(ctx: Ctx, attemptId: string) {
  const { attempt } = ctx.model.connection
  return attempt.phase === 'asking' && attempt.attemptId === attemptId ? attempt : undefined
}

/** A wallet's refusal of a proposal, in our words. */
function refusal(error: { code: number; message: string } | undefined): Failure {
  const code = error?.code ?? 0
  if (error && isRejection(error))
    return { code: 'user_rejected', message: 'the person declined the connection in the wallet' }
  return { code: 'bad_response', message: `the wallet refused the proposal with error ${code}`, facts: { code } }
}

function settle(
  ctx: Ctx,
  pairing: Extract<Pairing, { phase: 'answered' }>,
  payload: InputData<'relay.message'>['payload'],
): void {
  const { tag, ttl, prompt } = wcMethods.wc_sessionSettle.response
  const answer = { kind: 'publish', topic: pairing.sessionTopic, tag, ttl, prompt } as const
  const problem = settlementProblem(ctx, pairing, payload)
  if (problem !== undefined) {
    const failure: Failure = { code: 'bad_response', message: problem }
    ctx.fact('pairing.rejected', { pairingTopic: pairing.pairingTopic, failure })
    ctx.fact('connection.failed', { attemptId: pairing.attemptId, failure })
    send(ctx, {
      ...answer,
      payload: { error: sdkErrors.INVALID_SESSION_SETTLE_REQUEST, id: payload.id },
      purpose: `delete:${pairing.sessionTopic}`,
    })
    return
  }
  const {
    namespaces = {},
    peer = { name: 'Wallet', url: '', description: '', icons: [] },
    controllerKey = '',
    expiresAt = 0,
  } = payload
  const accounts = solanaAccounts(namespaces)
  ctx.fact('session.settled', {
    sessionTopic: pairing.sessionTopic,
    pairingTopic: pairing.pairingTopic,
    controllerKey,
    peer,
    namespaces,
    expiresAt,
  })
  ctx.fact('pairing.settled', { pairingTopic: pairing.pairingTopic })
  const attempt = attemptOf(ctx, pairing.attemptId)
  const chosen = attempt && attempt.wallet.walletId !== 'walletConnect' ? attempt.wallet : undefined
  ctx.fact('connection.made', {
    connectionId: ctx.id('connection'),
    attemptId: pairing.attemptId,
    connector: 'walletConnect',
    wallet: {
      walletId: chosen?.walletId ?? 'walletConnect',
      name: (peer.name || chosen?.name || 'Wallet').slice(0, 100),
    },
    accounts,
    features: featuresOf(namespaces),
    sessionTopic: pairing.sessionTopic,
  })
  watchExpiry(ctx, pairing.sessionTopic, expiresAt)
  if (accounts[0] !== undefined) {
    refreshBalance(ctx, accounts[0])
    readPurchases(ctx, accounts[0])
  }
  send(ctx, { ...answer, payload: { result: true, id: payload.id }, purpose: `settled:${pairing.sessionTopic}` })
  unlisten(ctx, pairing.pairingTopic)
}

/** @returns why a settlement cannot be accepted, as a sentence, or undefined */
function settlementProblem(
  ctx: Ctx,
  pairing: Extract<Pairing, { phase: 'answered' }>,
  payload: InputData<'relay.message'>['payload'],
): string | undefined {
  if (payload.controllerKey !== pairing.responderKey)
    return 'the settlement expected the key of the wallet that answered, got another one'
  const malformed = sessionProblem(payload.namespaces, 'onSessionSettleRequest()')
  if (malformed) return malformed.message
  const namespaces = payload.namespaces ?? {}
  const proposed = new Set(proposedNamespaces(ctx).solana?.chains ?? [])
  const usable = approvedChains(namespaces).filter(chain => proposed.has(chain))
  if (usable.length === 0) return 'the wallet approved no account on a chain this page asked for'
  const methods = new Set(usable.flatMap(chain => methodsFor(namespaces, chain)))
  if (!methods.has('solana_signTransaction') && !methods.has('solana_signAndSendTransaction')) {
    return 'the wallet approved no method that signs transactions'
  }
  if (solanaAccounts(namespaces).length === 0) return 'the settlement expected a Solana address of 32 bytes, got none'
  if ((payload.expiresAt ?? 0) <= ctx.at) return 'the settlement expected an expiry in the future, got one in the past'
  return undefined
}

export const pairing: Decider = {
  'vault.pairingMade': (ctx, { attemptId, pairingTopic, publicKey }) => {
    if (!attemptOf(ctx, attemptId)) {
      ctx.effect('vault.forget', { topics: [pairingTopic], refs: [] })
      return
    }
    const made = {
      pairingTopic,
      attemptId,
      publicKey,
      proposalId: payloadId(ctx),
      renewAt: ctx.at + shownMs,
      expiresAt: ctx.at + pairingLife * 1000,
    }
    ctx.fact('pairing.created', made)
    propose(ctx, made)
    watch(ctx, made)
  },
  'relay.message': (ctx, { topic, hash, payload }) => {
    if (isRepeat(ctx, hash)) return
    const onPairing = ctx.model.pairing.open[topic]
    if (onPairing) return answered(ctx, onPairing, payload)
    if (payload.kind !== 'settle') return
    const answeredPairing = Object.values(ctx.model.pairing.open).find(
      open => open.phase === 'answered' && open.sessionTopic === topic,
    )
    if (answeredPairing?.phase === 'answered') settle(ctx, answeredPairing, payload)
  },
  'vault.sessionDerived': (ctx, { pairingTopic, sessionTopic }) => {
    const open = ctx.model.pairing.open[pairingTopic]
    if (open?.phase !== 'responded') return
    ctx.fact('pairing.answered', { pairingTopic, sessionTopic })
    listen(ctx, [sessionTopic])
  },
  'effect.failed': (ctx, { failure }) => {
    const cause = ctx.cause
    if (cause?.type === 'vault.makePairing') ctx.fact('connection.failed', { attemptId: cause.about, failure })
    const open = cause?.type === 'vault.deriveSession' ? ctx.model.pairing.open[cause.about] : undefined
    if (open) {
      ctx.fact('pairing.rejected', { pairingTopic: open.pairingTopic, failure })
      ctx.fact('connection.failed', { attemptId: open.attemptId, failure })
    }
  },
  timers: {
    renew: (ctx, pairingTopic) => {
      const open = ctx.model.pairing.open[pairingTopic]
      if (!open || ctx.model.pairing.shown !== pairingTopic || open.phase === 'answered' || open.phase === 'responded')
        return
      const attempt = attemptOf(ctx, open.attemptId)
      if (attempt) startPairing(ctx, attempt.attemptId)
    },
    pairing: (ctx, pairingTopic) => {
      const open = ctx.model.pairing.open[pairingTopic]
      if (!open) return
      const wasShown = ctx.model.pairing.shown === pairingTopic
      ctx.fact('pairing.expired', { pairingTopic })
      end(ctx, open)
      if (wasShown && attemptOf(ctx, open.attemptId)) {
        const message = 'the connection code ran out before a wallet answered'
        ctx.fact('connection.failed', { attemptId: open.attemptId, failure: { code: 'expired', message } })
      }
    },
  },
  resume: ctx => {
    for (const open of Object.values(ctx.model.pairing.open)) {
      if (open.expiresAt <= ctx.at || open.phase === 'rejected') {
        ctx.fact('pairing.expired', { pairingTopic: open.pairingTopic })
        end(ctx, open)
        if (attemptOf(ctx, open.attemptId) && ctx.model.pairing.shown === open.pairingTopic)
          startPairing(ctx, open.attemptId)
        continue
      }
      watch(ctx, open)
      const sealed = Object.values(ctx.model.outbox).some(outgoing => outgoing.topic === open.pairingTopic)
      if (open.phase === 'created' && !sealed) propose(ctx, open)
      if (open.phase === 'responded') derive(ctx, open, open.responderKey)
    }
  },
}

function answered(ctx: Ctx, open: Pairing, payload: InputData<'relay.message'>['payload']): void {
  if (payload.kind === 'pairingPing') {
    const { tag, ttl, prompt } = wcMethods.wc_pairingPing.response
    send(ctx, {
      kind: 'publish',
      topic: open.pairingTopic,
      tag,
      ttl,
      prompt,
      payload: { result: true, id: payload.id },
    })
    return
  }
  if (payload.kind === 'request') {
    send(ctx, {
      kind: 'publish',
      topic: open.pairingTopic,
      tag: 0,
      ttl: 86_400,
      prompt: false,
      payload: {
        error: { code: 10001, message: `Unsupported wc_ method. ${payload.method ?? ''}`.trim() },
        id: payload.id,
      },
    })
    return
  }
  if ((open.phase !== 'created' && open.phase !== 'proposed') || payload.id !== open.proposalId) return
  if (payload.kind === 'result' && payload.responderKey !== undefined) {
    ctx.fact('pairing.responded', { pairingTopic: open.pairingTopic, responderKey: payload.responderKey })
    derive(ctx, open, payload.responderKey)
    return
  }
  if (payload.kind === 'error') {
    const failure = refusal(payload.error)
    ctx.fact('pairing.rejected', { pairingTopic: open.pairingTopic, failure })
    ctx.fact('connection.failed', { attemptId: open.attemptId, failure })
  }
}
