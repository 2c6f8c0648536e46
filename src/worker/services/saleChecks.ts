import { type BackendName, memberIn } from '../../events/sale/backend.ts'
import type { SaleView } from '../../events/subjects/sale/sale.ts'
import type { DecodedTransaction } from '../../events/values/solana/transaction.ts'
import { checkSigned, type ExpectedOrder, type OrderCheck } from '../chains/solana/check.ts'

/** The part of a sale's backend that the core compares transactions with; pure. */
export type SaleChecks = {
  /** @returns every difference between what was agreed and what a wallet signed, or what landed */
  checkSigned(decoded: DecodedTransaction, agreed: ExpectedOrder): OrderCheck
}

export const saleChecks: Record<BackendName, SaleChecks> = {
  direct: { checkSigned },
}

/** @returns the comparison of an order: a purchase's by the backend of its sale; a transfer is compared as such */
export function signedCheckOf({ terms }: SaleView, order: { send?: unknown }): SaleChecks['checkSigned'] {
  const checks = !order.send && terms.phase === 'read' ? memberIn(saleChecks, terms.terms) : undefined
  // Compares with the agreed transaction to the letter, so it lets nothing of an unknown backend pass
  return checks ? checks.checkSigned : checkSigned
}
