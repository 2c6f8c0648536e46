/** Orders of a log that met a limit: their stand-ins have to meet it again. */
import type { LogRecord } from './record.ts'

export type OrderLimits = {
  /** fewest tokens of the orders that were refused because the sale gave fewer */
  refusedQuotes: ReadonlySet<string>
  /** least base units, by asset, of the orders that with the account's others were more than it may pay */
  overLimit: ReadonlyMap<string, bigint>
  /** most payments that may count together against that limit */
  payments: number
}

type Said = {
  orderId?: string
  asset?: string
  units?: string
  min?: string
  failure?: { code: string; facts?: Record<string, string | number> }
}

/** @returns what is known of limits before the first stand-in is drawn */
export function orderLimits(records: readonly LogRecord[]): OrderLimits {
  const orders = new Map<string, Said>()
  const refusedQuotes = new Set<string>()
  const overLimit = new Map<string, bigint>()
  let listed = 0
  for (const record of records) {
    if (record.k !== 'i' && record.k !== 'f' && record.k !== 'r') continue
    const { purchases } = record.data as { purchases?: unknown[] }
    if (Array.isArray(purchases)) listed = Math.max(listed, purchases.length)
    if (record.k !== 'f' || !record.type.startsWith('order.')) continue
    const { orderId = '', failure, asset, units, min } = record.data as Said
    const known = { ...orders.get(orderId) }
    if (record.type === 'order.drafted') Object.assign(known, { asset, units })
    if (record.type === 'order.quoted') Object.assign(known, { min })
    orders.set(orderId, known)
    if (record.type === 'order.gateRefused' && failure?.code === 'stale_quote') refusedQuotes.add(known.min ?? '0')
    if (failure?.facts?.rule !== 'MAX_BUYER' || known.asset === undefined || known.units === undefined) continue
    const before = overLimit.get(known.asset)
    const now = BigInt(known.units)
    if (before === undefined || now < before) overLimit.set(known.asset, now)
  }
  return { refusedQuotes, overLimit, payments: listed + orders.size }
}
