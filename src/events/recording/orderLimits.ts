/** Orders of a log that met a limit: their stand-ins must meet it again. */
import type { LogRecord } from '../../runtime/log/record.ts'

export type OrderLimits = {
  /** least tokens of orders refused at the press because the sale gave fewer */
  refusedQuotes: ReadonlySet<string>
  /** orders accepted at the press, and refused at the gate because the sale gave fewer by then */
  movedQuotes: readonly MovedQuote[]
  /** least base units, by asset, of orders that exceeded the account's limit together with its others */
  overLimit: ReadonlyMap<string, bigint>
  /** most payments that may count together against that limit */
  payments: number
}

/** State of the sale: the treasury's balances now and at the checkpoint, and the checkpoint's position. */
export type SaleSeen = { balances: Record<string, string>; mark: Record<string, string>; pos: string }

export type MovedQuote = {
  asset: string
  units: string
  quoted: string
  min: string
  before: SaleSeen
  after: SaleSeen
}

type Said = {
  orderId?: string
  asset?: string
  units?: string
  quoted?: string
  min?: string
  before?: SaleSeen
  failure?: { code: string; facts?: Record<string, string | number> }
}
type SaleSaid = {
  balances?: Record<string, string>
  reading?: { balances: Record<string, string> }
  checkpoint?: Mark
  notices?: { checkpoint?: Mark }
}
type Mark = { balances: Record<string, string>; pos: string }

/** @returns the limits of this log, for use before the first stand-in is drawn */
export function orderLimits(records: readonly LogRecord[]): OrderLimits {
  const orders = new Map<string, Said>()
  const refusedQuotes = new Set<string>()
  const movedQuotes: MovedQuote[] = []
  let sale: SaleSeen = { balances: {}, mark: {}, pos: '0' }
  const overLimit = new Map<string, bigint>()
  let listed = 0
  for (const record of records) {
    if (record.k !== 'i' && record.k !== 'f' && record.k !== 'r') continue
    const { purchases, rows } = record.data as { purchases?: unknown[]; rows?: unknown[] }
    for (const all of [purchases, rows]) if (Array.isArray(all)) listed = Math.max(listed, all.length)
    if (record.k !== 'i' && record.type.startsWith('sale.')) sale = saleAfter(sale, record.data as SaleSaid)
    if (record.k !== 'f' || !record.type.startsWith('order.')) continue
    const { orderId = '', failure, asset, units, quoted, min } = record.data as Said
    const known: Said = { ...orders.get(orderId) }
    if (record.type === 'order.drafted') Object.assign(known, { asset, units })
    if (record.type === 'order.quoted') Object.assign(known, { quoted, min, before: sale })
    orders.set(orderId, known)
    if (record.type === 'order.gateRefused' && failure?.code === 'stale_quote') {
      const { before } = known
      if (before) movedQuotes.push({ asset: '', units: '0', quoted: '0', min: '0', ...known, before, after: sale })
      else refusedQuotes.add(String(failure.facts?.min ?? '0'))
    }
    if (failure?.facts?.rule !== 'MAX_BUYER' || known.asset === undefined || known.units === undefined) continue
    const before = overLimit.get(known.asset)
    const now = BigInt(known.units)
    if (before === undefined || now < before) overLimit.set(known.asset, now)
  }
  return { refusedQuotes, movedQuotes, overLimit, payments: listed + orders.size }
}

/** @returns the sale's state after a record with these data */
function saleAfter(sale: SaleSeen, { balances, reading, checkpoint, notices }: SaleSaid): SaleSeen {
  const mark = checkpoint ?? notices?.checkpoint
  return {
    balances: balances ?? reading?.balances ?? sale.balances,
    mark: mark?.balances ?? sale.mark,
    pos: mark?.pos ?? sale.pos,
  }
}
