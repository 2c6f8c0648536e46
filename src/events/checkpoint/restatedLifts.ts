/**
 * What leads a restated fact of an older build to today's shape. It stands apart from the definitions because a start reads
 * its own checkpoints without loading those.
 */
import type { RestatedRecord } from '../log/record.ts'
import type { Lift } from '../schema/registry.ts'

/** What a wallet altered stood in the failure's facts, addresses among them, before it had a place of its own: it is left out. */
/*#__NO_SIDE_EFFECTS__*/
function orderBefore({ order }: Record<string, any>): Record<string, unknown> {
  const { failure } = order
  if (failure?.facts === undefined || !['wallet_changed_tx', 'account_changed'].includes(failure.code)) return { order }
  return { order: { ...order, failure: { code: failure.code, message: failure.message } } }
}

/** By type, the oldest first; the definition of a type that is here is `lifted(fields, ...restatedLifts[type])`. */
export const restatedLifts: { readonly [type: string]: readonly Lift[] } = {
  // The address was not told
  'relay.restated': [
    ({ relay }) => ({
      relay: relay.phase === 'connecting' || relay.phase === 'connected' ? { ...relay, url: '' } : relay,
    }),
  ],
  // An alarm, and how many endpoints agreed, may stand there
  'order.restated': [orderBefore],
  // A method may be any
  'request.restated': [data => data],
  'connection.attemptRestated': [data => data],
  'pairing.restated': [data => data, data => data],
  // In which life it was read was not told, nor how far the notices reach
  'balance.restated': [data => data],
  'sale.restated': [data => data],
  // Neither its terms nor what is wrong with a payment was told
  'purchase.restated': [data => data],
  // How the wallet can be reached stands there, too
  'auth.restated': [data => data],
  'outbox.restated': [data => data],
  'session.restated': [
    ({ session }) => ({ session: { ...session, transport: 'relay', left: [], heard: {}, chains: {}, calls: {} } }),
    data => data,
    data => data,
    // And one more thing that can be told of where its messages come from
    data => data,
  ],
}

/** Brings a restated fact into today's shape, in place; one of a later version stays as it is. */
export function liftRestated(record: RestatedRecord, table = restatedLifts): RestatedRecord {
  const lifts = Object.hasOwn(table, record.type) ? (table[record.type] ?? []) : []
  for (; record.v >= 1 && record.v <= lifts.length; record.v += 1)
    record.data = lifts[record.v - 1]?.(record.data) ?? {}
  return record
}
