/** Requests to a WalletConnect session's wallet: recorded first, then sealed and published. */
import type { OutgoingPayload } from '../../../events/effect.ts'
import type { WalletRequest } from '../../../events/subjects/session/requestState.ts'
import type { Failure } from '../../../runtime/failure.ts'
import type { Connection } from '../../../events/subjects/wallet/connection.ts'
import { own } from '../../../runtime/schema/own.ts'
import { type RequestPurpose, referenceText } from '../../../events/values/reference.ts'
import type { Ctx } from '../../core/context.ts'
import { wcMethods } from '../../walletconnect/session/methods.ts'
import { accountsOn } from '../../walletconnect/session/namespaces.ts'
import { requestLife } from '../../walletconnect/time.ts'
import { forgetOutlived } from '../session/forgetOutlived.ts'
import { chainsHere } from '../session/sessionScope.ts'
import { send } from '../relay/outbox.ts'
import { payloadId } from './payloadId.ts'

type SessionAsk = {
  sessionTopic: string
  method: 'solana_signTransaction' | 'solana_signAndSendTransaction'
  purpose: RequestPurpose
  bytesRef: string
  account: string
}

/**
 * Asks a session's wallet to sign. The answer goes to the subject in `purpose`.
 *
 * @returns the request's id
 */
export function askSession(ctx: Ctx, { sessionTopic, method, purpose, bytesRef, account }: SessionAsk): string {
  const requestId = payloadId(ctx)
  const expiresAt = ctx.at + requestLife.default * 1000
  const chainId = requestChain(ctx, sessionTopic, account) ?? ''
  forgetOutlived(ctx)
  ctx.fact('request.sent', { requestId, sessionTopic, method, chainId, purpose: referenceText(purpose), expiresAt })
  const lasting = { requestId, sessionTopic, chainId, sentAt: ctx.at, expiresAt }
  publishRequest(ctx, lasting, { method, bytesRef, pubkey: account })
  ctx.effect('timer.set', { timerId: `request:${requestId}`, at: expiresAt })
  return requestId
}

type Publishable = Pick<WalletRequest, 'requestId' | 'sessionTopic' | 'chainId' | 'sentAt' | 'expiresAt'>
type Content = Extract<OutgoingPayload, { method: 'wc_sessionRequest' }>['request']

/** Seals and publishes a request; a repetition has the same id. The relay stores it as long as it may be answered. */
export function publishRequest(ctx: Ctx, request: Publishable, content: Content): void {
  const { requestId, sessionTopic, chainId, sentAt, expiresAt } = request
  const { tag, prompt } = wcMethods.wc_sessionRequest.request
  send(ctx, {
    kind: 'publish',
    topic: sessionTopic,
    tag,
    ttl: Math.floor((expiresAt - sentAt) / 1000),
    prompt,
    purpose: { kind: 'request', id: requestId },
    payload: {
      method: 'wc_sessionRequest',
      id: requestId,
      chainId,
      expiryTimestamp: Math.floor(expiresAt / 1000),
      request: content,
    },
  })
}

/** @returns why the connection's wallet may not be asked for a payment of this account here, or undefined */
export function askRefusal(
  ctx: Ctx,
  { sessionTopic }: Pick<Connection, 'sessionTopic'>,
  account: string,
): Failure | undefined {
  if (sessionTopic === undefined || requestChain(ctx, sessionTopic, account) !== undefined) return undefined
  const message = 'a payment expected its wallet to have approved the account on this network, it has not'
  return { code: 'unsupported', message, facts: { rule: 'WALLET_NETWORK' } }
}

/** The chain of a request: of this page's network, by a former id too, and approved with this account. */
function requestChain(ctx: Ctx, sessionTopic: string, account: string): string | undefined {
  const namespaces = own(ctx.model.session, sessionTopic)?.namespaces ?? {}
  return chainsHere(ctx, namespaces).find(chain => accountsOn(namespaces, chain).includes(`${chain}:${account}`))
}
