import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { Node } from '../node.ts'
import type { HashedPlan } from './batch.ts'
import { paymentOf } from './found.ts'
import type { PlanKind } from '../../../src/worker/services/planFile.ts'

/**
 * A planned payment and, once it is final, its transaction. `units`: base units. `givesBack`: signatures of the payments that a refund
 * is of. `leftOut`: the final payment of its batch, which left it out, and the payment of another plan that has its claims, where one is
 * final.
 */
export type ProvedPayment = {
  plan: string
  kind: PlanKind
  batch: number
  asset: string
  units: string
  account: string
  givesBack?: string[]
  signature: string | null
  slot: number | null
  leftOut?: { by: string; paid: { plan: string; signature: string } | null }
}

type ProvedAsked = {
  of: { wallet: string } | { claims: ReadonlySet<string> }
  slot: number
  signatures: ReadonlyMap<number, string>
}

/**
 * Finds payments on the chain, each held against its plan.
 *
 * @param options `of`: the wallet that is paid, or names of claims such as `12:refund`. `slot`: the last one that counts. `signatures`: of
 *   the ledger's payments, by row
 * @throws Fault as `paymentOf`
 */
export async function provedPayments(
  node: Node,
  sale: LedgerSale,
  plans: readonly HashedPlan[],
  { of, slot, signatures }: ProvedAsked,
): Promise<ProvedPayment[]> {
  const found: { payment: ProvedPayment; claims: string[] }[] = []
  for (const hashed of plans)
    for (const [batch, { asset, rows }] of hashed.plan.batches.entries()) {
      const own = [...rows.entries()].filter(([, row]) =>
        'wallet' in of ? row.owner === of.wallet : row.of.some(one => of.claims.has(one)),
      )
      if (own.length === 0) continue
      const payment = await paymentOf(node.call, sale, hashed, batch, slot)
      const { kind } = hashed.plan
      for (const [at, { units, to, of: claims }] of own) {
        const by = payment?.leftOut?.includes(at) ? payment.signature : undefined
        const { signature = null, slot: paidAt = null } = (by === undefined ? payment : undefined) ?? {}
        const givesBack = claims.flatMap(claim => signatures.get(Number.parseInt(claim, 10)) ?? [])
        const refund = kind === 'refunds' ? { givesBack: [...new Set(givesBack)] } : {}
        const row = { plan: hashed.hash, kind, batch, asset, ...refund, signature, slot: paidAt, units, account: to }
        found.push({ payment: { ...row, ...(by !== undefined && { leftOut: { by, paid: null } }) }, claims })
      }
    }
  return found.map(({ payment, claims }) => {
    const { kind, leftOut } = payment
    if (!leftOut) return payment
    const other = found.find(
      one => one.payment.kind === kind && one.payment.signature !== null && claims.every(of => one.claims.includes(of)),
    )
    const { plan = '', signature } = other?.payment ?? {}
    return { ...payment, leftOut: { ...leftOut, paid: signature ? { plan, signature } : null } }
  })
}
