/**
 * One-click auth: the request and, beside it with the same key, a proposal for wallets that do not know it. The first answer
 * counts; there is one session at most, made of the signed statement, without a settlement.
 */
import type { Failure } from '../../../runtime/failure.ts'
import { own } from '../../../runtime/schema/own.ts'
import type { Auth, AuthAnswer } from '../../../events/subjects/wallet/authState.ts'
import { isAuthAsked, type OpenAuth, type SentAuth } from '../../../events/subjects/wallet/auth.ts'
import type { Sent } from '../../../events/subjects/wallet/authFacts.ts'
import { idIn, topicReference } from '../../../events/values/reference.ts'
import type { Ctx, Decider, InputData } from '../../core/context.ts'
import { authProblem } from '../../walletconnect/auth/authChecks.ts'
import { sdkErrors } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { pairingLife, sessionLife } from '../../walletconnect/time.ts'
import { allowedNamespaces, judgeAnswer, refusedAuth, unsettled } from './authAnswer.ts'
import { closeFallback, failAuth, finishAuth, openAuth } from './authEnd.ts'
import { forgetTopic } from '../forget.ts'
import { isKnownApp, learnApp, ownMetadata, wantedLink } from './linkMode.ts'
import { isUnderWay } from '../order/underWay.ts'
import { send } from '../relay/outbox.ts'
import type { MailOwner } from '../relay/owners.ts'
import { propose } from './pairing.ts'
import { shownMs, watchPairing } from './pairingTimers.ts'
import { payloadId } from '../request/payloadId.ts'
import { watchExpiry } from '../session/session.ts'
import { listen, needRelay } from '../relay/socket.ts'

type Payload = InputData<'relay.message'>['payload']

/** A wallet has an hour at least. */
const leastSeconds = wcMethods.wc_sessionAuthenticate.request.ttl

function makeKeys(ctx: Ctx, { authId, byLink }: Pick<Auth, 'authId' | 'byLink'>): void {
  if (!byLink) needRelay(ctx, ctx.input.type === 'auth.request')
  ctx.effect('vault.makeAuth', { authId, expiresAt: ctx.at + pairingLife * 1000 }, { about: authId })
}

function watch(ctx: Ctx, { authId, expiresAt }: Pick<Auth, 'authId' | 'expiresAt'>): void {
  ctx.effect('timer.set', { timerId: `auth:${authId}`, at: expiresAt })
}

function publish(ctx: Ctx, auth: Auth, sent: Sent): void {
  const { authId, asked, requestedAt, expiresAt, walletLink: universal, byLink } = auth
  const { tag, ttl, prompt } = wcMethods.wc_sessionAuthenticate.request
  send(ctx, {
    kind: 'publish',
    topic: sent.pairingTopic,
    tag,
    ttl: Math.max(ttl, Math.floor((expiresAt - requestedAt) / 1000)),
    prompt,
    purpose: { kind: 'auth', id: authId },
    ...(byLink && universal !== undefined && { universal, plain: true }),
    payload: {
      method: 'wc_sessionAuthenticate',
      id: sent.payloadId,
      publicKey: sent.publicKey,
      metadata: ownMetadata(ctx),
      asked,
      issuedAt: requestedAt,
      expiryTimestamp: Math.floor(expiresAt / 1000),
    },
  })
}

/** @returns the namespaces for a wallet without one-click auth: the same, and `personal_sign` for the sign-in itself */
function fallbackOf({ chains, methods }: Auth['asked']) {
  const events = ['chainChanged', 'accountsChanged']
  return {
    required: {},
    optional: { eip155: { chains, methods: [...new Set(['personal_sign', ...methods])], events } },
  }
}

function begin(ctx: Ctx, auth: Auth, sent: Sent): void {
  const { authId } = auth
  ctx.fact('auth.created', { authId, ...sent })
  // A wallet that takes links knows one-click auth
  if (auth.byLink) return publish(ctx, auth, sent)
  const fallback = {
    pairingTopic: sent.pairingTopic,
    attemptId: authId,
    publicKey: sent.publicKey,
    proposalId: payloadId(ctx),
    proposal: fallbackOf(auth.asked),
    // The screen that shows its code asks for another auth at this time; this one stays answerable
    renewAt: ctx.at + shownMs,
    expiresAt: ctx.at + pairingLife * 1000,
  }
  ctx.fact('pairing.created', fallback)
  listen(ctx, [sent.pairingTopic, sent.responseTopic])
  publish(ctx, auth, sent)
  propose(ctx, fallback)
  watchPairing(ctx, fallback)
}

/** Handles a wallet's answer to one-click auth. */
export function authAnswered(ctx: Ctx, auth: SentAuth, payload: Payload): void {
  if (payload.kind === 'error') return refused(ctx, auth, payload)
  const judged = judgeAnswer(payload, auth.asked, ctx.at)
  if ('failure' in judged) {
    closeFallback(ctx, auth, 'pairing.expired')
    return failAuth(ctx, auth.authId, judged.failure)
  }
  const { responderKey = '', peer = { name: '', url: '', description: '', icons: [] }, redirect } = payload
  const answer = { responderKey, peer, signed: judged.statements, ...(redirect && { redirect }) }
  ctx.fact('auth.answered', { authId: auth.authId, ...answer })
  closeFallback(ctx, auth, 'pairing.settled')
  goOn(ctx, auth, answer)
}

function refused(ctx: Ctx, auth: SentAuth, payload: Payload): void {
  const fallback = own(ctx.model.pairing.open, auth.sent.pairingTopic)
  // A wallet without this method may still answer the proposal
  if (payload.error?.code === sdkErrors.WC_METHOD_UNSUPPORTED.code && fallback) {
    if (auth.phase !== 'unsupported') ctx.fact('auth.unsupported', { authId: auth.authId })
    return
  }
  closeFallback(ctx, auth, 'pairing.expired')
  failAuth(ctx, auth.authId, refusedAuth(payload))
}

/** Asks the contracts that have yet to be asked; when none is left, opens the session if one is allowed. */
function goOn(ctx: Ctx, { authId, sent }: SentAuth, { signed, responderKey }: AuthAnswer): void {
  const unchecked = signed.flatMap(({ unchecked, chain, cacao }, place) => (unchecked ? [{ place, chain, cacao }] : []))
  for (const { place, chain, cacao } of unchecked)
    ctx.effect('auth.askContract', { authId, place, chain, cacao }, { after: 'stored', about: authId })
  if (unchecked.length > 0) return
  if (!allowedNamespaces(signed)) return finishAuth(ctx, authId)
  const { responseTopic: pairingTopic, publicKey } = sent
  const about = topicReference(pairingTopic)
  ctx.effect('vault.deriveSession', { pairingTopic, publicKey, responderKey }, { about })
}

function byTopic(ctx: Ctx, topic: string): SentAuth | undefined {
  return Object.values(ctx.model.auth)
    .filter(isAuthAsked)
    .find(({ sent }) => sent.responseTopic === topic || sent.pairingTopic === topic)
}

/** @returns the auth that this message answers */
export function authAskedBy(ctx: Ctx, topic: string, { kind, id }: Payload): SentAuth | undefined {
  if (kind !== 'result' && kind !== 'error' && kind !== 'unopened') return undefined
  const open = byTopic(ctx, topic)
  return open?.sent.payloadId === id && open.phase !== 'answered' ? open : undefined
}

/** A wallet's answer is quarantined. */
export function authFailed(ctx: Ctx, topic: string): void {
  const open = byTopic(ctx, topic)
  if (open?.sent.responseTopic !== topic) return
  const message = "the wallet's message made the core fail, so it was set aside"
  failBoth(ctx, open.authId, { code: 'bad_response', message })
}

/** Ends an auth and the proposal beside it. */
function failBoth(ctx: Ctx, authId: string, failure: Failure): void {
  const open = openAuth(ctx, authId)
  if (!open) return
  closeFallback(ctx, open, 'pairing.expired')
  failAuth(ctx, authId, failure)
}

export const authMail: MailOwner = { unsent: failBoth, refused: failBoth }

export const auth: Decider = {
  'auth.request': (ctx, data) => {
    const message = authProblem(data)
    if (message !== undefined) return ctx.fact('auth.refused', { message })
    const { expirySeconds = 0, walletLink, ...asked } = data
    const byLink = walletLink !== undefined && isKnownApp(ctx, walletLink)
    const authId = ctx.id('auth')
    const expiresAt = ctx.at + Math.max(expirySeconds, leastSeconds) * 1000
    ctx.fact('auth.requested', {
      authId,
      asked,
      expiresAt,
      ...(walletLink !== undefined && { walletLink }),
      ...(byLink && { byLink }),
    })
    watch(ctx, { authId, expiresAt })
    makeKeys(ctx, { authId, ...(byLink && { byLink }) })
  },
  'auth.abandon': (ctx, { authId }) => {
    const left = openAuth(ctx, authId)
    if (!left) return
    closeFallback(ctx, left, 'pairing.expired')
    failAuth(ctx, authId, { code: 'user_rejected', message: 'the person left the sign-in' })
  },
  'vault.authMade': (ctx, { authId, ...made }) => {
    const open = openAuth(ctx, authId)
    if (open?.phase === 'requested') return begin(ctx, open, { ...made, payloadId: payloadId(ctx) })
    if (open && isAuthAsked(open) && open.sent.pairingTopic === made.pairingTopic) return
    forgetTopic(ctx, made.pairingTopic)
    forgetTopic(ctx, made.responseTopic)
  },
  'auth.contractAsked': (ctx, { authId, place, isSigned }) => {
    const open = openAuth(ctx, authId)
    if (open?.phase !== 'answered' || !open.answer.signed[place]?.unchecked) return
    if (!isSigned) {
      const why = 'a signed statement expected a signature that the account’s contract takes, got another'
      return failAuth(ctx, authId, unsettled(why))
    }
    ctx.fact('auth.checked', { authId, place })
    const { answer } = open
    // The others are being asked already
    if (answer.signed.some(({ unchecked }, at) => unchecked && at !== place)) return
    const signed = answer.signed.map(({ unchecked: _, ...one }) => one)
    goOn(ctx, open, { ...answer, signed })
  },
  'vault.sessionDerived': (ctx, { pairingTopic, sessionTopic }) => {
    const open = byTopic(ctx, pairingTopic)
    if (open?.phase !== 'answered' || open.sent.responseTopic !== pairingTopic) return
    const { responderKey, peer, signed, redirect } = open.answer
    // Its link was given, and it wants messages by it: from now on that is known
    const universal = open.walletLink === undefined ? undefined : wantedLink(ctx, redirect)
    if (universal !== undefined) learnApp(ctx, universal)
    const expiresAt = ctx.at + sessionLife * 1000
    ctx.fact('session.settled', {
      sessionTopic,
      pairingTopic: open.sent.pairingTopic,
      controllerKey: responderKey,
      peer,
      namespaces: allowedNamespaces(signed) ?? {},
      expiresAt,
      transport: universal === undefined ? 'relay' : 'link',
      publicKey: open.sent.publicKey,
      proposal: fallbackOf(open.asked),
      ...(redirect && { redirect }),
    })
    finishAuth(ctx, open.authId, sessionTopic)
    if (universal === undefined || ctx.transient.relay.open) listen(ctx, [sessionTopic])
    watchExpiry(ctx, sessionTopic, expiresAt)
  },
  failed: {
    'vault.makeAuth': (ctx, failure, authId) => failAuth(ctx, authId, failure),
    'auth.askContract': (ctx, failure, authId) => failAuth(ctx, authId, failure),
    'vault.deriveSession': (ctx, failure, about) => {
      const topic = idIn('topic', about)
      const open = topic === undefined ? undefined : byTopic(ctx, topic)
      if (!open || open.sent.responseTopic !== topic) return
      // It is signed: its session is made once the client's file is here, which the relay's socket needs, too
      if (failure.code === 'reload_needed' && !open.byLink) return
      failBoth(ctx, open.authId, failure)
    },
  },
  'relay.opened': ctx => {
    if (!ctx.transient.wire.unloaded) return
    for (const { authId } of Object.values(ctx.model.auth)) deriveAgain(ctx, authId)
  },
  timers: {
    auth: (ctx, authId) => {
      const open = openAuth(ctx, authId)
      if (!open) return
      if (open.expiresAt > ctx.at) return watch(ctx, open)
      expire(ctx, open)
    },
  },
  resume: ctx => {
    for (const { authId } of Object.values(ctx.model.auth)) {
      const open = openAuth(ctx, authId)
      if (open) pickUp(ctx, open)
    }
  },
}

/** The proposal beside it ran out long before, or does so by itself. */
function expire(ctx: Ctx, open: OpenAuth): void {
  failAuth(ctx, open.authId, { code: 'expired', message: 'the wallet expected to sign in in time, sent nothing' })
}

function deriveAgain(ctx: Ctx, authId: string): void {
  const open = openAuth(ctx, authId)
  if (open?.phase !== 'answered' || open.answer.signed.some(({ unchecked }) => unchecked)) return
  if (!isUnderWay(ctx, 'vault.deriveSession', topicReference(open.sent.responseTopic))) goOn(ctx, open, open.answer)
}

function pickUp(ctx: Ctx, open: OpenAuth): void {
  if (open.expiresAt <= ctx.at) return expire(ctx, open)
  watch(ctx, open)
  if (open.phase === 'requested') makeKeys(ctx, open)
  if (open.phase === 'answered') goOn(ctx, open, open.answer)
  if (open.phase !== 'created') return
  const { sent } = open
  const isQueued = Object.values(ctx.model.outbox).some(outgoing => outgoing.payloadId === sent.payloadId)
  if (!isQueued) publish(ctx, open, sent)
}
