/** Transfers, as the screens for them read the model. */
import { own } from '../../runtime/schema/own.ts'
import { lamportsPerSignature, maxPriorityFee } from '../values/fees.ts'
import { rentMinimum } from '../values/rent.ts'
import type { BalanceView } from './balance.ts'
import { isOpen, isPaid, isSend, type OrderView, type SendOrder } from './order.ts'

/** Decimals of SOL. */
export const solDecimals = 9
/** Most recipients that are remembered. */
const recentKept = 20

/** @returns whom the account paid by transfers, the newest first, each once */
export function recentRecipients(orders: OrderView, account: string): string[] {
  const paid = Object.values(orders).filter(order => isSend(order) && isPaid(order) && order.account === account)
  const all = paid.flatMap(({ send }) => send?.to ?? []).reverse()
  return [...new Set(all)].slice(0, recentKept)
}

/**
 * @param asset SOL or a mint
 * @returns base units that the account can send at most: SOL for the highest fee, and for the rent that an account must hold,
 *   is kept. Undefined while unknown
 */
export function mostSendable(balances: BalanceView, account: string, asset: string): string | undefined {
  const balance = own(balances, account)
  if (asset !== 'SOL') return balance?.tokens?.find(({ mint }) => mint === asset)?.amount
  const { SOL } = balance?.amounts ?? {}
  if (SOL === undefined) return undefined
  const left = BigInt(SOL) - lamportsPerSignature - maxPriorityFee - rentMinimum
  return left > 0n ? String(left) : '0'
}

/** @returns the transfer that the modal shows: the open one, else the newest that the person has not put away */
export function shownSend(orders: OrderView): SendOrder | undefined {
  const sends = Object.values(orders).filter(isSend)
  return sends.find(isOpen) ?? sends.reverse().find(order => order.dismissed !== true)
}
