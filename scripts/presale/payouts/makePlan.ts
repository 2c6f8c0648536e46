import { Fault } from '../../../src/runtime/failure.ts'
import type { Terms } from '../../../src/events/sale/terms/terms.ts'
import { tranchesOf } from '../../../src/events/sale/vesting.ts'
import { lamportsPerSignature } from '../../../src/events/values/solana/fees.ts'
import { refused } from '../../../src/main/replay/verb.ts'
import { presaleRef } from '../../../src/worker/chains/solana/references.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import type { LedgerSale } from '../../../src/worker/ledger/ledgerSale.ts'
import { readEitherTokenAccount } from '../../../src/worker/rpc/sendable.ts'
import type { Node } from '../node.ts'
import { otherState } from '../verb.ts'
import { batchOf, packed } from './batch.ts'
import type { Allocation, Books, RefundClaim } from './claims.ts'
import { laneRent } from './lanes.ts'
import { costOf } from './limits.ts'
import { maySign } from './notWallet.ts'
import {
  accountsAt,
  type Approvals,
  type Due,
  payeesOf,
  refundsDue,
  saleMint,
  tokenProgram,
  tokensDue,
} from './payees.ts'
import {
  type ApartRow,
  claimsOf,
  type Plan,
  type PlanAsset,
  type PlanBatch,
  signersOf,
} from '../../../src/worker/services/planFile.ts'

/**
 * `reserve`: the token account that pays tokens. `feePayer`: pays fees in place of the owner of the money. `earlier`: announced plans,
 * whose claims are theirs but for those that their payments left out.
 */
export type PlanAsked = {
  lanes: number
  feePayer?: string | undefined
  earlier: readonly Plan[]
  leftOut: ReadonlySet<string>
} & ({ kind: 'tokens'; tranche: number; reserve: string } | { kind: 'refunds'; approvals: Approvals })

/**
 * Makes the plan of one tranche, or of every refund that no earlier plan pays.
 *
 * @throws Fault `elsewhere` when the sale is not at the point, `bad_input` when the reserve is none; those of the node
 */
export async function makePlan(node: Node, sale: LedgerSale, books: Books, asked: PlanAsked): Promise<Plan> {
  const { terms, hash } = sale.first
  const taken = new Set(asked.earlier.filter(({ kind }) => kind === asked.kind).flatMap(claimsOf))
  for (const claim of asked.leftOut) taken.delete(claim)
  const { payer, assets, due } =
    asked.kind === 'tokens'
      ? await tokenPart(node, terms, books, asked, taken)
      : await refundPart(node, sale, books, asked, taken)
  const head = {
    format: 'mai-presale-plan/1',
    presale: presaleRef(terms.authority, terms.id),
    termsHash: hash,
    kind: asked.kind,
    tranche: asked.kind === 'tokens' ? asked.tranche : null,
    ledgerHash: books.ledgerHash,
    rows: books.read.state.rows,
    payer,
    ...(asked.feePayer !== undefined && asked.feePayer !== payer && { feePayer: asked.feePayer }),
    lanes: asked.lanes,
    assets,
    apart: due.flatMap(apartOf),
  } as const
  const batches: PlanBatch[] = []
  for (const asset of Object.keys(assets)) {
    const rows = due.flatMap(one => (one.asset === asset ? rowOf(one) : []))
    batches.push(...packed(head, asset, { rows, first: batches.length }))
  }
  return { ...head, batches }
}

type PlanPart = { payer: string; assets: Record<string, PlanAsset>; due: Due[] }

async function tokenPart(
  node: Node,
  terms: Terms,
  { outcome, allocations }: Books,
  { tranche, reserve }: PlanAsked & { kind: 'tokens' },
  taken: ReadonlySet<string>,
): Promise<PlanPart> {
  if (outcome !== 'success')
    throw otherState(`a plan for tokens expected a sale that succeeded, got one that is ${outcome}`)
  const { symbol, decimals } = terms.token
  const mint = saleMint(terms)
  const program = tokenProgram(terms)
  const held = readEitherTokenAccount((await accountsAt(node, [reserve])).get(reserve), program)
  if (!held || held.mint !== mint)
    throw refused(`--reserve expected a token account of ${mint}, got ${held ? `one of ${held.mint}` : 'none'}`)
  if (!maySign(held.owner))
    throw refused(
      `--reserve expected a token account whose owner signs with a key, got one of ${held.owner}, which has none: move the tokens to an account that a key signs for; or the program of this vault pays, once, by allocations.csv of "export", and no plan does`,
    )
  const due = await tokensDue(
    node,
    terms,
    sharesOf(terms, allocations, tranche).filter(({ of }) => !taken.has(of)),
    reserve,
  )
  return { payer: held.owner, assets: { [symbol]: { decimals, mint: held.mint, program, source: reserve } }, due }
}

/** Base units that a tranche gives an owner. `of`: the claim's name. */
type Share = { owner: string; of: string; units: bigint }

/** @param tranche counts from 0 */
export function sharesOf(terms: Terms, allocations: readonly Allocation[], tranche: number): Share[] {
  return allocations.map(({ owner, tokens }) => {
    return { owner, of: `${tranche}:${owner}`, units: tranchesOf(terms, tokens)[tranche]?.tokens ?? 0n }
  })
}

async function refundPart(
  node: Node,
  { first, watched }: LedgerSale,
  { refunds }: Books,
  { approvals, earlier, leftOut }: PlanAsked & { kind: 'refunds' },
  taken: ReadonlySet<string>,
): Promise<PlanPart> {
  const { terms } = first
  const due = await refundsDue(
    node,
    terms,
    refunds.filter(({ of }) => !taken.has(of)),
    approvalsLeft(
      refunds.filter(one => !payeesOf(terms, one)),
      approvals,
      { earlier, leftOut },
    ),
  )
  const assets = terms.assets.map(({ symbol, decimals, mint }): [string, PlanAsset] => {
    const source = watched.find(({ asset }) => asset === symbol)?.address
    if (mint === undefined) return [symbol, { decimals }]
    if (source === undefined) throw new Fault('bad_input', `${symbol} expected an account of the treasury, got none`)
    return [symbol, { decimals, mint, program: programs.token, source }]
  })
  return { payer: terms.treasury, assets: Object.fromEntries(assets), due }
}

/**
 * A command that is repeated approves again what its own plan pays.
 *
 * @param refunds those whose payee a person names
 * @returns the approvals of payments that no earlier plan pays
 * @throws Fault `bad_input` for another payee than an earlier plan has
 */
function approvalsLeft(
  refunds: readonly RefundClaim[],
  approvals: Approvals,
  { earlier, leftOut }: Pick<PlanAsked, 'earlier' | 'leftOut'>,
): Approvals {
  const rows = earlier
    .filter(({ kind }) => kind === 'refunds')
    .flatMap(({ batches }) => batches.flatMap(one => one.rows))
    .filter(({ of }) => !of.some(claim => leftOut.has(claim)))
  const payees = new Map(rows.flatMap(({ of, owner }) => of.map(claim => [claim, owner] as const)))
  const left = [...approvals].filter(([signature, payee]) => {
    const claims = refunds.filter(one => one.signature === signature)
    const planned = claims.flatMap(({ of }) => payees.get(of) ?? [])
    const other = planned.find(owner => owner !== payee)
    if (other !== undefined)
      throw refused(`--approve expected ${other}, whom an announced plan pays for ${signature}, got ${payee}`)
    return planned.length === 0 || planned.length < claims.length
  })
  return new Map(left)
}

function rowOf({ owner, to, units, of, create, why }: Due): PlanBatch['rows'] {
  if (why !== undefined || owner === null || to === null) return []
  return [{ owner, to, units: units.toString(), of, ...(create && { create }) }]
}

function apartOf({ owner, asset, units, of, why }: Due): ApartRow[] {
  return why === undefined ? [] : [{ owner, asset, units: units.toString(), of, why }]
}

/** Lamports that a plan costs beside what it pays. `units`: paid, by asset. */
export type PlanCost = { rents: bigint; fees: bigint; lanes: bigint; units: Record<string, bigint> }

/** Numbers of batches to pay, and how many lanes are to be created for them. `leftOut`: places of rows by batch. */
export type PlanLeft = { batches: Iterable<number>; lanes: number; leftOut?: ReadonlyMap<number, readonly number[]> }

/**
 * Estimates a plan's cost at the lowest fee.
 *
 * @param rent of a new account of its tokens, lamports. @param left default: the whole plan
 */
export function planCost(plan: Plan, rent: bigint, left?: PlanLeft): PlanCost {
  const lanes = BigInt(left?.lanes ?? Math.min(plan.lanes, plan.batches.length))
  const cost: PlanCost = { rents: 0n, fees: 0n, lanes: lanes * laneRent, units: {} }
  for (const batch of left?.batches ?? plan.batches.keys()) {
    const { asset } = batchOf(plan, batch)
    const { lamports, units } = costOf(plan, batch, rent, left?.leftOut?.get(batch))
    const isNative = plan.assets[asset]?.mint === undefined
    cost.fees += BigInt(signersOf(plan)) * lamportsPerSignature
    if (!isNative) cost.rents += lamports
    cost.units[asset] = (cost.units[asset] ?? 0n) + (isNative ? lamports : units)
  }
  cost.fees += lanes * lamportsPerSignature
  return cost
}
