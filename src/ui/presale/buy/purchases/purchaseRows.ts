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
  type Order,
  type OrderView,
  type SignedOrder,
} from '../../../../events/subjects/order/order.ts'
import type { Purchase } from '../../../../events/subjects/sale/purchase.ts'
import { formatAmount } from '../../../../events/values/amount.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import type { SaleWords } from '../../saleWords.ts'
import { refundUnits, refundWords } from '../order/refusalWords.ts'

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
  /** a payment on its way is no purchase yet, and not in the file */
  isListed: boolean
  /** another payment of the same order landed, too; which of them counts is not certain yet */
  isOneOfTwo?: true
}

/** States of a row, by the name of their texts; those of a payment that gave nothing are open. */
type State = Exclude<keyof SaleWords['order']['rows'], 'missed'>

function stateOf({ order: { rows } }: SaleWords, state: State) {
  const [status, reason] = rows[state]
  const look = state === 'altered' || state === 'failed' ? 'open' : 'hatch'
  return { look, status, reason, isListed: state !== 'sending' && state !== 'unsure' } as const
}

/**
 * @param purchases as read from the chain
 * @param refused reasons for refunds, by signature
 * @returns newest first, each payment once
 */
export function purchaseRows(
  t: SaleWords,
  account: string,
  given: {
    purchases: readonly Purchase[]
    orders: OrderView
    refused: ReadonlyMap<string, RefusedStatus>
    terms: Terms
    /** the sale's result is that it failed: what it had accepted comes back, too */
    isFailed?: boolean
  },
): PurchaseRow[] {
  const { purchases, orders, refused, terms, isFailed = false } = given
  const returned = (
    paid: Pick<PurchaseRow, 'signature' | 'at' | 'asset' | 'units'>,
    [status, why]: [string, string],
  ): PurchaseRow => {
    const reason = `${why} ${refundWords(t, paid, terms)}`
    return { ...paid, quoted: '0', refund: refundUnits(paid, terms), look: 'open', status, reason, isListed: true }
  }
  const told = new Set(purchases.map(purchase => purchase.signature))
  const alarms = new Set(Object.values(orders).flatMap(order => ('alarm' in order && order.alarm?.signature) || []))
  const twice = paidTwice(account, given)
  const oneOfTwo = { reason: t.order.oneOfTwo, isOneOfTwo: true } as const
  const rows = purchases.map((purchase): PurchaseRow => {
    const { signature, paidAt: at, asset, units, quoted } = purchase
    const shared = { signature, at, asset, units }
    if (alarms.has(signature)) return { ...shared, quoted: '0', refund: '0', ...stateOf(t, 'altered') }
    if (purchase.status === 'failed') return { ...shared, quoted: '0', refund: '0', ...stateOf(t, 'failed') }
    const why = refused.get(signature)
    if (why !== undefined) return returned(shared, [t.order.notAccepted, t.order.refused[why]])
    if (isFailed && purchase.status === 'final') return returned(shared, t.order.rows.missed)
    const state = stateOf(t, purchase.status === 'confirmed' ? 'confirmed' : 'final')
    return { ...shared, quoted, refund: '0', ...state, ...(twice.has(purchase.orderId) && oneOfTwo) }
  })
  for (const order of Object.values(orders)) {
    if (!isSigned(order) || order.send || order.account !== account || told.has(order.signed.signature)) continue
    const state = ownState(order)
    if (!state) continue
    const { asset, units, times, quote, signed } = order
    const at = times.seen ?? times.confirmed ?? times.drafted
    const quoted = state === 'altered' ? '0' : quote.quoted
    const shared = { signature: signed.signature, at, asset, units }
    rows.push(
      isFailed && state === 'final'
        ? returned(shared, t.order.rows.missed)
        : {
            ...shared,
            quoted,
            refund: '0',
            ...stateOf(t, state),
            ...(hasLanded(order) && twice.has(order.accepted.orderKey) && oneOfTwo),
          },
    )
  }
  return rows.sort((a, b) => b.at - a.at)
}

/**
 * The order keys under which two payments landed and none is refused yet: which of them counts is certain once both are final.
 */
function paidTwice(
  account: string,
  { purchases, orders, refused }: Pick<Parameters<typeof purchaseRows>[2], 'purchases' | 'orders' | 'refused'>,
): ReadonlySet<string> {
  const byKey = new Map<string, Set<string>>()
  const add = (key: string, signature: string) => byKey.set(key, (byKey.get(key) ?? new Set()).add(signature))
  for (const { orderId, signature, status, fault } of purchases)
    if (status !== 'failed' && fault === undefined && !refused.has(signature)) add(orderId, signature)
  for (const order of Object.values(orders))
    if (hasLanded(order) && !order.send && order.account === account && !refused.has(order.signed.signature))
      add(order.accepted.orderKey, order.signed.signature)
  return new Set([...byKey].flatMap(([key, signatures]) => (signatures.size > 1 ? key : [])))
}

function hasLanded(order: Order): order is SignedOrder {
  return isSigned(order) && !isAlarm(order) && (order.phase === 'confirmed' || isPaid(order))
}

function ownState(order: SignedOrder): State | undefined {
  if (isAlarm(order)) return 'altered'
  if (order.phase === 'unknown') return 'unsure'
  if (order.phase === 'confirmed') return 'confirmed'
  if (isPaid(order)) return 'final'
  return isOpen(order) ? 'sending' : undefined
}

/** @returns the rows as CSV with a header and CRLF line ends (RFC 4180) */
export function purchasesCsv(rows: readonly PurchaseRow[], terms: Terms): string {
  const lines = rows
    .filter(row => row.isListed)
    .map(({ at, asset, units, quoted, refund, status, reason, signature }) => {
      const decimals = terms.assets.find(listed => listed.symbol === asset)?.decimals ?? 0
      const amount = (value: string) => formatAmount(value, decimals, { group: false })
      const tokens = formatAmount(quoted, terms.token.decimals, { group: false })
      const cells = [new Date(at).toISOString(), amount(units), asset, tokens, status, amount(refund)]
      return [...cells, `"${reason}"`, signature].join(',')
    })
  return ['date,paid,asset,quoted,status,refund,reason,signature', ...lines, ''].join('\r\n')
}
