/**
 * Claims on the sale, from its ledger: tokens of every buyer and referrer, and money to give back.
 *
 * 1. After a failed sale every accepted amount is given back, and no one has tokens.
 * 2. A claim's name, `12:refund`, counts rows of the ledger: it stays the same in every longer ledger.
 */
import type { SaleOutcome } from '../../../src/events/sale/saleOutcome.ts'
import { inflowsIn } from '../../../src/worker/ledger/findings.ts'
import { type LedgerRow, totalsOf } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { LedgerTransaction } from '../../../src/worker/ledger/ledgerTransaction.ts'
import type { Node } from '../node.ts'
import { listSale, readLedger, type ReadSale } from '../readLedger.ts'
import type { PresaleIo } from '../verb.ts'
import { byOwner } from './merkle.ts'

/** Tokens of one owner, base units. `tokens`: bought and `bonus` together. */
export type Allocation = { owner: string; tokens: bigint; orders: number; bonus: bigint }

/** The account that a payment came from, and its owner at that time. */
type Source = { account: string; owner: string }

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

/** @param until the last slot with rows; absent: the newest final one. @throws Fault as `readLedger` */
export async function readBooks(
  node: Node,
  sale: LedgerSale,
  { io, until }: { io: PresaleIo; until?: number | undefined },
): Promise<Books> {
  const scan = await listSale(node, sale, io)
  const rows: LedgerRow[] = []
  const sources = new Map<number, Source>()
  const onRows = (found: LedgerRow[], transaction: LedgerTransaction) => {
    rows.push(...found.filter(({ units, accepted }) => units !== null && accepted !== null))
    for (const [row, source] of sourcesOf(found, transaction, sale)) sources.set(row, source)
  }
  const read = await readLedger(node, sale, scan, { io, until, onRows })
  const { outcome, ledgerHash } = totalsOf(sale, read.state, read.seconds)
  const allocations = outcome === 'failed' ? [] : allocationsOf(rows, read.state.bonuses)
  return { read, outcome, ledgerHash, allocations, refunds: refundsOf(rows, outcome, sources) }
}

/** The instruction that made each payment; payments of one asset have the order of their instructions. */
function sourcesOf(rows: readonly LedgerRow[], transaction: LedgerTransaction, sale: LedgerSale): [number, Source][] {
  const inflows = inflowsIn(transaction, sale).filter(({ units }) => units > 0n)
  return rows.flatMap(({ i, asset, buyer }) => {
    if (buyer === null) return []
    const own = inflows.filter(inflow => inflow.asset === asset)
    const paid = own[rows.filter(row => row.asset === asset && row.i < i).length]
    if (paid?.signer !== buyer) return []
    return [[i, { account: paid.source, owner: transaction.owners.get(paid.source) ?? paid.signer }]]
  })
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
