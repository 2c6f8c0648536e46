import { Fault } from '../../src/runtime/failure.ts'
import { counts } from '../../src/runtime/replay/verdict.ts'
import { type ComputedLedger, computeLedger, type PartLedger } from '../../src/worker/ledger/computeLedger.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import { type SaleScan, scanSale } from '../../src/worker/ledger/saleHistory.ts'
import type { StoredLedger } from './books/storedLedger.ts'
import { type TracedRow, tracedRows } from './books/trace.ts'
import type { Node } from './node.ts'
import { readSaleNotices, type SaleNotices, type SignedNotice } from './operator/saleNotices.ts'
import { checkVersions } from './saleFiles.ts'
import { otherState, type PresaleIo } from './verb.ts'
import { verify } from './verify.ts'

/**
 * A ledger that was read from a node. `slot`: its last one. `transactions`: all up to it, also those of a stored part. `payers`: of each
 * row, in order.
 */
export type ReadSale = ComputedLedger & { slot: number; transactions: number; payers: readonly RowPayer[] }

/** Where the money of row `i` came from: a node's word alone. */
type RowPayer = { i: number; sig: string; source: TracedRow['source'] }

/**
 * Lists a sale's transactions, with progress.
 *
 * @param since the slot up to which all are known
 * @throws Fault as `scanSale`
 */
export async function listSale(node: Node, sale: LedgerSale, io: PresaleIo, since?: number): Promise<SaleScan> {
  const progress = progressOf(io, `${node.host}: listed`)
  const scan = await scanSale(node.call, sale, count => progress.at(count), since)
  const after = since === undefined ? '' : ` after slot ${since}`
  progress.end(`${counts(scan.lines.length, 'transaction')}${after}, up to slot ${scan.slot}`)
  return scan
}

/** A consumer of rows, in order; it may get those of several transactions at once. */
export type OnTraced = (rows: readonly TracedRow[]) => void

type Reading = {
  io: PresaleIo
  until?: number | undefined
  mark?: number | undefined
  stored?: StoredLedger | undefined
  onRows?: OnTraced | undefined
  onPart?: ((part: PartLedger, transactions: number) => void) | undefined
}

/** Slots before the newest final one that are read again next time: a node that answered from a fork does no harm. */
const settledSlots = 64

/**
 * Computes the ledger from a node, with progress.
 *
 * @param options `until`: the last slot with rows; absent: the scan's. `mark`: as in `computeLedger`. `stored`: a part that ends there or
 *   before, whose rows are delivered first; it goes on in place. `onPart` receives a copy of the part that can be stored, which may lack
 *   the newest rows
 * @throws Fault as `computeLedger`; `elsewhere` when the slot is not final yet; as `checkVersions` when versions are missing
 */
export async function readLedger(
  node: Node,
  sale: LedgerSale,
  scan: SaleScan,
  { io, until, mark, stored, onRows, onPart }: Reading,
): Promise<ReadSale> {
  const needed = until ?? mark ?? scan.slot
  if (needed > scan.slot)
    throw otherState(`${node.host}: slot ${needed} expected to be final, got ${scan.slot} as the newest final one`)
  const progress = progressOf(io, `${node.host}: read`)
  const payers: RowPayer[] = []
  const take: OnTraced = rows => {
    for (const { row, source } of rows) payers.push({ i: row.i, sig: row.sig, source })
    onRows?.(rows)
  }
  if (stored) take(stored.rows)
  const lines = scan.lines.filter(({ slot }) => slot > (stored?.part.slot ?? -1))
  const before = stored?.transactions ?? 0
  const settled = lines.filter(({ slot }) => slot <= Math.min(until ?? scan.slot, scan.slot - settledSlots))
  const last = settled.at(-1)?.slot
  let isKept = false
  const keep = (part: PartLedger) => {
    if (part.slot !== last || isKept || !onPart) return
    isKept = true
    onPart(structuredClone({ slot: part.slot, seconds: part.seconds, state: part.state }), before + settled.length)
  }
  const computed = await computeLedger(
    node.call,
    sale,
    { ...scan, lines },
    {
      verify,
      ...(until !== undefined && { until }),
      ...(mark !== undefined && { mark }),
      ...(stored && { from: stored.part }),
      onRows: (rows, transaction) => take(tracedRows(rows, transaction, sale)),
      onSlot: keep,
      onRead: count => progress.at(count, lines.length),
    },
  ).catch(async (cause: unknown) => {
    // The ledger names the first of them
    if (cause instanceof Fault && cause.facts?.rule === 'TERMS_MISSING') {
      const notices = await readSaleNotices(node, sale)
      checkVersions(sale, notices.board.published, withoutTerms(sale, notices))
    }
    throw cause
  })
  // The last slot of all has no next one
  if (last !== undefined && last === lines.at(-1)?.slot)
    keep({ slot: last, seconds: lines.at(-1)?.time ?? computed.seconds, state: computed.state })
  progress.end(`${counts(lines.length, 'transaction')}${stored ? ' after the stored ledger' : ''}, complete`)
  const slot = until ?? scan.slot
  const transactions = before + lines.filter(line => line.slot <= slot).length
  return { ...computed, slot, transactions, payers }
}

/** @returns the way out where a thief of the authority's key announced terms that have no file */
function withoutTerms({ versions }: LedgerSale, { counted }: SaleNotices): string {
  const isUnknown = ({ notice }: SignedNotice) =>
    notice.verb === 'terms' && !versions.some(({ hash }) => hash === notice.hash)
  const slot = counted.find(isUnknown)?.slot ?? 0
  return `. If a thief of the authority's key announced terms without a file, --slot ${slot - 1}, the last one before them, reads the sale by ledger, export, plan, status and prove; refund and distribute pay by --trust-plan`
}

/** A line that a terminal overwrites; elsewhere its end alone is written. */
export function progressOf({ err }: Pick<PresaleIo, 'err'>, what: string) {
  const everyMs = 200
  let saidAt = 0
  return {
    at(count: number, total?: number) {
      if (!err.isTTY || Date.now() - saidAt < everyMs) return
      saidAt = Date.now()
      const part = total === undefined ? `${count}` : `${barOf(count, total)} ${count} of ${total}`
      err.write(`\r${what} ${part} …\u001b[K`)
    },
    end(result: string) {
      err.write(`${err.isTTY ? '\r\u001b[K' : ''}${what} ${result}\n`)
    },
  }
}

/** 20 characters: `[#####...............]`. */
function barOf(count: number, total: number): string {
  const width = 20
  return `[${'#'.repeat(Math.floor((count / Math.max(total, 1)) * width)).padEnd(width, '.')}]`
}
