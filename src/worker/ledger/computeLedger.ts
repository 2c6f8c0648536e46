import type { Verify } from '../services/signatures.ts'
import { addTransaction, emptyLedger, type LedgerRow, type LedgerState, linkBalances, proveBalances } from './ledger.ts'
import type { LedgerSale } from './ledgerSale.ts'
import type { LedgerTransaction } from './ledgerTransaction.ts'
import { type CallNode, saleHistory, type SaleScan } from './saleHistory.ts'

/** A proved ledger: its state, and chain time (Unix seconds) and balances by asset at its end. */
export type ComputedLedger = { state: LedgerState; seconds: number; balances: ReadonlyMap<string, bigint> }

/** A consumer of rows. */
export type OnRows = (rows: LedgerRow[], transaction: LedgerTransaction) => void | Promise<void>

/**
 * Computes the ledger of a scanned sale.
 *
 * @param options `until`: the last slot with rows, at most the scan's; later transactions complete the proof only.
 *   `onRows` receives the rows of one transaction at a time, with the transaction, and is awaited, so that a consumer sets the
 *   pace; rows are final only when the returned promise is fulfilled. `onRead`: transactions so far
 * @throws Fault when the history is not complete; see `addTransaction`, `proveBalances` and `saleHistory`
 */
export async function computeLedger(
  call: CallNode,
  sale: LedgerSale,
  scan: SaleScan,
  options: {
    verify: Verify
    until?: number
    onRows?: OnRows
    onRead?: (count: number) => void
  },
): Promise<ComputedLedger> {
  const { verify, until = scan.slot, onRows, onRead } = options
  const state = emptyLedger(sale)
  let [read, seconds] = [0, 0]
  let balances: ReadonlyMap<string, bigint> = new Map(state.balances)
  for await (const transaction of saleHistory(call, sale, scan, { verify })) {
    if (transaction.slot > until) linkBalances(state, transaction)
    else {
      const rows = addTransaction(sale, state, transaction)
      seconds = transaction.time ?? seconds
      balances = new Map(state.balances)
      if (rows.length > 0) await onRows?.(rows, transaction)
    }
    read += 1
    onRead?.(read)
  }
  proveBalances(state, scan.balances)
  return { state, seconds: until === scan.slot ? scan.seconds : seconds, balances }
}
