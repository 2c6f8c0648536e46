import { hashMessage } from '../crypto/crypto.ts'

/**
 * The id in `irn_unsubscribe`: derived by the client, without waiting for the relay's answer.
 *
 * @param topic 64 hex digits
 * @param clientId with its `did:key:` prefix
 * @returns hex of SHA-256 of topic and client id concatenated
 */
export function subscriptionId(topic: string, clientId: string): string {
  return hashMessage(topic + clientId)
}
