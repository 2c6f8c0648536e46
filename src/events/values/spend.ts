/**
 * What a payment costs beside itself, and whether an account can bear it. Amounts are lamports or base units.
 * @see reference "Presale", §6 and §9
 */
import { type BaseUnits, toBigint, toUnits } from './amount.ts'

/** Lamports the chain takes for each signature. */
export const feePerSignature = '5000'
/** Fewest lamports an account may be left with, unless it is left with none. */
export const rentMinimum = '890880'
/** Lamports that "Max" leaves over for the next few transactions. */
export const spareLamports = '2000000'

/**
 * @param unitsConsumed what the simulation used; undefined when it did not say
 * @returns the limit to set: 15 % and 2000 units more, 20 000 to 200 000; 120 000 when unknown
 */
export function computeLimitFor(unitsConsumed: number | undefined): number {
  if (unitsConsumed === undefined) return 120_000
  return Math.min(Math.max(Math.ceil((unitsConsumed * 115) / 100) + 2000, 20_000), 200_000)
}

/**
 * @param recent micro-lamports a unit that others paid recently
 * @param limit compute units set for this transaction
 * @param mostLamports cap of the whole priority fee, default 500 000
 * @returns micro-lamports a unit: three quarters of the others paid this or less, lowered until the cap holds
 */
export function computePriceFor(
  recent: readonly number[],
  limit: number,
  mostLamports: BaseUnits = '500000',
): BaseUnits {
  const sorted = [...recent].filter(price => Number.isSafeInteger(price) && price >= 0).sort((a, b) => a - b)
  const usual = BigInt(sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0)
  const most = limit > 0 ? (toBigint(mostLamports) * 1_000_000n) / BigInt(limit) : 0n
  return toUnits(usual < most ? usual : most)
}

/** @returns lamports of the whole fee: so much a signature, and the priority fee rounded up */
export function networkFee(run: { signatures: number; units: number; microLamports: BaseUnits }): BaseUnits {
  const priority = (BigInt(run.units) * toBigint(run.microLamports) + 999_999n) / 1_000_000n
  return toUnits(toBigint(feePerSignature) * BigInt(run.signatures) + priority)
}

/** Whether it can be paid. `short` is what is missing; with `rent`, the most that may be paid instead. */
export type Affordable =
  | { ok: true }
  | { ok: false; code: 'insufficient_sol' | 'insufficient_token'; short: BaseUnits }
  | { ok: false; code: 'rent'; most: BaseUnits }

/** @returns whether `lamports` can be sent: the account may be emptied, or must keep the rent minimum */
export function canPaySol(balance: BaseUnits, lamports: BaseUnits, fee: BaseUnits): Affordable {
  const left = toBigint(balance) - toBigint(lamports) - toBigint(fee)
  if (left < 0n) return { ok: false, code: 'insufficient_sol', short: toUnits(-left) }
  if (left === 0n || left >= toBigint(rentMinimum)) return { ok: true }
  const most = toBigint(balance) - toBigint(fee) - toBigint(rentMinimum)
  return { ok: false, code: 'rent', most: toUnits(most > 0n ? most : 0n) }
}

/** @returns whether `units` of a token can be sent: enough of it, and SOL for the fee beside the rent minimum */
export function canPayToken(
  balances: { token: BaseUnits; lamports: BaseUnits },
  units: BaseUnits,
  fee: BaseUnits,
): Affordable {
  const missing = toBigint(units) - toBigint(balances.token)
  if (missing > 0n) return { ok: false, code: 'insufficient_token', short: toUnits(missing) }
  const short = toBigint(fee) + toBigint(rentMinimum) - toBigint(balances.lamports)
  return short > 0n ? { ok: false, code: 'insufficient_sol', short: toUnits(short) } : { ok: true }
}

/** @returns the lamports "Max" fills in: the fee, the rent minimum and something to spare stay behind */
export function mostSol(balance: BaseUnits, fee: BaseUnits): BaseUnits {
  const most = toBigint(balance) - toBigint(fee) - toBigint(rentMinimum) - toBigint(spareLamports)
  return toUnits(most > 0n ? most : 0n)
}
