/** Limits of one run: what it may spend at most, and what it has spent. */
import { Fault } from '../../../src/runtime/failure.ts'
import { formatAmount, greater } from '../../../src/events/values/amount.ts'
import { lamportsPerSignature, solDecimals } from '../../../src/events/values/solana/fees.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import { decodeTransaction } from '../../../src/worker/chains/solana/decode.ts'
import type { Sending } from '../send.ts'
import { batchOf, type HashedPlan, rowsPaid } from './batch.ts'
import { feeIn } from './found.ts'
import type { Plan } from '../../../src/worker/services/planFile.ts'

/**
 * `lamports` include fees and rents. `units` by asset, base units. A batch counts when this run signs it, or sends bytes of an earlier
 * run, also when it fails later.
 */
export type Limits = {
  mostLamports: bigint | undefined
  /** base units by asset */
  mostUnits: ReadonlyMap<string, bigint>
  lamports: bigint
  units: Map<string, bigint>
  /** of a new account of the plan's tokens, lamports */
  rent: bigint
  /** by number of the batch */
  counted: Map<number, Counted>
}

/** `nonce`: base58; one transaction on it can land. `fee`: lamports. */
type Attempted = { nonce: string; fee: bigint }

/** The most that any transaction of a batch pays, and the fee on the newest nonce. */
type Counted = Attempted & { lamports: bigint; units: bigint }

/** A plan whose transactions are sent within limits. */
export type Spending = { hashed: HashedPlan; sending: Sending; limits: Limits }

/** Rent of a new token account without extensions, lamports. */
export const tokenRent = rentMinimum + 165n * 6_960n

/** @returns fee of a transaction's bytes, lamports */
export function feeOfBytes(bytes: Uint8Array): bigint {
  const { instructions, signers } = decodeTransaction(bytes)
  return feeIn(instructions) + BigInt((signers?.length ?? 1) - 1) * lamportsPerSignature
}

/**
 * @param rent of a new account, lamports. @param leftOut places of rows that are not paid
 * @returns what leaves the payer with a batch beside its fee: lamports with rents, and units of its token
 */
export function costOf(
  plan: Plan,
  batch: number,
  rent: bigint,
  leftOut?: readonly number[],
): { lamports: bigint; units: bigint } {
  const { asset, rows: all } = batchOf(plan, batch)
  const rows = rowsPaid(all, leftOut)
  const units = rows.reduce((sum, row) => sum + BigInt(row.units), 0n)
  const rents = BigInt(rows.filter(({ create }) => create).length) * rent
  return plan.assets[asset]?.mint === undefined ? { lamports: units, units: 0n } : { lamports: rents, units }
}

/**
 * Counts a batch as spent: what it pays once, and a fee for each nonce, on which one transaction lands.
 *
 * @throws Fault `insufficient_sol` or `insufficient_token` when it would exceed a limit; nothing is counted then
 */
export function reserve(
  limits: Limits,
  plan: Plan,
  batch: number,
  { nonce, fee, leftOut }: Attempted & { leftOut?: readonly number[] },
): void {
  const { asset } = batchOf(plan, batch)
  const before = limits.counted.get(batch) ?? { nonce: '', fee: 0n, lamports: 0n, units: 0n }
  const cost = costOf(plan, batch, limits.rent, leftOut)
  const [lamports, units] = [greater(cost.lamports, before.lamports), greater(cost.units, before.units)]
  const feeBefore = before.nonce === nonce ? before.fee : 0n
  const highest = greater(fee, feeBefore)
  const about = `batch ${batch}`
  const sum = (limits.units.get(asset) ?? 0n) + units - before.units
  const most = limits.mostUnits.get(asset)
  if (most !== undefined && sum > most) {
    const decimals = plan.assets[asset]?.decimals ?? 0
    throw beyond('insufficient_token', `${about} was not sent: --max-tokens`, { most, sum, decimals })
  }
  spend(limits, about, lamports - before.lamports + highest - feeBefore)
  limits.units.set(asset, sum)
  limits.counted.set(batch, { nonce, fee: highest, lamports, units })
}

/**
 * Counts lamports as spent.
 *
 * @param about names the transaction in the error
 * @throws Fault `insufficient_sol` when they would exceed the limit; nothing is counted then
 */
export function spend(limits: Limits, about: string, lamports: bigint): void {
  const sum = limits.lamports + lamports
  const most = limits.mostLamports
  if (most !== undefined && sum > most)
    throw beyond('insufficient_sol', `${about} was not sent: --max-sol`, { most, sum, decimals: solDecimals })
  limits.lamports = sum
}

function beyond(
  code: 'insufficient_sol' | 'insufficient_token',
  about: string,
  { most, sum, decimals }: { most: bigint; sum: bigint; decimals: number },
): Fault {
  const [expected, got] = [most, sum].map(amount => formatAmount(amount.toString(), decimals))
  const remedy = 'Run the command again with a higher limit to go on'
  return new Fault(code, `${about} expected at most ${expected} in this run, got ${got} with it. ${remedy}`)
}
