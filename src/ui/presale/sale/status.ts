/** The status of a sale on the page: its state, and how far its payouts are by what is announced and due. */
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { deliveriesOf } from '../../../events/sale/vesting.ts'
import type { KnownSale } from './saleStatus.ts'

/** Every status of a sale whose terms, checkpoint and treasury were read. */
export const saleStatuses = [
  'soon',
  'live',
  'paused',
  'soldOut',
  'ended',
  'success',
  'failed',
  'refunding',
  'distributing',
  'done',
] as const
export type SaleStatus = (typeof saleStatuses)[number]

export function statusOf({ terms, isPlanned }: KnownSale, { state, time }: Sale): SaleStatus {
  if (state === 'succeeded') {
    const parts = deliveriesOf(terms)
    if (!isPlanned || time < parts[0]) return 'success'
    return time < (parts.at(-1) ?? 0) ? 'distributing' : 'done'
  }
  if (state !== 'failed') return state
  return isPlanned ? 'refunding' : 'failed'
}

/** @returns the end of the days within which refunds are promised, ms of chain time */
export function refundsDue({ end, refund }: Terms): number {
  return (end + refund.withinDays * 86_400) * 1000
}
