/** An account's purchases as lines of a table: what the chain tells, and what this device saw happen since. */
import type { Order, OrderView } from '../../events/subjects/order.ts'
import type { Purchase } from '../../events/subjects/purchase.ts'
import { formatAmount } from '../../events/values/amount.ts'
import type { Terms } from '../../events/values/termsShape.ts'

/** `at` in ms; `units` of `asset`, `tokens` in base units. `look` as in the page's grammar. */
export type PurchaseRow = {
  signature: string
  at: number
  asset: string
  units: string
  tokens: string
  look: 'solid' | 'hatch' | 'open'
  status: string
  reason: string
}

const onItsWay = { look: 'hatch', status: 'Confirmed', reason: 'Final in seconds' } as const
const final = { look: 'hatch', status: 'Final', reason: 'Counted at the next checkpoint' } as const
const counted = { look: 'solid', status: 'Counted', reason: '' } as const
const failed = { look: 'open', status: 'Refused', reason: 'Only the fee was charged' } as const

/**
 * @param purchases as the chain tells them
 * @param checkpointSlot slot of the newest audited checkpoint, 0 when there is none
 * @returns newest first, each payment once
 */
export function purchaseRows(
  account: string,
  { purchases, orders, checkpointSlot }: { purchases: readonly Purchase[]; orders: OrderView; checkpointSlot: number },
): PurchaseRow[] {
  const told = new Set(purchases.map(purchase => purchase.signature))
  const rows = purchases.map((purchase): PurchaseRow => {
    const { signature, paidAt: at, asset, units, slot } = purchase
    if (purchase.status === 'failed') return { signature, at, asset, units, tokens: '0', ...failed }
    const state = purchase.status === 'confirmed' ? onItsWay : slot <= checkpointSlot ? counted : final
    return { signature, at, asset, units, tokens: purchase.quoted, ...state }
  })
  for (const order of Object.values(orders)) {
    const state = ownState(order, checkpointSlot)
    if (!state || order.account !== account || order.signature === undefined || told.has(order.signature)) continue
    const { signature, asset, units, times } = order
    rows.push({
      signature,
      at: times.seen ?? times.confirmed ?? times.drafted ?? 0,
      asset,
      units,
      tokens: order.quoted ?? '0',
      ...state,
    })
  }
  return rows.sort((a, b) => b.at - a.at)
}

function ownState(order: Order, checkpointSlot: number) {
  switch (order.phase) {
    case 'confirmed':
      return onItsWay
    case 'finalised':
      return (order.slot ?? Number.POSITIVE_INFINITY) <= checkpointSlot ? counted : final
    case 'accounted':
      return counted
    default:
      return undefined
  }
}

/** @returns credits of all rows that were not refused: what counts toward the limit per wallet */
export function boughtCredits(rows: readonly PurchaseRow[], terms: Terms): bigint {
  let sum = 0n
  for (const { asset, units, look } of rows) {
    const rate = terms.assets.find(listed => listed.symbol === asset)?.creditsPerUnit
    if (rate !== undefined && look !== 'open') sum += BigInt(units) * BigInt(rate)
  }
  return sum
}

/** @returns the rows as comma-separated text with a header, lines ended as the format wants (RFC 4180) */
export function purchasesCsv(rows: readonly PurchaseRow[], terms: Terms): string {
  const lines = rows.map(({ at, asset, units, tokens, status, signature }) => {
    const decimals = terms.assets.find(listed => listed.symbol === asset)?.decimals ?? 0
    const amount = formatAmount(units, decimals, { group: false })
    const got = formatAmount(tokens, terms.token.decimals, { group: false })
    return [new Date(at).toISOString(), amount, asset, got, status, signature].join(',')
  })
  return ['date,paid,asset,tokens,status,signature', ...lines, ''].join('\r\n')
}
