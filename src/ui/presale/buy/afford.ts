/** Checks whether a wallet can pay, to the lamport. */
import type { Balance } from '../../../events/subjects/balance.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { paid, sol } from '../sale/figures.ts'
import { rentMinimum } from '../../../events/values/rent.ts'

/** Fee of one signature and a purchase's compute budget, lamports; shown until an order is built. */
export const feeEstimate = 6_000n
const leastLeft = paid(rentMinimum, sol)
/** A payment's advice when the rest would be less than the account's rent minimum. */
export const leaveEnough = `Leave 0 or at least ${leastLeft} in your wallet.`
/** Reserve that Max leaves for later fees, lamports. */
const spare = 2_000_000n

/** The part of the balance that Max keeps: the fee, the account's rent minimum and a reserve for later fees. */
export const keptByMax = feeEstimate + rentMinimum + spare

/** A shortfall: the button's label and the reason under the amount. */
export type Lack = { label: string; reason: string }

/** @returns base units of `symbol`; undefined before the first reading */
export function held(balance: Balance | undefined, symbol: string): bigint | undefined {
  if (!balance || balance.readAt === 0) return undefined
  return BigInt(balance.amounts[symbol] ?? '0')
}

/** @returns the shortfall of the wallet for `units` of `asset`; undefined if it can pay or its balance is unknown */
export function lackFor(asset: TermsAsset, units: bigint, balance: Balance | undefined): Lack | undefined {
  const lamports = held(balance, 'SOL')
  const own = held(balance, asset.symbol)
  if (lamports === undefined || own === undefined) return undefined
  if (asset.kind === 'native') {
    const left = own - units - feeEstimate
    if (left < 0n) return short(-left, sol, ', fee included')
    if (left === 0n || left >= rentMinimum) return undefined
    return { label: `Leave ${leastLeft} in your wallet`, reason: leaveEnough }
  }
  if (balance && !Object.hasOwn(balance.amounts, asset.symbol)) {
    const { label } = short(units, asset, '')
    return { label, reason: `This wallet holds no ${asset.symbol}. Pay with SOL instead.` }
  }
  if (own < units) return short(units - own, asset, '')
  const forFee = feeEstimate + rentMinimum - lamports
  return forFee > 0n ? short(forFee, sol, ' for the network fee') : undefined
}

function short(missing: bigint, asset: { symbol: string; decimals: number }, why: string): Lack {
  const amount = paid(missing, asset)
  return { label: `Add ${amount} to your wallet`, reason: `${amount} short${why}` }
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
