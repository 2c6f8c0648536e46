import type { Verify } from '../services/signatures.ts'
import {
  addTransaction,
  emptyLedger,
  type LedgerRow,
  type LedgerState,
  type LedgerTotals,
  linkBalances,
  proveBalances,
  totalsOf,
} from './ledger.ts'
import type { LedgerSale } from './ledgerSale.ts'
import { type CallNode, saleHistory, type SaleScan } from './saleHistory.ts'

/** A ledger's totals at the end of a slot, and the balances there by asset. */
export type LedgerMark = { totals: LedgerTotals; balances: ReadonlyMap<string, bigint> }

/** A proved ledger: its state, and chain time (Unix seconds) and balances by asset at its end. `marked`: the totals at `mark` */
export type ComputedLedger = {
  state: LedgerState
  seconds: number
  balances: ReadonlyMap<string, bigint>
  marked?: LedgerMark
}

/**
 * Computes the ledger of a scanned sale.
 *
 * @param options `until`: the last slot with rows, at most the scan's; later transactions complete the proof only.
 *   `onRows` receives the rows of one transaction at a time and is awaited, so that a consumer sets the pace; rows are final only
 *   when the returned promise is fulfilled. `onRead`: transactions so far. `mark`: a slot whose totals are wanted, too. `ahead`: as
 *   for `saleHistory`
 * @throws Fault when the history is not complete; see `addTransaction`, `proveBalances` and `saleHistory`
 */
export async function computeLedger(
  call: CallNode,
  sale: LedgerSale,
  scan: SaleScan,
  options: {
    verify: Verify
    until?: number
    mark?: number
    ahead?: number
    onRows?: (rows: LedgerRow[]) => void | Promise<void>
    onRead?: (count: number) => void
  },
): Promise<ComputedLedger> {
  const { verify, until = scan.slot, mark = Number.POSITIVE_INFINITY, ahead, onRows, onRead } = options
  const state = emptyLedger(sale)
  let [read, seconds] = [0, 0]
  let balances: ReadonlyMap<string, bigint> = new Map(state.balances)
  let marked: LedgerMark | undefined
  const markNow = () => {
    marked ??= { totals: totalsOf(sale, state, seconds), balances: new Map(state.balances) }
  }
  for await (const transaction of saleHistory(call, sale, scan, { verify, ...(ahead !== undefined && { ahead }) })) {
    if (transaction.slot > mark) markNow()
    if (transaction.slot > until) linkBalances(state, transaction)
    else {
      const rows = addTransaction(sale, state, transaction)
      seconds = transaction.time ?? seconds
      balances = new Map(state.balances)
      if (rows.length > 0) await onRows?.(rows)
    }
    read += 1
    onRead?.(read)
  }
  proveBalances(state, scan.balances)
  if (mark <= scan.slot) markNow()
  return { state, seconds: until === scan.slot ? scan.seconds : seconds, balances, ...(marked && { marked }) }
}
