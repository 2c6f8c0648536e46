/**
 * Claims on the sale, from its ledger: tokens of every buyer and referrer, and money to give back.
 *
 * 1. After a failed sale every accepted amount is given back, and no one has tokens.
 * 2. A claim's name, `12:refund`, counts rows of the ledger: it stays the same in every longer ledger.
 */
import type { SaleOutcome } from '../../../src/events/sale/saleOutcome.ts'
import { type LedgerRow, totalsOf } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { Node } from '../node.ts'
import { readSale } from '../books/readSale.ts'
import type { Source, TracedRow } from '../books/trace.ts'
import type { ReadSale } from '../readLedger.ts'
import type { PresaleIo } from '../verb.ts'
import { byOwner } from './merkle.ts'

/** Tokens of one owner, base units. `tokens`: bought and `bonus` together. */
export type Allocation = { owner: string; tokens: bigint; orders: number; bonus: bigint }

/**
 * Units to give back. `of`: the claim's name. `reason`: the payment's status, or `sale_failed`. `source`: undefined where no
 * instruction of the transaction itself paid.
 */
export type RefundClaim = {
  of: string
  asset: string
  units: bigint
  reason: string
  signature: string
  source: Source | undefined
}

/** A proved ledger with its claims. `out`: its rows of transfers out of the treasury. */
export type Books = {
  read: ReadSale
  out: TracedRow[]
  outcome: SaleOutcome
  ledgerHash: string
  allocations: Allocation[]
  refunds: RefundClaim[]
}

/** `second`: its ledger must be the same. `directory`: with the stored ledger. */
type BooksReading = { io: PresaleIo; second?: Node | undefined; directory: string | undefined }

/**
 * @param options `until`: the last slot with rows; absent: the newest final one
 * @throws Fault as `readSale`
 */
export async function readBooks(
  node: Node,
  sale: LedgerSale,
  { until, ...reading }: BooksReading & { until?: number | undefined },
): Promise<Books> {
  const rows: TracedRow[] = []
  const out: TracedRow[] = []
  const onRows = (found: readonly TracedRow[]) => {
    for (const one of found) {
      if (isPayment(one)) rows.push(one)
      if (one.out) out.push(one)
    }
  }
  const read = await readSale(node, sale, { ...reading, until, onRows })
  const { outcome, ledgerHash } = totalsOf(sale, read.state, read.seconds)
  return { read, out, ledgerHash, ...claimsIn(rows, outcome, read.state.bonuses) }
}

/** Claims of the ledger's first rows. `ledgerHash`: after them. `outcome`: as the whole ledger has it. */
export type PartBooks = Omit<Books, 'read' | 'out'>

/**
 * @param count rows that count, from the first one
 * @param options as of `readBooks`
 * @returns undefined when the ledger is not so long
 * @throws Fault as `readSale`
 */
export async function readBooksAt(
  node: Node,
  sale: LedgerSale,
  count: number,
  reading: BooksReading,
): Promise<PartBooks | undefined> {
  const all: TracedRow[] = []
  const read = await readSale(node, sale, { ...reading, onRows: found => void all.push(...found) })
  const rows = all.slice(0, count)
  if (rows.length < count) return undefined
  const last = rows.at(-1)?.row
  const isNewer = last !== undefined && all.slice(count).some(({ row }) => BigInt(row.accepted ?? 0) > 0n)
  // Bonuses come with accepted payments alone
  const { bonuses } = isNewer ? (await readSale(node, sale, { ...reading, until: last.slot })).state : read.state
  const { outcome } = totalsOf(sale, read.state, read.seconds)
  return { ledgerHash: last?.h ?? sale.first.hash, ...claimsIn(rows.filter(isPayment), outcome, bonuses) }
}

function isPayment({ row }: TracedRow): boolean {
  return row.units !== null && row.accepted !== null
}

function claimsIn(
  rows: readonly TracedRow[],
  outcome: SaleOutcome,
  bonuses: ReadonlyMap<string, bigint>,
): Pick<Books, 'outcome' | 'allocations' | 'refunds'> {
  const payments = rows.map(({ row }) => row)
  const allocations = outcome === 'failed' ? [] : allocationsOf(payments, bonuses)
  return { outcome, allocations, refunds: refundsOf(rows, outcome) }
}

function allocationsOf(rows: readonly LedgerRow[], bonuses: ReadonlyMap<string, bigint>): Allocation[] {
  const found = new Map<string, Allocation>()
  const of = (owner: string): Allocation => {
    const allocation = found.get(owner) ?? { owner, tokens: 0n, orders: 0, bonus: 0n }
    found.set(owner, allocation)
    return allocation
  }
  for (const { buyer, tokens } of rows) {
    if (buyer === null || tokens === null || tokens === '0') continue
    const allocation = of(buyer)
    allocation.tokens += BigInt(tokens)
    allocation.orders += 1
  }
  for (const [owner, bonus] of bonuses) {
    const allocation = of(owner)
    allocation.tokens += bonus
    allocation.bonus = bonus
  }
  return byOwner([...found.values()])
}

function refundsOf(rows: readonly TracedRow[], outcome: SaleOutcome): RefundClaim[] {
  return rows.flatMap(({ row: { i, asset, accepted, refund, status, sig }, source }) => {
    if (asset === null) return []
    const claim = { asset, signature: sig, source }
    const [back, taken] = [BigInt(refund ?? 0), outcome === 'failed' ? BigInt(accepted ?? 0) : 0n]
    return [
      ...(back > 0n ? [{ ...claim, of: `${i}:refund`, units: back, reason: status }] : []),
      ...(taken > 0n ? [{ ...claim, of: `${i}:accepted`, units: taken, reason: 'sale_failed' }] : []),
    ]
  })
}
