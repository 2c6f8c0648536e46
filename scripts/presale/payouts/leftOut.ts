/**
 * Rows that a batch's payment leaves out, because their account cannot receive: one recipient holds up no other.
 *
 * 1. A batch still has one payment for ever, so a row that it leaves out is never paid by this plan.
 * 2. The landed payment itself says which rows those are. Without it a claim stays its plan's.
 * 3. A later plan may pay a claim when every earlier plan that has it left it out, or can never be paid.
 * 4. Where no account of a batch can receive, its payment leaves every row out and moves nothing.
 */
import { associatedTokenAddress } from '../../../src/worker/chains/solana/ata.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import type { AccountInfo } from '../../../src/worker/rpc/answers.ts'
import { readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import { claimsOf, type PlanAsset, type PlanRow } from '../../../src/worker/services/planFile.ts'
import type { Node } from '../node.ts'
import { batchOf, type HashedPlan } from './batch.ts'
import { type Payment, paymentOf } from './found.ts'
import { isReserved } from './notWallet.ts'
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
  if (mint === undefined || program === undefined)
    return !isReserved(to) && BigInt(account?.lamports ?? 0) + BigInt(units) >= rentMinimum
  // An associated account can be created again, another one cannot
  if (!account || account.owner === programs.system) return to === associatedTokenAddress(owner, mint, program)
  const held = readEitherTokenAccount(account, program)
  const isFit = held?.mint === mint && held.owner === owner && !held.frozen
  // No memo stands before the transfer to an account that its batch creates
  return isFit && !refusesTransfers(account, { hasMemo: !create })
}

/** `claims`: left out by final payments of every plan that may still pay them. `unseen`: of other claims, which node has no payment. */
export type LeftOutClaims = { claims: ReadonlySet<string>; unseen: ReadonlyMap<string, string> }

/** A sentence for an operator who named one node. */
export const aloneText =
  'one node alone says what earlier payments left out, and could have a claim paid twice; name a second one by --rpc2'

type Seen = (Payment | undefined)[]

/**
 * Finds claims that a plan may pay though earlier plans have them.
 *
 * A plan never pays once an earlier one paid any of its claims; it holds none then.
 *
 * @param nodes have to agree on each payment
 * @param plans announced, of one kind, oldest first
 * @param options `slot`: the last one that counts. `among`: claims to look for; absent: all, which reads every payment of the plans
 * @throws Fault as `paymentOf`
 */
export async function claimsLeftOut(
  nodes: readonly Node[],
  sale: LedgerSale,
  plans: readonly HashedPlan[],
  { slot, among }: { slot: number; among?: ReadonlySet<string> },
): Promise<LeftOutClaims> {
  const [left, taken, unseen] = [new Set<string>(), new Set<string>(), new Map<string, string>()]
  const known = new Map<string, Seen>()
  const seenOf = async (hashed: HashedPlan, batch: number): Promise<Seen> => {
    const name = `${hashed.hash} ${batch}`
    const seen =
      known.get(name) ?? (await Promise.all(nodes.map(node => paymentOf(node.call, sale, hashed, batch, slot))))
    known.set(name, seen)
    return seen
  }
  const voids = new Map<string, boolean>()
  const isVoid = async (hashed: HashedPlan, earlier: readonly HashedPlan[]) => {
    const found = voids.get(hashed.hash) ?? (await paidBefore(hashed, earlier, seenOf))
    voids.set(hashed.hash, found)
    return found
  }
  for (const [place, hashed] of plans.entries())
    for (const [batch, { rows }] of hashed.plan.batches.entries()) {
      if (among && !rows.some(({ of }) => of.some(claim => among.has(claim)))) continue
      const payments = await seenOf(hashed, batch)
      if (payments.every(payment => !payment) && (await isVoid(hashed, plans.slice(0, place)))) continue
      const places = (isOne(payments) && payments[0]?.leftOut) || []
      const lacking = nodes.filter((_, at) => !payments[at]).map(({ host }) => host)
      for (const [at, { of }] of rows.entries())
        for (const claim of of) {
          const isLeft = places.includes(at)
          ;(isLeft ? left : taken).add(claim)
          if (!isLeft && lacking.length > 0)
            unseen.set(claim, `${lacking.join(' and ')} has no final payment of batch ${batch} of plan ${hashed.hash}`)
        }
    }
  return { claims: new Set([...left].filter(claim => !taken.has(claim))), unseen }
}

function isOne(payments: Seen): boolean {
  return new Set(payments.map(payment => payment?.signature)).size === 1
}

/** @returns whether a final payment of an earlier plan pays a claim of this one */
async function paidBefore(
  { plan, hash }: HashedPlan,
  earlier: readonly HashedPlan[],
  seenOf: (hashed: HashedPlan, batch: number) => Promise<Seen>,
): Promise<boolean> {
  const claims = new Set(claimsOf(plan))
  for (const other of earlier.filter(one => one.hash !== hash))
    for (const [batch, { rows }] of other.plan.batches.entries()) {
      const shared = [...rows.entries()].filter(([, { of }]) => of.some(claim => claims.has(claim)))
      const payments = shared.length > 0 ? await seenOf(other, batch) : []
      const [payment] = payments
      if (payment && isOne(payments) && shared.some(([at]) => !payment.leftOut?.includes(at))) return true
    }
  return false
}
