import { isBeforeWallet, isSend, openOrder, type OrderView } from './order.ts'

/** @returns the order that a new one has to wait for; a transfer that no wallet was asked for gives way */
export function orderOnWay(model: { order: OrderView }): 'transfer' | 'purchase' | undefined {
  const open = openOrder(model)
  if (!open) return undefined
  if (!isSend(open)) return 'purchase'
  return isBeforeWallet(open) ? undefined : 'transfer'
}
