/** The settlement: the approved namespaces are compared with the proposed ones, and become a session and a connection. */
import type { Failure } from '../../../runtime/failure.ts'
import type { Namespaces } from '../../../events/schema/fields.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import type { Ctx, InputData } from '../../core/context.ts'
import { sdkErrors } from '../../walletconnect/relay/errors.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { conformanceProblem } from '../../walletconnect/session/namespaceChecks.ts'
import {
  approvedChains,
  methodsFor,
  permittedNamespaces,
  inWordsOf,
  type SessionNamespaces,
  unaskedChains,
} from '../../walletconnect/session/namespaces.ts'
import { answer } from '../request/answers.ts'
import { attemptOf, failAttempt } from '../pairing/attempt.ts'
import { failAuth, finishAuth } from '../pairing/authEnd.ts'
import { refreshBalance } from '../sale/balance.ts'
import { askedNamespaces } from '../pairing/proposal.ts'
import { unwatchPairing } from '../pairing/pairingTimers.ts'
import { readPurchases } from '../sale/purchase.ts'
import { watchExpiry } from './session.ts'
import { makeConnection } from './sessionAccounts.ts'
import { featuresOf, solanaAccounts } from './sessionScope.ts'
import { unlisten } from '../relay/socket.ts'

type Answered = Extract<Pairing, { phase: 'answered' }>
type Payload = InputData<'relay.message'>['payload']

/** A wallet's approval: all of it, and its permitted part. */
type Approved = { namespaces: Namespaces; unasked: string[]; permitted: SessionNamespaces }

/** Accepts a wallet's settlement, or refuses it and records the reason. */
export function settleSession(ctx: Ctx, pairing: Answered, payload: Payload): void {
  const approved = approvedOf(ctx, pairing, payload)
  const problem = settlementProblem(ctx, pairing, payload, approved)
  if (problem === undefined) return accept(ctx, pairing, payload, approved)
  const failure: Failure = { code: 'bad_response', message: problem }
  ctx.fact('pairing.rejected', { pairingTopic: pairing.pairingTopic, failure })
  failAttempt(ctx, pairing.attemptId, failure)
  failAuth(ctx, pairing.attemptId, failure)
  // The wallet has a session until it is notified
  ctx.fact('parting.owed', { sessionTopic: pairing.sessionTopic })
  const error = sdkErrors.INVALID_SESSION_SETTLE_REQUEST
  const purpose = { kind: 'delete', id: pairing.sessionTopic } as const
  answer(
    ctx,
    { topic: pairing.sessionTopic, payloadId: payload.id, error, purpose },
    wcMethods.wc_sessionSettle.response,
  )
}

function accept(ctx: Ctx, pairing: Answered, payload: Payload, { namespaces, unasked, permitted }: Approved): void {
  const { pairingTopic, sessionTopic, publicKey, proposal } = pairing
  const { peer = nobody, controllerKey = '', expiresAt = 0 } = payload
  const { sessionProperties, scopedProperties, disableDeepLink, redirect, verified } = payload
  ctx.fact('session.settled', {
    sessionTopic,
    pairingTopic,
    controllerKey,
    peer,
    namespaces,
    expiresAt,
    transport: 'relay',
    publicKey,
    ...(proposal && { proposal }),
    ...(unasked.length > 0 && { unasked }),
    ...(sessionProperties && { sessionProperties }),
    ...(scopedProperties && { scopedProperties }),
    ...(disableDeepLink && { disableDeepLink }),
    ...(redirect && { redirect }),
    ...(verified && { validation: verified }),
  })
  ctx.fact('pairing.settled', { pairingTopic })
  finishAuth(ctx, pairing.attemptId, sessionTopic)
  connect(ctx, pairing, peer.name, permitted)
  watchExpiry(ctx, sessionTopic, expiresAt)
  const [account] = solanaAccounts(ctx, permitted)
  if (account !== undefined) {
    refreshBalance(ctx, account)
    readPurchases(ctx, account)
  }
  const purpose = { kind: 'settled', id: sessionTopic } as const
  answer(ctx, { topic: sessionTopic, payloadId: payload.id, purpose }, wcMethods.wc_sessionSettle.response)
  unwatchPairing(ctx, pairingTopic)
  unlisten(ctx, pairingTopic)
}

const nobody = { name: '', url: '', description: '', icons: [] }

/** The page uses Solana accounts only; a session without any is left to its proposer. */
function connect(ctx: Ctx, pairing: Answered, peerName: string, permitted: SessionNamespaces): void {
  const { attemptId, sessionTopic } = pairing
  const attempt = attemptOf(ctx, attemptId)
  const accounts = solanaAccounts(ctx, permitted)
  if (accounts.length === 0) {
    if (attempt) ctx.fact('connection.settled', { attemptId, sessionTopic })
    return
  }
  const chosen = attempt && attempt.wallet.walletId !== 'walletConnect' ? { chosen: attempt.wallet } : {}
  const shared = { accounts, features: featuresOf(ctx, permitted) }
  makeConnection(ctx, sessionTopic, shared, { attemptId, peerName, ...chosen })
}

function approvedOf(ctx: Ctx, { proposal }: Answered, payload: Payload): Approved {
  const asked = askedNamespaces(ctx, proposal)
  const namespaces = inWordsOf(asked, payload.namespaces ?? {})
  const unasked = unaskedChains(asked, namespaces)
  return { namespaces, unasked, permitted: permittedNamespaces(asked, namespaces, unasked) }
}

/** @returns why a settlement is refused, as a sentence, or undefined */
function settlementProblem(
  ctx: Ctx,
  { responderKey, proposal }: Answered,
  payload: Payload,
  { namespaces, permitted }: Approved,
): string | undefined {
  // The driver validated its form
  if (payload.error) return `the settlement expected the protocol's form, got error ${payload.error.code}`
  if (payload.controllerKey !== responderKey)
    return 'the settlement expected the key of the wallet that answered, got another one'
  const lacking = proposal && conformanceProblem(proposal.required, namespaces, 'onSessionSettleRequest()')
  if (lacking) return lacking.message
  const usable = approvedChains(permitted)
  if (usable.length === 0) return 'the wallet approved no account on a chain this page asked for'
  if (!proposal) {
    const methods = new Set(usable.flatMap(chain => methodsFor(permitted, chain)))
    if (!methods.has('solana_signTransaction') && !methods.has('solana_signAndSendTransaction'))
      return 'the wallet approved no method that signs transactions'
    if (solanaAccounts(ctx, permitted).length === 0)
      return 'the settlement expected a Solana address of 32 bytes, got none'
  }
  if ((payload.expiresAt ?? 0) <= ctx.at) return 'the settlement expected an expiry in the future, got one in the past'
  return undefined
}
