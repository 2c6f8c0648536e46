import type { CoreModel } from '../../../events/app.ts'
import { openOrder } from '../../../events/subjects/order.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'

/**
 * @param at requests that end before do not count, ms; for a log that no core has open, where none ends them
 * @returns whether money may be moving: an order is open, or a wallet may still answer a host's request for a payment. Its
 *   answer would be lost with the log, and the host might pay again
 */
export function moneyUnderWay({ order, request }: Pick<CoreModel, 'order' | 'request'>, at = 0): boolean {
  if (openOrder({ order })) return true
  return Object.values(request).some(
    ({ phase, method, expiresAt }) => phase !== 'ended' && !safeToRetry.has(method) && expiresAt > at,
  )
}
