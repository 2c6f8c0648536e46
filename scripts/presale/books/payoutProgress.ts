/** How far the announced plans are paid, as the chain has it. */
import { counts } from '../../../src/runtime/replay/verdict.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { listedUnder } from '../../../src/worker/ledger/saleHistory.ts'
import type { Node } from '../node.ts'
import { batchOf } from '../payouts/batch.ts'
import { readFrom } from '../payouts/found.ts'
import type { Plan } from '../../../src/worker/services/planFile.ts'
import { progressOf } from '../readLedger.ts'
import type { JournalLine } from '../state.ts'
import type { PresaleIo } from '../verb.ts'
import {
  addPaid,
  batchKey,
  claimKey,
  type ClaimState,
  claimStates,
  journalPayments,
  type PaidBatches,
} from './claimStates.ts'
import { type AnnouncedPlan, type ExplainedOutflow, explainOutflows, type Outflow } from './outflows.ts'
import { outgoingIn } from './trace.ts'

/** Units by asset. `leftOut`: by the payment of their batch, for a later plan. `byOthers`: paid by another plan that has the claim. */
type Sums = Record<'paid' | 'left' | 'leftOut' | 'byOthers', Map<string, bigint>>

/** Without its plan's file nothing but the hash is known. */
export type PayoutProgress = AnnouncedPlan & {
  paidBatches: number
  paidRecipients: number
  recipients: number
  sums: Sums
}

/**
 * Counts what is paid of each plan.
 *
 * @param outflows of the treasury, explained
 * @param options `lines`: the journal, whose final payments are not read again. `slot`: the last one that counts
 * @returns progress by plan, and the outflows of the accounts that tokens are paid from, explained
 */
export async function payoutProgress(
  node: Node,
  sale: LedgerSale,
  { plans, outflows }: { plans: readonly AnnouncedPlan[]; outflows: readonly ExplainedOutflow[] },
  { io, lines, slot }: { io: PresaleIo; lines: readonly JournalLine[]; slot: number },
): Promise<{ progress: PayoutProgress[]; tokenOutflows: ExplainedOutflow[] }> {
  const paid = journalPayments(lines)
  const known = new Set([...paid.values()].map(({ signature }) => signature))
  const found = explainOutflows(sale, plans, await tokenOutflowsOf(node, sale, plans, { io, known, slot }))
  addPaid(paid, [...outflows, ...found])
  const claims = claimStates(plans, paid)
  return { progress: plans.map(one => progressIn(one, paid, claims)), tokenOutflows: found }
}

function progressIn(
  announced: AnnouncedPlan,
  paid: PaidBatches,
  claims: ReadonlyMap<string, ClaimState>,
): PayoutProgress {
  const { hash, plan } = announced
  const sums: Sums = { paid: new Map(), left: new Map(), leftOut: new Map(), byOthers: new Map() }
  let [paidBatches, paidRecipients, recipients] = [0, 0, 0]
  for (const batch of plan?.batches.keys() ?? []) {
    const { asset, rows } = batchOf(plan as Plan, batch)
    const leftOut = paid.get(batchKey(hash, batch))?.leftOut
    for (const [at, { of, units }] of rows.entries()) {
      const isPaid = leftOut !== undefined && !leftOut.includes(at)
      const isByOthers = !isPaid && of.every(claim => isPaidClaim(claims, plan as Plan, claim))
      const side = sums[isPaid ? 'paid' : isByOthers ? 'byOthers' : leftOut ? 'leftOut' : 'left']
      side.set(asset, (side.get(asset) ?? 0n) + BigInt(units))
      if (isPaid) paidRecipients += 1
    }
    recipients += rows.length
    if (leftOut) paidBatches += 1
  }
  return { ...announced, paidBatches, paidRecipients, recipients, sums }
}

function isPaidClaim(claims: ReadonlyMap<string, ClaimState>, { kind }: Plan, claim: string): boolean {
  return claims.get(claimKey(kind, claim))?.state === 'paid'
}

/**
 * Units of refunds by asset: paid by announced plans, still owed, and paid beyond all that was to give back. `isWhole`: false while
 * the file of an announced plan is missing; then more may be paid, and less owed.
 */
export type RefundSums = { isWhole: boolean; assets: Record<string, { paid: bigint; owed: bigint; excess: bigint }> }

/** @param all units to give back in all, by asset */
export function refundSums(
  all: Readonly<Record<string, bigint>>,
  payouts: readonly { plan: PayoutProgress['plan']; sums: Pick<Sums, 'paid'> }[],
): RefundSums {
  const refunds = payouts.filter(({ plan }) => plan?.kind === 'refunds')
  const assets: RefundSums['assets'] = {}
  for (const asset of new Set([...Object.keys(all), ...refunds.flatMap(({ sums }) => [...sums.paid.keys()])])) {
    const paid = refunds.reduce((sum, { sums }) => sum + (sums.paid.get(asset) ?? 0n), 0n)
    const left = (all[asset] ?? 0n) - paid
    assets[asset] = { paid, owed: left > 0n ? left : 0n, excess: left < 0n ? -left : 0n }
  }
  return { isWhole: payouts.every(({ plan }) => plan !== undefined), assets }
}

/** Outflows of each account that a plan pays tokens from, the oldest first, without those of known signatures. */
async function tokenOutflowsOf(
  node: Node,
  sale: LedgerSale,
  plans: readonly AnnouncedPlan[],
  { io, known, slot }: { io: PresaleIo; known: ReadonlySet<string>; slot: number },
): Promise<Outflow[]> {
  const accounts = new Map<string, { plan: Plan; asset: string }>()
  for (const { plan } of plans)
    for (const [asset, { source }] of plan?.kind === 'tokens' ? Object.entries(plan.assets) : [])
      if (source !== undefined && plan) accounts.set(source, { plan, asset })
  const found: Outflow[] = []
  for (const [account, of] of accounts) {
    const progress = progressOf(io, `${node.host}: read of ${account}`)
    const signatures: string[] = []
    for await (const { signature, failed } of listedUnder(node.call, account, slot))
      if (!failed && !known.has(signature)) signatures.push(signature)
    for (const [at, signature] of signatures.reverse().entries()) {
      progress.at(at + 1, signatures.length)
      const { transaction } = (await readFrom(node.call, sale, of, signature)) ?? {}
      const [change] = transaction?.balances ?? []
      const units = change ? change.before - change.after : 0n
      const out = transaction && outgoingIn(transaction)
      // A payment that leaves every row out moves nothing, by the payer's own signature
      const isOut = units > 0n || (units === 0n && out?.moves[0]?.from === of.plan.payer)
      if (transaction && out && isOut)
        found.push({ signature, slot: transaction.slot, account, asset: of.asset, units, out })
    }
    progress.end(counts(signatures.length, 'transaction'))
  }
  return found
}
