/**
 * Lifts of restated facts that older builds wrote. They stand apart from the definitions because a start reads its own
 * checkpoints without loading those.
 */
import type { RestatedRecord } from '../log/record.ts'
import type { Lift } from '../schema/registry.ts'

/** Older builds put a wallet's changes, addresses among them, into the failure's facts: the lift drops them. */
/*#__NO_SIDE_EFFECTS__*/
function orderBefore({ order }: Record<string, any>): Record<string, unknown> {
  const { phase, failure } = order
  const isRefused = phase === 'gateRefused' || ['wallet_changed_tx', 'account_changed'].includes(failure?.code)
  if (failure?.facts === undefined || !isRefused) return { order }
  return { order: { ...order, failure: { code: failure.code, message: failure.message } } }
}

/** An ended request kept the time of its turn. */
/*#__NO_SIDE_EFFECTS__*/
function requestBefore({ request }: Record<string, any>): Record<string, unknown> {
  if (request.phase !== 'ended') return { request }
  const { askAt: _, ...ended } = request
  return { request: ended }
}

/** Lifts by type, oldest first; a type listed here is defined as `lifted(fields, ...restatedLifts[type])`. */
export const restatedLifts: { readonly [type: string]: readonly Lift[] } = {
  // The address was not recorded
  'relay.restated': [
    ({ relay }) => ({
      relay: relay.phase === 'connecting' || relay.phase === 'connected' ? { ...relay, url: '' } : relay,
    }),
  ],
  // Added: an alarm, and the number of endpoints that agreed
  'order.restated': [orderBefore],
  // Any method is allowed.
  'request.restated': [data => data, requestBefore],
  'connection.attemptRestated': [data => data],
  'pairing.restated': [data => data, data => data],
  // Added: the life of the reading, and the reach of the notices
  'balance.restated': [data => data],
  'sale.restated': [data => data],
  // Added: a payment's terms, and what is wrong with it
  'purchase.restated': [data => data],
  // Added: how to reach the wallet. Then: each phase has its own fields only, which the same texts satisfy
  'auth.restated': [data => data, data => data],
  'outbox.restated': [data => data],
  'session.restated': [
    ({ session }) => ({ session: { ...session, transport: 'relay', left: [], heard: {}, chains: {}, calls: {} } }),
    data => data,
    data => data,
    // Added: one more verdict on where its messages come from
    data => data,
  ],
}

/** Lifts a restated fact to today's shape, in place; a later version stays as it is. */
export function liftRestated(record: RestatedRecord, table = restatedLifts): RestatedRecord {
  const lifts = Object.hasOwn(table, record.type) ? (table[record.type] ?? []) : []
  for (; record.v >= 1 && record.v <= lifts.length; record.v += 1)
    record.data = lifts[record.v - 1]?.(record.data) ?? {}
  return record
}
