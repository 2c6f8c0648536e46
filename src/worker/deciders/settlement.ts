/** The settlement: what a wallet approved is checked against what was proposed, and becomes a session and a connection. */
import type { Failure } from '../../events/failure.ts'
import type { Pairing } from '../../events/subjects/pairing.ts'
import type { Ctx, InputData } from '../context.ts'
import { sdkErrors } from '../walletconnect/errors.ts'
import { wcMethods } from '../walletconnect/methods.ts'
import { approvedChains, methodsFor } from '../walletconnect/namespaces.ts'
import { attemptOf, failAttempt } from './attempt.ts'
import { refreshBalance } from './balance.ts'
import { send } from './outbox.ts'
import { proposedNamespaces } from './proposal.ts'
import { readPurchases } from './purchase.ts'
import { watchExpiry } from './session.ts'
import { featuresOf, solanaAccounts } from './sessionScope.ts'
import { unlisten } from './socket.ts'

type Answered = Extract<Pairing, { phase: 'answered' }>
type Payload = InputData<'relay.message'>['payload']

/** Takes a wallet's settlement, or refuses it with the reason on record. */
export function settle(ctx: Ctx, pairing: Answered, payload: Payload): void {
  const { tag, ttl, prompt } = wcMethods.wc_sessionSettle.response
  const answer = { kind: 'publish', topic: pairing.sessionTopic, tag, ttl, prompt } as const
  const problem = settlementProblem(ctx, pairing, payload)
  if (problem !== undefined) {
    const failure: Failure = { code: 'bad_response', message: problem }
    ctx.fact('pairing.rejected', { pairingTopic: pairing.pairingTopic, failure })
    failAttempt(ctx, pairing.attemptId, failure)
    send(ctx, {
      ...answer,
      payload: { error: sdkErrors.INVALID_SESSION_SETTLE_REQUEST, id: payload.id },
      purpose: `delete:${pairing.sessionTopic}`,
    })
    return
  }
  const {
    namespaces = {},
    peer = { name: '', url: '', description: '', icons: [] },
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
    wallet: chosen ?? { walletId: 'walletConnect', name: 'WalletConnect' },
    ...(peer.name === '' ? {} : { peerName: peer.name }),
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
function settlementProblem(ctx: Ctx, pairing: Answered, payload: Payload): string | undefined {
  if (payload.controllerKey !== pairing.responderKey)
    return 'the settlement expected the key of the wallet that answered, got another one'
  // Their form is the driver's matter: what is malformed was not opened
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
