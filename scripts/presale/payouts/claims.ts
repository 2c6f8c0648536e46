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

/** A proved ledger with its claims. */
export type Books = {
  read: ReadSale
  outcome: SaleOutcome
  ledgerHash: string
  allocations: Allocation[]
  refunds: RefundClaim[]
}

/**
 * @param options `until`: the last slot with rows; absent: the newest final one. `directory`: with the stored ledger
 * @throws Fault as `readSale`
 */
export async function readBooks(
  node: Node,
  sale: LedgerSale,
  { io, until, directory }: { io: PresaleIo; until?: number | undefined; directory: string | undefined },
): Promise<Books> {
  const rows: LedgerRow[] = []
  const sources = new Map<number, Source>()
  const onRows = (found: readonly TracedRow[]) => {
    for (const { row, source } of found) {
      if (row.units !== null && row.accepted !== null) rows.push(row)
      if (source) sources.set(row.i, source)
    }
  }
  const read = await readSale(node, sale, { io, directory, until, onRows })
  const { outcome, ledgerHash } = totalsOf(sale, read.state, read.seconds)
  const allocations = outcome === 'failed' ? [] : allocationsOf(rows, read.state.bonuses)
  return { read, outcome, ledgerHash, allocations, refunds: refundsOf(rows, outcome, sources) }
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

function refundsOf(
  rows: readonly LedgerRow[],
  outcome: SaleOutcome,
  sources: ReadonlyMap<number, Source>,
): RefundClaim[] {
  return rows.flatMap(({ i, asset, accepted, refund, status, sig }) => {
    if (asset === null) return []
    const claim = { asset, signature: sig, source: sources.get(i) }
    const [back, taken] = [BigInt(refund ?? 0), outcome === 'failed' ? BigInt(accepted ?? 0) : 0n]
    return [
      ...(back > 0n ? [{ ...claim, of: `${i}:refund`, units: back, reason: status }] : []),
      ...(taken > 0n ? [{ ...claim, of: `${i}:accepted`, units: taken, reason: 'sale_failed' }] : []),
    ]
  })
}
