import { Fault } from '../../src/runtime/failure.ts'
import { createVerify } from '../../src/worker/drivers/walletconnect/verify.ts'
import { type ComputedLedger, computeLedger, type OnRows } from '../../src/worker/ledger/computeLedger.ts'
import type { LedgerSale } from '../../src/worker/ledger/ledgerSale.ts'
import { type SaleScan, scanSale } from '../../src/worker/ledger/saleHistory.ts'
import type { Verify } from '../../src/worker/services/signatures.ts'
import type { Node } from './node.ts'
import type { PresaleIo } from './verb.ts'

/** Checks Ed25519 signatures. */
export const verify: Verify = createVerify()

/** A ledger that was read from a node. `slot`: its last one. */
export type ReadSale = ComputedLedger & { scan: SaleScan; slot: number }

/** Lists a sale's transactions, with progress. @throws Fault as `scanSale` */
export async function listSale(node: Node, sale: LedgerSale, io: PresaleIo): Promise<SaleScan> {
  const progress = progressOf(io, `${node.host}: listed`)
  const scan = await scanSale(node.call, sale, count => progress.at(count))
  progress.end(`${scan.lines.length} transactions up to slot ${scan.slot}`)
  return scan
}

/**
 * Computes the ledger from a node, with progress.
 *
 * @param until the last slot with rows; absent: the scan's
 * @throws Fault as `computeLedger`; `bad_input` when the slot is not final yet
 */
export async function readLedger(
  node: Node,
  sale: LedgerSale,
  scan: SaleScan,
  { io, until, onRows }: { io: PresaleIo; until?: number | undefined; onRows?: OnRows },
): Promise<ReadSale> {
  if (until !== undefined && until > scan.slot)
    throw new Fault(
      'bad_input',
      `${node.host}: slot ${until} expected to be final, got ${scan.slot} as the newest final one`,
    )
  const progress = progressOf(io, `${node.host}: read`)
  const computed = await computeLedger(node.call, sale, scan, {
    verify,
    ...(until !== undefined && { until }),
    ...(onRows && { onRows }),
    onRead: count => progress.at(count, scan.lines.length),
  })
  progress.end(`${scan.lines.length} transactions, complete`)
  return { ...computed, scan, slot: until ?? scan.slot }
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
