import { useMemo } from 'react'
import { type Verdicts, verdictsOfAccount } from '../../../../events/sale/saleNow.ts'
import { useModel } from '../../../react.tsx'
import type { KnownSale } from '../../sale/saleStatus.ts'
import { useSaleWords } from '../../saleWords.ts'
import { refundsByAmount, refundsPaid } from './payoutRows.ts'
import { type PurchaseRow, purchaseRows } from './purchaseRows.ts'

const none: { rows: PurchaseRow[]; verdicts: Verdicts } = {
  rows: [],
  verdicts: { counted: new Map(), refused: new Map() },
}

/** @returns an account's purchases as rows, and the verdicts on its payments; none without an account */
export function useRows(known: KnownSale | undefined, account: string | undefined): typeof none {
  const t = useSaleWords()
  const orders = useModel(model => model.order)
  const sale = useModel(model => model.sale)
  const purchase = useModel(model => model.purchase)
  const terms = known?.terms
  const isFailed = known?.sale?.state === 'failed'
  return useMemo(() => {
    if (account === undefined) return none
    const verdicts = verdictsOfAccount({ sale, purchase }, account)
    const read = purchase[account]
    const given = {
      purchases: read?.purchases ?? [],
      accounted: read?.accounted,
      paidBack: refundsPaid(read ?? {}),
      ...(isFailed && { cameBack: refundsByAmount(read ?? {}) }),
    }
    return { verdicts, rows: terms ? purchaseRows(t, account, { ...given, orders, verdicts, terms, isFailed }) : [] }
  }, [t, account, terms, sale, purchase, orders, isFailed])
}
