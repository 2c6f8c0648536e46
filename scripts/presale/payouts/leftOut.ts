/**
 * Rows that a batch's payment leaves out, because their account cannot receive: one recipient holds up no other.
 *
 * 1. A batch still has one payment for ever, so a row that it leaves out is never paid by this plan.
 * 2. The landed payment itself says which rows those are. Without it a claim stays its plan's.
 * 3. A later plan may pay a claim when every earlier plan that has it left it out.
 */
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { AccountInfo } from '../../../src/worker/rpc/answers.ts'
import { readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import type { PlanAsset, PlanRow } from '../../../src/worker/services/planFile.ts'
import type { Node } from '../node.ts'
import { batchOf, type HashedPlan } from './batch.ts'
import { paymentOf } from './found.ts'
import { accountsAt, refusesTransfers } from './payees.ts'

/** @returns places of a batch's rows whose account cannot receive, by the final state that each node has */
export async function closedRows(nodes: readonly Node[], { plan }: HashedPlan, batch: number): Promise<number[]> {
  const { asset, rows } = batchOf(plan, batch)
  const of = plan.assets[asset]
  const addresses = rows.map(({ to }) => to)
  const states = await Promise.all(nodes.map(node => accountsAt(node, addresses)))
  return rows.flatMap((row, at) => (states.every(there => !canReceive(row, of, there.get(row.to))) ? [at] : []))
}

function canReceive(
  { owner, to, units, create }: PlanRow,
  { mint, program }: Partial<PlanAsset> = {},
  account: AccountInfo | null | undefined,
): boolean {
  if (mint === undefined || program === undefined) return BigInt(account?.lamports ?? 0) + BigInt(units) >= rentMinimum
  // An associated account can be created again, another one cannot
  if (!account || account.owner === programs.system) return to === associatedTokenAddress(owner, mint, program)
  const held = readEitherTokenAccount(account, program)
  const isFit = held?.mint === mint && held.owner === owner && !held.frozen
  // No memo stands before the transfer to an account that its batch creates
  return isFit && !refusesTransfers(account, { hasMemo: !create })
}

/** A sentence for an operator who named one node. */
export const aloneText =
  'one node alone says what earlier payments left out, and could have a claim paid twice; name a second one by --rpc2'

/**
 * Finds claims that a plan may pay though earlier plans have them.
 *
 * @param nodes have to agree on each payment
 * @param plans announced
 * @param options `slot`: the last one that counts. `among`: claims to look for; absent: all, which reads every payment of the plans
 * @returns those that landed payments left out, of every plan that has them. @throws Fault as `paymentOf`
 */
export async function claimsLeftOut(
  nodes: readonly Node[],
  sale: LedgerSale,
  plans: readonly HashedPlan[],
  { slot, among }: { slot: number; among?: ReadonlySet<string> },
): Promise<Set<string>> {
  const [left, taken] = [new Set<string>(), new Set<string>()]
  for (const hashed of plans)
    for (const [batch, { rows }] of hashed.plan.batches.entries()) {
      if (among && !rows.some(({ of }) => of.some(claim => among.has(claim)))) continue
      const payments = await Promise.all(nodes.map(node => paymentOf(node.call, sale, hashed, batch, slot)))
      const isOne = new Set(payments.map(payment => payment?.signature)).size === 1
      const places = (isOne && payments[0]?.leftOut) || []
      for (const [at, { of }] of rows.entries()) for (const claim of of) (places.includes(at) ? left : taken).add(claim)
    }
  return new Set([...left].filter(claim => !taken.has(claim)))
}
