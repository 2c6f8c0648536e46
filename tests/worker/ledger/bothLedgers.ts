import { createVerify } from '../../../src/worker/drivers/walletconnect/verify.ts'
import { computeLedger } from '../../../src/worker/ledger/computeLedger.ts'
import { ledgerLine } from '../../../src/worker/ledger/ledger.ts'
import type { LedgerState } from '../../../src/worker/ledger/ledgerState.ts'
import { type LedgerSale, ledgerSaleOf } from '../../../src/worker/ledger/ledgerSale.ts'
import { type CallNode, scanSale } from '../../../src/worker/ledger/saleHistory.ts'
import type { RandomSale } from './randomSale.ts'

const verify = createVerify()

export type ReadLedger = { sale: LedgerSale; lines: string[]; state: LedgerState; seconds: number }

/** The product's ledger of a sale, read from a node. */
export async function ledgerFrom(call: CallNode, sale: LedgerSale, until?: number): Promise<ReadLedger> {
  const lines: string[] = []
  const scan = await scanSale(call, sale)
  const { state, seconds } = await computeLedger(call, sale, scan, {
    verify,
    ...(until !== undefined && { until }),
    onRows: rows => void lines.push(...rows.map(ledgerLine)),
  })
  return { sale, lines, state, seconds }
}

export function ledgerSaleIn({ documents, admitted }: RandomSale): LedgerSale {
  return ledgerSaleOf(documents, admitted)
}
