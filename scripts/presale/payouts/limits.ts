/** Limits of one run: what it may spend at most, and what it has spent. */
import { Fault } from '../../../src/runtime/failure.ts'
import { formatAmount } from '../../../src/events/values/amount.ts'
import { solDecimals } from '../../../src/events/values/solana/fees.ts'
import { rentMinimum } from '../../../src/events/values/solana/rent.ts'
import type { Sending } from '../send.ts'
import { batchOf, type HashedPlan } from './batch.ts'
import type { Plan } from '../../../src/worker/services/planFile.ts'

/**
 * `lamports` include fees and rents. `units` by asset, base units. An attempt counts when it is signed, also when it fails later.
 */
export type Limits = {
  mostLamports: bigint | undefined
  /** base units by asset */
  mostUnits: ReadonlyMap<string, bigint>
  lamports: bigint
  units: Map<string, bigint>
}

/** A plan whose transactions are sent within limits. */
export type Spending = { hashed: HashedPlan; sending: Sending; limits: Limits }

/** Rent of a new token account without extensions, lamports. */
export const tokenRent = rentMinimum + 165n * 6_960n

/** @returns what leaves the payer with a batch beside its fee: lamports with rents, and units of its token */
export function costOf(plan: Plan, batch: number): { lamports: bigint; units: bigint } {
  const { asset, rows } = batchOf(plan, batch)
  const units = rows.reduce((sum, row) => sum + BigInt(row.units), 0n)
  const rents = BigInt(rows.filter(({ create }) => create).length) * tokenRent
  return plan.assets[asset]?.mint === undefined ? { lamports: units, units: 0n } : { lamports: rents, units }
}

/**
 * Counts a batch as spent.
 *
 * @param fee lamports
 * @throws Fault `insufficient_sol` or `insufficient_token` when it would exceed a limit; nothing is counted then
 */
export function reserve(limits: Limits, plan: Plan, batch: number, fee: bigint): void {
  const { asset } = batchOf(plan, batch)
  const { lamports, units } = costOf(plan, batch)
  const about = `batch ${batch}`
  const sum = (limits.units.get(asset) ?? 0n) + units
  const most = limits.mostUnits.get(asset)
  if (most !== undefined && sum > most) {
    const decimals = plan.assets[asset]?.decimals ?? 0
    throw beyond('insufficient_token', `${about} was not sent: --max-tokens`, { most, sum, decimals })
  }
  spend(limits, about, lamports + fee)
  limits.units.set(asset, sum)
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
