import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { Node } from '../node.ts'
import type { HashedPlan } from './batch.ts'
import { paymentOf } from './found.ts'
import type { PlanKind } from '../../../src/worker/services/planFile.ts'

/** A planned payment and, once it is final, its transaction. `units`: base units. */
export type ProvedPayment = {
  plan: string
  kind: PlanKind
  batch: number
  asset: string
  units: string
  account: string
  signature: string | null
  slot: number | null
}

/**
 * Finds payments on the chain, each held against its plan.
 *
 * @param of the wallet that is paid, or names of claims such as `12:refund`
 * @param slot the last one that counts
 * @throws Fault as `paymentOf`
 */
export async function provedPayments(
  node: Node,
  sale: LedgerSale,
  plans: readonly HashedPlan[],
  { of, slot }: { of: { wallet: string } | { claims: ReadonlySet<string> }; slot: number },
): Promise<ProvedPayment[]> {
  const found: ProvedPayment[] = []
  for (const hashed of plans)
    for (const [batch, { asset, rows }] of hashed.plan.batches.entries()) {
      const own = [...rows.entries()].filter(([, row]) =>
        'wallet' in of ? row.owner === of.wallet : row.of.some(one => of.claims.has(one)),
      )
      if (own.length === 0) continue
      const payment = await paymentOf(node.call, sale, hashed, batch, slot)
      const { kind } = hashed.plan
      for (const [at, { units, to }] of own) {
        const { signature = null, slot: paidAt = null } = (payment?.leftOut?.includes(at) ? undefined : payment) ?? {}
        found.push({ plan: hashed.hash, kind, batch, asset, signature, slot: paidAt, units, account: to })
      }
    }
  return found
}
