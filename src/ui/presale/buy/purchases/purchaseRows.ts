/**
 * An account's purchases as table rows: those read from the chain, then orders of this device it does not list yet. No row is
 * solid: only the ledger says what the sale gave for a payment.
 */
import type { RefusedStatus } from '../../../../events/sale/payments/payments.ts'
import {
  isAlarm,
  isOpen,
  isPaid,
  isSigned,
  type OrderView,
  type SignedOrder,
} from '../../../../events/subjects/order.ts'
import type { Purchase } from '../../../../events/subjects/purchase.ts'
import { formatAmount } from '../../../../events/values/amount.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { refundUnits, refundWords, refusalVerdicts } from '../order/refusalWords.ts'

/** `at` in ms; `units` of `asset`; `quoted` in token base units; `refund` in units. `look`: the swatch. */
export type PurchaseRow = {
  signature: string
  at: number
  asset: string
  units: string
  quoted: string
  refund: string
  look: 'hatch' | 'open'
  status: string
  reason: string
}

const sending = { look: 'hatch', status: 'On its way', reason: 'Not final yet' } as const
const unsure = { look: 'hatch', status: 'Not known yet', reason: 'Looking for the payment' } as const
const onItsWay = { look: 'hatch', status: 'Confirmed', reason: 'Final in seconds' } as const
const final = { look: 'hatch', status: 'Final', reason: 'No result yet' } as const
const altered = { look: 'open', status: 'Not as agreed', reason: 'Your wallet signed something else' } as const
const failed = { look: 'open', status: 'Refused', reason: 'Only the fee was charged' } as const

/**
 * @param purchases as read from the chain
 * @param refused reasons for refunds, by signature
 * @returns newest first, each payment once
 */
export function purchaseRows(
  account: string,
  given: {
    purchases: readonly Purchase[]
    orders: OrderView
    refused: ReadonlyMap<string, RefusedStatus>
    terms: Terms
  },
): PurchaseRow[] {
  const { purchases, orders, refused, terms } = given
  const told = new Set(purchases.map(purchase => purchase.signature))
  const alarms = new Set(Object.values(orders).flatMap(order => ('alarm' in order && order.alarm?.signature) || []))
  const rows = purchases.map((purchase): PurchaseRow => {
    const { signature, paidAt: at, asset, units, quoted } = purchase
    const shared = { signature, at, asset, units }
    if (alarms.has(signature)) return { ...shared, quoted: '0', refund: '0', ...altered }
    if (purchase.status === 'failed') return { ...shared, quoted: '0', refund: '0', ...failed }
    const why = refused.get(signature)
    if (why === undefined)
      return { ...shared, quoted, refund: '0', ...(purchase.status === 'confirmed' ? onItsWay : final) }
    const reason = `${refusalVerdicts[why]} ${refundWords({ asset, units, at }, terms)}`
    const refund = refundUnits(purchase, terms)
    return { ...shared, quoted: '0', refund, look: 'open', status: 'Not accepted', reason }
  })
  for (const order of Object.values(orders)) {
    if (!isSigned(order) || order.send || order.account !== account || told.has(order.signed.signature)) continue
    const state = ownState(order)
    if (!state) continue
    const { asset, units, times, quote, signed } = order
    const at = times.seen ?? times.confirmed ?? times.drafted
    const quoted = state === altered ? '0' : quote.quoted
    rows.push({ signature: signed.signature, at, asset, units, quoted, refund: '0', ...state })
  }
  return rows.sort((a, b) => b.at - a.at)
}

function ownState(order: SignedOrder) {
  if (isAlarm(order)) return altered
  if (order.phase === 'unknown') return unsure
  if (order.phase === 'confirmed') return onItsWay
  if (isPaid(order)) return final
  return isOpen(order) ? sending : undefined
}

/** A payment on its way is no purchase yet. */
function isListed({ status }: PurchaseRow): boolean {
  return status !== sending.status && status !== unsure.status
}

/** @returns the rows as CSV with a header and CRLF line ends (RFC 4180) */
export function purchasesCsv(rows: readonly PurchaseRow[], terms: Terms): string {
  const lines = rows.filter(isListed).map(({ at, asset, units, quoted, refund, status, reason, signature }) => {
    const decimals = terms.assets.find(listed => listed.symbol === asset)?.decimals ?? 0
    const amount = (value: string) => formatAmount(value, decimals, { group: false })
    const tokens = formatAmount(quoted, terms.token.decimals, { group: false })
    const cells = [new Date(at).toISOString(), amount(units), asset, tokens, status, amount(refund)]
    return [...cells, `"${reason}"`, signature].join(',')
  })
  return ['date,paid,asset,quoted,status,refund,reason,signature', ...lines, ''].join('\r\n')
}
