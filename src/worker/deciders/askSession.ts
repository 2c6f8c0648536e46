/** Asking a WalletConnect session's wallet to sign: written down first, then sealed and published. */
import type { WalletMethod, WalletRequest } from '../../events/subjects/request.ts'
import type { Ctx } from '../context.ts'
import { wcMethods } from '../walletconnect/methods.ts'
import { approvedChains } from '../walletconnect/namespaces.ts'
import { requestLife } from '../walletconnect/time.ts'
import { send } from './outbox.ts'
import { payloadId } from './payloadId.ts'

export type Asking = {
  sessionTopic: string
  method: 'solana_signTransaction' | 'solana_signAndSendTransaction'
  purpose: string
  bytesRef: string
  account: string
}

/**
 * Asks a session's wallet to sign. The answer comes to the subject that `purpose` names.
 *
 * @returns the request's id
 */
export function askSession(ctx: Ctx, { sessionTopic, method, purpose, bytesRef, account }: Asking): string {
  const session = ctx.model.session[sessionTopic]
  const requestId = payloadId(ctx)
  const expiresAt = ctx.at + requestLife.default * 1000
  const chainId = requestChain(ctx, session?.namespaces ?? {})
  ctx.fact('request.sent', { requestId, sessionTopic, method, chainId, purpose, expiresAt })
  publishRequest(ctx, { requestId, sessionTopic, method, chainId, expiresAt }, bytesRef, account)
  ctx.effect('timer.set', { timerId: `request:${requestId}`, at: expiresAt })
  return requestId
}

type Publishable = Pick<WalletRequest, 'requestId' | 'sessionTopic' | 'chainId' | 'expiresAt'> & {
  method: WalletMethod
}

/** Seals and publishes a request; the same request again is the same id. */
export function publishRequest(
  ctx: Ctx,
  { requestId, sessionTopic, method, chainId, expiresAt }: Publishable,
  bytesRef: string,
  account: string,
): void {
  if (method === 'solana_signMessage') return
  const { tag, ttl, prompt } = wcMethods.wc_sessionRequest.request
  send(ctx, {
    kind: 'publish',
    topic: sessionTopic,
    tag,
    ttl,
    prompt,
    purpose: `request:${requestId}`,
    payload: {
      method: 'wc_sessionRequest',
      id: requestId,
      chainId,
      expiryTimestamp: Math.floor(expiresAt / 1000),
      request: { method, bytesRef, pubkey: account },
    },
  })
}

/** The chain a request names: the one the RPC serves when it was approved, else the first approved Solana chain. */
function requestChain(ctx: Ctx, namespaces: Parameters<typeof approvedChains>[0]): string {
  const approved = approvedChains(namespaces).filter(chain => chain.startsWith('solana:'))
  const { network } = ctx.model
  if (network.phase === 'identified' && approved.includes(network.caip2)) return network.caip2
  return approved[0] ?? ''
}
