import { Fault } from '../../../runtime/failure.ts'
import { relayRequest } from './jsonrpc.ts'
import type { Publishing } from '../session/methods.ts'

/**
 * Frames from a dapp to the relay. `id` is the relay id, 19 digits as text; a retry sends the same text.
 * The relay's analytics fields (methods, chain, transaction hashes in clear) are omitted: no wallet sees them.
 *
 * @see WalletConnect specs, relay RPC
 */

/** Most topics in one batch. */
const batchSize = 500

type Publication = {
  readonly topic: string
  /** envelope, base64 */
  readonly message: string
  readonly publishing: Publishing
  /** id of the wc payload inside: of the request, or of the request it answers */
  readonly correlationId?: number
  /** origin attestation; empty when there is none, absent where the relay may look one up */
  readonly attestation?: string
}

export function publishFrame(id: string, publication: Publication): string {
  const { topic, message, publishing, correlationId, attestation } = publication
  const { ttl, prompt, tag } = publishing
  const optional = { ...(attestation === undefined ? {} : { attestation }), ...correlation(correlationId) }
  return relayRequest(id, 'irn_publish', { topic, message, ttl, prompt, tag, ...optional })
}

export function subscribeFrame(id: string, topic: string): string {
  return relayRequest(id, 'irn_subscribe', { topic })
}

/** @throws Fault `bad_input` when there are none or more than `batchSize` */
export function batchSubscribeFrame(id: string, topics: readonly string[]): string {
  return relayRequest(id, 'irn_batchSubscribe', { topics: fitting(topics, 'subscribe') })
}

function fitting(topics: readonly string[], what: string): readonly string[] {
  if (topics.length > 0 && topics.length <= batchSize) return topics
  throw new Fault('bad_input', `batch ${what} expected 1 to ${batchSize} topics, got ${topics.length}`)
}

/** Fetches a topic's mailbox; `readFetched` reads the answer. */
export function fetchFrame(id: string, topic: string): string {
  return relayRequest(id, 'irn_fetchMessages', { topic })
}

/** @throws Fault `bad_input` when there are none or more than `batchSize` */
export function batchFetchFrame(id: string, topics: readonly string[]): string {
  return relayRequest(id, 'irn_batchFetchMessages', { topics: fitting(topics, 'fetch') })
}

/** @param subscription see `subscriptionId` */
export function unsubscribeFrame(id: string, topic: string, subscription: string): string {
  return relayRequest(id, 'irn_unsubscribe', { topic, id: subscription })
}

type ProposalFrame = {
  readonly pairingTopic: string
  /** envelope with the `wc_sessionPropose` request */
  readonly sessionProposal: string
  /** id of that request */
  readonly correlationId: number
  /** as in `Publication` */
  readonly attestation?: string
}

/** Subscribes to the pairing topic and publishes the proposal in one request. The relay sets tag and prompt. */
export function proposeFrame(id: string, proposal: ProposalFrame): string {
  const { pairingTopic, sessionProposal, correlationId, attestation } = proposal
  const optional = { ...(attestation === undefined ? {} : { attestation }), ...correlation(correlationId) }
  return relayRequest(id, 'wc_proposeSession', { pairingTopic, sessionProposal, ttl: 300, ...optional })
}

/** A peer's id may be beyond 2^53; it is omitted then. */
function correlation(id: number | undefined): { correlationId?: number } {
  return id !== undefined && Number.isSafeInteger(id) ? { correlationId: id } : {}
}
