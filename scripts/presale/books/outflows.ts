/**
 * Transfers out of the sale's accounts, each held against the announced plans.
 *
 * 1. An outflow is a plan's when it names one of its batches by memo and key, and moves what the batch says, to the unit. It may
 *    leave rows out, also all.
 * 2. The second payment of a batch is not the plan's.
 * 3. A plan's nonce accounts, and accounts of its payees that were made again, are its costs.
 * 4. Everything else is unexplained: a withdrawal, or a payment by other means.
 *
 * @see reference "Presale", §7
 */
import { lamportsPerSignature, maxPriorityFee } from '../../../src/events/values/solana/fees.ts'
import { parsePayMemo } from '../../../src/events/sale/payments/operatorMemos.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { keyMark, payRef, presaleRef } from '../../../src/worker/chains/solana/references.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { laneAddress, laneRent } from '../payouts/lanes.ts'
import { leftOutBy } from '../payouts/found.ts'
import { tokenRent } from '../payouts/limits.ts'
import { rentOf, tokenProgram } from '../payouts/payees.ts'
import type { Node } from '../node.ts'
import { mostLanes, type Plan } from '../../../src/worker/services/planFile.ts'
import type { Outgoing, TracedRow } from './trace.ts'

/**
 * An announced plan; without its file what it pays is unknown. `path`: where its file belongs, in the state directory. `isDamaged`:
 * another text is there.
 */
export type AnnouncedPlan = { hash: string; plan: Plan | undefined; path?: string | undefined; isDamaged?: boolean }

/** An amount that left an account of the sale in one transaction. `account`: base58. */
export type Outflow = { signature: string; slot: number; account: string; asset: string; units: bigint; out: Outgoing }

/** `batch`: absent for a plan's costs. `isCompared`: its file is there, and says the same. `leftOut`: places of rows. */
export type Explanation = { plan: string; batch?: number; isCompared: boolean; leftOut?: readonly number[] }

/** An outflow, and the plan that it belongs to; `why` says how it comes near one, or that it does not. */
export type ExplainedOutflow = Outflow & { explained?: Explanation; why?: string }

/** @returns the outflows of a ledger's rows */
export function outflowsIn(rows: readonly TracedRow[], { watched }: LedgerSale): Outflow[] {
  return rows.flatMap(({ row: { sig, slot, asset, units }, out }) => {
    if (!out || asset === null || units === null) return []
    const account = watched.find(one => one.asset === asset)?.address ?? ''
    return [{ signature: sig, slot, account, asset, units: BigInt(units), out }]
  })
}

/**
 * @returns rent of a new account of the sale's token, where the treasury paid for one: extensions of a mint make it larger. While the
 *   mint refuses transfers, that of an account without extensions
 * @throws Fault those of the node
 */
export async function rentMade(node: Node, { first }: LedgerSale, outflows: readonly Outflow[]): Promise<bigint> {
  const { treasury, token } = first.terms
  const { mint, decimals } = token
  const program = tokenProgram(first.terms)
  const isNeeded = outflows.some(({ account, out }) => account === treasury && out.made.length > 0)
  if (!isNeeded || mint === null || program !== programs.token2022) return tokenRent
  try {
    return await rentOf(node, { assets: { [token.symbol]: { decimals, mint, program } } })
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'bad_input') throw cause
    return tokenRent
  }
}

/**
 * @param outflows in the order of the chain, those of one transaction together
 * @param rent of a new account of the sale's token, lamports
 */
export function explainOutflows(
  sale: LedgerSale,
  plans: readonly AnnouncedPlan[],
  outflows: readonly Outflow[],
  rent = tokenRent,
): ExplainedOutflow[] {
  const paidBy = new Map<string, string>()
  const { authority, id } = sale.first.terms
  const mark = keyMark(presaleRef(authority, id))
  return outflows.map(outflow => {
    const found = explanationOf(sale, plans, outflow, mark)
    if (!('plan' in found)) return { ...outflow, ...found }
    const { plan, batch } = found
    const isRefund = plans.some(one => one.hash === plan && one.plan?.kind === 'refunds')
    const why = amountMisfit(outflow, sale, isRefund ? tokenRent : rent)
    if (why !== undefined) return { ...outflow, why }
    const name = `${plan} ${batch}`
    const first = paidBy.get(name) ?? outflow.signature
    if (batch !== undefined && first !== outflow.signature)
      return { ...outflow, why: `batch ${batch} of plan ${plan.slice(0, 16)} was paid before, by ${first}` }
    if (batch !== undefined) paidBy.set(name, outflow.signature)
    return { ...outflow, explained: found }
  })
}

function explanationOf(
  { first }: LedgerSale,
  plans: readonly AnnouncedPlan[],
  { out }: Outflow,
  mark: string,
): Explanation | { why: string } {
  const { memo, moves, made, strange } = out
  if (strange) return { why: 'it has instructions beside those of a payout' }
  const named = memo === null ? undefined : parsePayMemo(memo)
  if (!named) {
    const { treasury } = first.terms
    const costs = plans.find(one => isCost(one, treasury, { moves, made }))
    if (costs) return { plan: costs.hash, isCompared: costs.plan !== undefined }
    return { why: 'it names no plan' }
  }
  const { presale, plan: name, batch } = named
  const plan = plans.find(({ hash }) => hash.startsWith(name))
  if (!plan || presale !== mark) return { why: `it names plan ${name}, which is not announced` }
  if (!moves[0]?.refs.includes(payRef(plan.hash, batch)))
    return { why: `it lacks the key of batch ${batch} of plan ${name}` }
  if (!plan.plan) return { plan: plan.hash, batch, isCompared: false }
  const leftOut = leftOutBy(moves, { plan: plan.plan, hash: plan.hash }, batch)
  if (!leftOut) return { why: `it is not what batch ${batch} of plan ${name} says` }
  return { plan: plan.hash, batch, isCompared: true, ...(leftOut.length > 0 && { leftOut }) }
}

/** A plan's nonce accounts, or accounts of payees that were closed since it was made. */
function isCost(
  { hash, plan }: AnnouncedPlan,
  treasury: string,
  { moves, made }: Pick<Outgoing, 'moves' | 'made'>,
): boolean {
  const [move, ...more] = moves
  if (move && more.length === 0 && made.length === 0) {
    const of = { hash, plan: plan ?? { payer: treasury } }
    const lanes = Array.from({ length: plan?.lanes ?? mostLanes }, (_, lane) => laneAddress(of, lane))
    return lanes.includes(move.to) && move.units === laneRent.toString()
  }
  const payees = new Set(plan?.batches.flatMap(({ rows }) => rows.map(({ to }) => to)))
  return !move && made.length > 0 && made.every(account => payees.has(account))
}

/** Fee of a transaction at most, lamports; two may sign it. */
const mostFee = maxPriorityFee + 2n * lamportsPerSignature

/**
 * @returns how the change of the account differs from what its transaction moves out of it; what it pays itself moves nothing, rents
 *   and fees are its own
 */
function amountMisfit(
  { account, units, out: { moves, made } }: Outflow,
  { first }: LedgerSale,
  rent: bigint,
): string | undefined {
  const out = moves.filter(({ from, to }) => from === account && to !== account)
  const moved = out.reduce((sum, move) => sum + BigInt(move.units), 0n)
  const beside = units - moved
  const most = account === first.terms.treasury ? mostFee + BigInt(made.length) * rent : 0n
  return beside >= 0n && beside <= most ? undefined : `${units} left, its own transfers are ${moved}`
}
