/** Checks whether a wallet can pay, to the lamport. */
import type { Balance } from '../../../events/subjects/sale/balance.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { sol } from '../sale/figures.ts'
import type { SaleWords } from '../saleWords.ts'
import { feeEstimate } from '../../../events/values/solana/fees.ts'
import { rentMinimum } from '../../../events/values/solana/rent.ts'

/** Reserve that Max leaves for later fees, lamports. */
const spare = 2_000_000n

/** @returns a payment's advice when the rest would be less than the account's rent minimum */
export function leaveEnough({ buy, figures }: SaleWords): string {
  return buy.leaveEnough(figures.paid(rentMinimum, sol))
}

/** The part of the balance that Max keeps: the fee, the account's rent minimum and a reserve for later fees. */
export const keptByMax = feeEstimate + rentMinimum + spare

/** A shortfall: the button's label and the reason under the amount; `isWhole`: the wallet has no account of the asset. */
export type Lack = { label: string; reason: string; isWhole?: true }

/** @returns base units of `symbol`; undefined before the first reading */
export function held(balance: Balance | undefined, symbol: string): bigint | undefined {
  if (!balance || balance.readAt === 0) return undefined
  return BigInt(balance.amounts[symbol] ?? '0')
}

/** @returns the shortfall of the wallet for `units` of `asset`; undefined if it can pay or its balance is unknown */
export function lackFor(
  t: SaleWords,
  asset: TermsAsset,
  units: bigint,
  balance: Balance | undefined,
): Lack | undefined {
  const { buy } = t
  const lamports = held(balance, 'SOL')
  const own = held(balance, asset.symbol)
  if (lamports === undefined || own === undefined) return undefined
  if (asset.kind === 'native') {
    const left = own - units - feeEstimate
    if (left < 0n) return short(t, -left, sol, buy.shortWithFee)
    if (left === 0n || left >= rentMinimum) return undefined
    return { label: buy.leave(t.figures.paid(rentMinimum, sol)), reason: leaveEnough(t) }
  }
  if (balance && !Object.hasOwn(balance.amounts, asset.symbol)) {
    const { label } = short(t, units, asset, buy.short)
    return { label, reason: t.order.reasons.holdsNone(asset.symbol), isWhole: true }
  }
  if (own < units) return short(t, units - own, asset, buy.short)
  const forFee = feeEstimate + rentMinimum - lamports
  return forFee > 0n ? short(t, forFee, sol, buy.shortForFee) : undefined
}

function short(
  { buy, figures }: SaleWords,
  missing: bigint,
  asset: { symbol: string; decimals: number },
  why: (amount: string) => string,
): Lack {
  const amount = figures.paid(missing, asset)
  return { label: buy.add(amount), reason: why(amount) }
}

/**
 * The most a wallet can pay and the sale can take.
 *
 * @param boughtCredits credits this wallet already bought
 * @returns base units, at least 0; undefined before the first reading
 */
export function maxUnits(
  asset: TermsAsset,
  balance: Balance | undefined,
  { terms, sale, boughtCredits }: { terms: Terms; sale: Sale; boughtCredits: bigint },
): bigint | undefined {
  const own = held(balance, asset.symbol)
  if (own === undefined) return undefined
  const rate = BigInt(asset.creditsPerUnit)
  const payable = asset.kind === 'native' ? own - keptByMax : own
  const room = (BigInt(terms.maxBuyer) - boughtCredits) / rate
  const left = BigInt(sale.remaining) / rate
  const most = [payable, room, left].reduce((a, b) => (b < a ? b : a))
  return most > 0n ? most : 0n
}
