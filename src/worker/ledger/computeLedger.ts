import type { Verify } from '../services/signatures.ts'
import { addTransaction, type LedgerRow, type LedgerTotals, linkBalances, proveBalances, totalsOf } from './ledger.ts'
import type { LedgerSale } from './ledgerSale.ts'
import { emptyLedger, type LedgerState } from './ledgerState.ts'
import type { LedgerTransaction } from './ledgerTransaction.ts'
import { type CallNode, saleHistory, type SaleScan } from './saleHistory.ts'

/** A ledger's totals at the end of a slot, the balances there by asset, and the referral bonuses by account. */
export type LedgerMark = {
  totals: LedgerTotals
  balances: ReadonlyMap<string, bigint>
  bonuses: ReadonlyMap<string, bigint>
}

/** A proved ledger: its state, and chain time (Unix seconds) and balances by asset at its end. `marked`: the totals at `mark` */
export type ComputedLedger = {
  state: LedgerState
  seconds: number
  balances: ReadonlyMap<string, bigint>
  marked?: LedgerMark
}

/** A ledger up to the end of a slot, from which it can go on: plain values, maps and sets, so that it can be stored. */
export type PartLedger = { slot: number; seconds: number; state: LedgerState; marked?: LedgerMark }

/** A consumer of rows. `state`: after them; it changes afterwards. */
type OnRows = (rows: LedgerRow[], transaction: LedgerTransaction, state: LedgerState) => void | Promise<void>

/**
 * Computes the ledger of a scanned sale.
 *
 * @param options `until`: the last slot with rows, at most the scan's; later transactions complete the proof only.
 *   `onRows` receives the rows of one transaction at a time, with the transaction, and is awaited, so that a consumer sets the
 *   pace; rows are final only when the returned promise is fulfilled. `onRead`: transactions so far. `mark`: a slot whose totals are wanted, too. `ahead`: as
 *   for `saleHistory`. `from`: a part of the same sale's ledger, which goes on in place. `onSlot` receives the part at the end of
 *   each slot; it changes afterwards
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
    from?: PartLedger
    onSlot?: (part: PartLedger) => void
    onRows?: OnRows
    onRead?: (count: number) => void
  },
): Promise<ComputedLedger> {
  const { verify, until = scan.slot, mark = Number.POSITIVE_INFINITY, ahead, from, onSlot, onRows, onRead } = options
  const state = from?.state ?? emptyLedger(sale)
  const lines = scan.lines.filter(line => line.slot > (from?.slot ?? -1))
  let { slot = -1, seconds = 0, marked } = from ?? {}
  let read = scan.lines.length - lines.length
  let balances: ReadonlyMap<string, bigint> = new Map(state.balances)
  const markNow = () => {
    const { balances: left, bonuses } = state
    marked ??= { totals: totalsOf(sale, state, seconds), balances: new Map(left), bonuses: new Map(bonuses) }
  }
  for await (const transaction of saleHistory(
    call,
    sale,
    { lines },
    { verify, ...(ahead !== undefined && { ahead }) },
  )) {
    if (transaction.slot > mark) markNow()
    if (transaction.slot > slot && slot >= 0) onSlot?.({ slot, seconds, state, ...(marked && { marked }) })
    slot = transaction.slot
    if (transaction.slot > until) linkBalances(state, transaction)
    else {
      const rows = addTransaction(sale, state, transaction)
      seconds = transaction.time ?? seconds
      balances = new Map(state.balances)
      if (rows.length > 0) await onRows?.(rows, transaction, state)
    }
    read += 1
    onRead?.(read)
  }
  proveBalances(state, scan.balances)
  if (mark <= scan.slot) markNow()
  return { state, seconds: until === scan.slot ? scan.seconds : seconds, balances, ...(marked && { marked }) }
}
