import type { CoreModel } from '../../app.ts'
import { isSettled, soughtMs } from '../sale/invoice.ts'
import { isWatched } from './watchedOrder.ts'

/**
 * @param at ms
 * @returns whether a payment that was asked for here may still be made though nothing waits for it: of an order that the chain is
 *   searched for, or by a code that still counts as payable
 */
export function mayBePaidLate({ order, invoice }: Pick<CoreModel, 'order' | 'invoice'>, at: number): boolean {
  const isPayable = (invoice?.all ?? []).some(one => !isSettled(one) && at - one.openedAt <= soughtMs)
  return isPayable || Object.values(order).some(one => isWatched(one, at))
}
