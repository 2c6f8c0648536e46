/** A sale of any size on a local chain in this process, without servers and timers, closed with success. */
import { readTerms } from '../../../../src/events/sale/terms/terms.ts'
import { type LedgerSale, ledgerSaleOf } from '../../../../src/worker/ledger/ledgerSale.ts'
import { type Chain, createChain } from '../../../stack/solana/chain.ts'
import { fillSale, LEAST_ORDERS } from '../../../stack/solana/presale/fill/fill.ts'
import type { Operator } from '../../../stack/solana/presale/operator.ts'
import { saleAccounts } from '../../../stack/solana/presale/saleAccounts.ts'
import { describeSale, setUpSale } from '../../../stack/solana/presale/setup.ts'

const baseUnix = 1_798_848_000

export const leastOrders = LEAST_ORDERS

export type FilledSale = { chain: Chain; operator: Operator; sale: LedgerSale; termsText: string }

/** @param orders about how many transactions the sale has, of all kinds */
export async function filledSale(seed: string, orders: number): Promise<FilledSale> {
  const chain = createChain({ seed, startUnix: baseUnix - 2 * 86_400 })
  const accounts = saleAccounts(seed)
  const sale = describeSale(chain, accounts, baseUnix)
  const operator = setUpSale(chain, accounts, sale)
  await fillSale({ chain, accounts, sale, operator, baseUnix, seed }, { orders, ending: 'closed' })
  const { termsText, termsHash: hash } = sale
  return { chain, operator, sale: ledgerSaleOf([{ terms: readTerms(termsText).terms, hash }]), termsText }
}
