/** Transactions of a plan's batches, and the packing of rows into batches by their bytes. */
import { concatBytes } from '@noble/hashes/utils.js'
import { payMemo } from '../../../src/events/sale/payments/operatorMemos.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { keyMark, payRef } from '../../../src/worker/chains/solana/references.ts'
import { maxTransactionBytes } from '../../../src/worker/chains/solana/wire.ts'
import {
  advanceNonce,
  computeBudget,
  createTokenAccount,
  type Instruction,
  memo,
  messageOf,
  transferLamports,
  transferTokens,
} from './message.ts'
import {
  feePayerOf,
  type Plan,
  type PlanAsset,
  type PlanBatch,
  type PlanRow,
} from '../../../src/worker/services/planFile.ts'

/** Most compute units of a transaction. */
export const mostUnits = 1_400_000

/** A plan with its hash, which is computed once. */
export type HashedPlan = { plan: Plan; hash: string }

/** @throws Fault `bad_input` when the plan has no such batch */
export function batchOf({ batches }: Plan, batch: number): PlanBatch {
  const found = batches[batch]
  if (!found) throw new Fault('bad_input', `a plan of ${batches.length} batches expected one of them, got ${batch}`)
  return found
}

/**
 * @param nonce the lane's account; absent for a simulation, which takes any blockhash
 * @param fees compute units, and µlamports a unit. `leftOut`: places of rows that it does not pay
 * @returns nonce, compute budget, memo, then for each row its token account's creation, where needed, and its transfer; the first
 *   transfer carries the batch's reference. In Token-2022 a memo stands right before each transfer to an account that is open: its
 *   owner may demand one at any time, and would hold up the whole batch. With every row left out one transfer of nothing carries the
 *   reference, from the payer to itself; it names the account that tokens are paid from, whose history then has it
 */
export function batchInstructions(
  { plan, hash }: HashedPlan,
  batch: number,
  {
    nonce,
    limit,
    price,
    leftOut = [],
  }: { nonce?: string | undefined; limit: number; price: bigint; leftOut?: readonly number[] },
): Instruction[] {
  const { asset, rows } = batchOf(plan, batch)
  const from = plan.assets[asset]
  if (!from) throw new Fault('bad_input', `batch ${batch} expected an asset of its plan, got ${asset}`)
  const ref = payRef(hash, batch)
  const paid = rowsPaid(rows, leftOut)
  const named = plan.kind === 'tokens' && from.source !== undefined ? [ref, from.source] : [ref]
  return [
    ...(nonce === undefined ? [] : [advanceNonce(nonce, feePayerOf(plan))]),
    ...computeBudget(limit, price),
    memo(payMemo({ presale: keyMark(plan.presale), plan: hash.slice(0, 16), batch })),
    ...paid.flatMap((row, at) => payRow(plan, from, { ...row, isFirst: at === 0 }, ref)),
    ...(paid.length === 0 ? [transferLamports(plan.payer, plan.payer, 0n, named)] : []),
  ]
}

/** @returns the rows without those at some places */
export function rowsPaid<T>(rows: readonly T[], leftOut: readonly number[] = []): T[] {
  return rows.filter((_, at) => !leftOut.includes(at))
}

function payRow(plan: Plan, asset: PlanAsset, row: PlanRow & { isFirst: boolean }, ref: string): Instruction[] {
  const { payer } = plan
  const { to, owner, create, isFirst } = row
  const references = isFirst ? [ref] : []
  const units = BigInt(row.units)
  const { mint, program, source, decimals } = asset
  if (mint === undefined || program === undefined || source === undefined)
    return [transferLamports(payer, to, units, references)]
  const move = transferTokens({ source, mint, to, owner: payer, units, decimals, program }, references)
  if (create) return [createTokenAccount(feePayerOf(plan), { account: to, owner, mint, program }), move]
  // The batch's own memo stands before the first
  return program === programs.token2022 && !isFirst ? [memo(''), move] : [move]
}

/** @returns a whole transaction with an empty signature of each signer */
export function unsigned(message: Uint8Array): Uint8Array {
  const [signers = 0] = message
  return concatBytes(Uint8Array.of(signers), new Uint8Array(64 * signers), message)
}

/** Any 32 bytes: only the length counts. */
const someKey = '8opHzTAnfzRpPEx21XtnrVTX28YQuCpAjcn1PczScKh'
const someHash = '0'.repeat(64)

/**
 * Packs the rows of one asset into as few batches as their order allows: a row opens a new batch when the transaction, with nonce
 * and memo, would exceed 1232 bytes.
 *
 * @param plan all but its batches
 * @param first number of the first batch
 */
export function packed(
  plan: Omit<Plan, 'batches'>,
  asset: string,
  { rows, first }: { rows: readonly PlanRow[]; first: number },
): PlanBatch[] {
  const batches: PlanRow[][] = []
  const fits = (batch: PlanRow[], place: number) => sizeOf(plan, { asset, rows: batch }, place) <= maxTransactionBytes
  for (const row of rows) {
    const last = batches.at(-1)
    if (last && fits([...last, row], first + batches.length - 1)) last.push(row)
    else batches.push([row])
  }
  return batches.map(batch => ({ asset, rows: batch }))
}

function sizeOf(plan: Omit<Plan, 'batches'>, batch: PlanBatch, place: number): number {
  const batches: PlanBatch[] = []
  batches[place] = batch
  const sized = { plan: { ...plan, batches }, hash: someHash }
  const instructions = batchInstructions(sized, place, { nonce: someKey, limit: mostUnits, price: 0n })
  return unsigned(messageOf(feePayerOf(plan), instructions, someKey)).length
}
