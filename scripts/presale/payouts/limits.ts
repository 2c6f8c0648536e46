/** Limits of one run: what it may spend at most, and what it has spent. */
import { Fault } from '../../../src/runtime/failure.ts'
import { formatAmount } from '../../../src/events/values/amount.ts'
import { solDecimals } from '../../../src/events/values/fees.ts'
import { rentMinimum } from '../../../src/events/values/rent.ts'
import { batchOf } from './batch.ts'
import type { Plan } from './planFile.ts'

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
  const cost = costOf(plan, batch)
  const lamports = limits.lamports + cost.lamports + fee
  const units = (limits.units.get(asset) ?? 0n) + cost.units
  const most = limits.mostUnits.get(asset)
  const stopped = (name: string, limit: bigint, got: bigint, decimals: number) => {
    const [expected, came] = [limit, got].map(amount => formatAmount(amount.toString(), decimals))
    const code = name === '--max-sol' ? 'insufficient_sol' : 'insufficient_token'
    return new Fault(
      code,
      `batch ${batch} was not sent: ${name} expected at most ${expected} in all, got ${came} with it. Run the command again with a higher limit to go on`,
    )
  }
  if (limits.mostLamports !== undefined && lamports > limits.mostLamports)
    throw stopped('--max-sol', limits.mostLamports, lamports, solDecimals)
  if (most !== undefined && units > most) throw stopped('--max-tokens', most, units, plan.assets[asset]?.decimals ?? 0)
  limits.lamports = lamports
  limits.units.set(asset, units)
}
