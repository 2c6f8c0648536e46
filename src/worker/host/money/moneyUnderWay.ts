import type { CoreModel } from '../../../events/app.ts'
import { orderOnWay } from '../../../events/subjects/order/orderOnWay.ts'
import { safeToRetry } from '../../walletconnect/session/safeToRetry.ts'

/**
 * @param at requests that end before do not count, ms; for a log that no core has open, where none ends them
 * @returns whether money may be moving: a purchase is open, or a transfer that its wallet was asked for, or a wallet may still
 *   answer a host's request for a payment. Its answer would be lost with the log, and the host might pay again
 */
export function moneyUnderWay({ order, request }: Pick<CoreModel, 'order' | 'request'>, at = 0): boolean {
  if (orderOnWay({ order })) return true
  return Object.values(request).some(
    ({ phase, method, expiresAt }) => phase !== 'ended' && !safeToRetry.has(method) && expiresAt > at,
  )
}
