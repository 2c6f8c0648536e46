/** Progress of a request to a wallet over the relay. */
import type { Model } from '../../../../events/app.ts'
import { type Order, walletOf } from '../../../../events/subjects/order.ts'
import { relayWords } from '../../../relayWords.ts'

/** @returns the line below "Approve in …"; undefined if no such request is pending, as with an installed wallet */
export function askingWords({ request, relay, network, connection }: Model, order: Order): string | undefined {
  const asked = order.phase === 'awaitingSignature' ? request[order.ask.askId] : undefined
  if (asked && asked.phase !== 'ended' && connection.made[order.connectionId]?.phase === 'missing')
    return `${walletOf(order)} was asked, but this page cannot receive its answer now. The answer counts once it can, and it is not asked twice.`
  if (asked?.phase === 'delivered') return 'Waiting in your wallet. Open it to approve.'
  if (asked?.phase !== 'sent') return undefined
  return relayWords(relay, network.online, true)?.text ?? 'On its way to your wallet.'
}
