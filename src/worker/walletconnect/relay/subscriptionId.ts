import { hashMessage } from '../crypto/crypto.ts'

/**
 * What `irn_unsubscribe` names: the client works it out itself and does not need the relay's answer.
 *
 * @param topic 64 hex digits
 * @param clientId with its `did:key:` prefix
 * @returns hex of SHA-256 of both texts together
 */
export function subscriptionId(topic: string, clientId: string): string {
  return hashMessage(topic + clientId)
}
