/** Transfers, as the screens for them read the model. */
import { own } from '../../../runtime/schema/own.ts'
import { lamportsPerSignature, maxPriorityFee } from '../../values/solana/fees.ts'
import { rentMinimum } from '../../values/solana/rent.ts'
import type { BalanceView } from '../sale/balance.ts'
import { activeConnection } from '../wallet/activeConnection.ts'
import { type ConnectionView } from '../wallet/connection.ts'
import { isBeforeWallet, isOpen, isPaid, isSend, orderKeyOf, type OrderView, type SendOrder } from './order.ts'
import type { OrderPhase } from './orderState.ts'
import type { SaleView } from '../sale/sale.ts'
import type { ScreenView, SendDraft } from '../page/screen.ts'

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

/** @returns the same, but before its wallet was asked only on the page that requested it: another page's was not reviewed here */
export function ownSend({ order, screen }: { order: OrderView; screen: ScreenView }): SendOrder | undefined {
  const shown = shownSend(order)
  return shown && (!isBeforeWallet(shown) || orderKeyOf(shown) === screen.send?.orderKey) ? shown : undefined
}

/** @returns the same, or the one of this page's last request, which another tab may have put away: it was sent all the same */
export function standingSend(model: { order: OrderView; screen: ScreenView }): SendOrder | undefined {
  const { orderKey } = model.screen.send ?? {}
  const ofKey = (order: SendOrder) => orderKey !== undefined && orderKeyOf(order) === orderKey
  return ownSend(model) ?? Object.values(model.order).filter(isSend).filter(ofKey).at(-1)
}

/**
 * @returns the transfer that is being written, if there is one: another account or connection begins anew, and one that the
 *   chain took is done with
 */
export function sendDraft(model: {
  connection: ConnectionView
  order: OrderView
  screen: ScreenView
}): SendDraft | undefined {
  const active = activeConnection(model)
  const { send } = model.screen
  const isOurs = send?.account === active?.account && send?.madeAt === active?.connection.madeAt
  return send && isOurs && !isTaken(model.order, send) ? send : undefined
}

/** Phases in which the chain shows a transfer, and took it. */
const takenPhases: ReadonlySet<OrderPhase> = new Set(['seen', 'confirmed', 'finalised', 'accounted'])

function isTaken(orders: OrderView, { orderKey }: SendDraft): boolean {
  return Object.values(orders).some(
    order => orderKey !== undefined && orderKeyOf(order) === orderKey && takenPhases.has(order.phase),
  )
}

/** @returns whether the address takes the sale's payments, or is its authority's: a bare transfer there buys nothing */
export function isOfSale({ terms }: Pick<SaleView, 'terms'>, to: string): boolean {
  return terms.phase === 'read' && (to === terms.terms.treasury || to === terms.terms.authority)
}
