/** Progress of a request to a wallet over the relay. */
import type { Model } from '../../../../events/app.ts'
import { type Order, walletOf } from '../../../../events/subjects/order/order.ts'
import { relayWords } from '../../../notices/relayWords.ts'
import type { SaleWords } from '../../saleWords.ts'

type Asking = Pick<Model, 'request' | 'relay' | 'network' | 'connection'>

/** @returns the line below "Approve in …"; undefined if no such request is pending, as with an installed wallet */
export function askingWords(t: SaleWords, asking: Asking, order: Order): string | undefined {
  const { request, relay, network, connection } = asking
  const asked = order.phase === 'awaitingSignature' ? request[order.ask.askId] : undefined
  if (asked && asked.phase !== 'ended' && connection.made[order.connectionId]?.phase === 'missing')
    return t.order.askedAway(walletOf(order))
  if (asked?.phase === 'delivered') return t.order.waitingInWallet
  if (asked?.phase !== 'sent') return undefined
  return relayWords(t.relay, relay, network.online, true)?.text ?? t.order.onItsWayToWallet
}
