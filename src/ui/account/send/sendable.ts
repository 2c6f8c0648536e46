/** Tokens of the account that can be sent, each with its name, and the amount that is typed of one. */
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { parseAmount, plainNumber } from '../../../events/values/amount.ts'
import type { Balance } from '../../../events/subjects/sale/balance.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { own } from '../../../runtime/schema/own.ts'
import { productOf } from '../holdings/decimal.ts'
import type { HeldToken } from '../holdings/tokens.ts'

/** `asset` is SOL or a mint. `units` are unknown before the first reading; `price` is in dollars, absent while unknown. */
export type Sendable = {
  asset: string
  symbol: string
  name: string
  decimals: number
  units?: string
  frozen?: boolean
  price?: string
}

/**
 * @param named tokens with names and prices, from a service: a mint may have any name, so it stands beside it
 * @returns SOL first, then the tokens that the account holds
 */
export function sendablesOf(balance: Balance | undefined, named: readonly HeldToken[]): Sendable[] {
  const priceOf = (key: string) => named.find(one => one.key === key)?.price
  const solPrice = priceOf('native')
  const solUnits = balance && own(balance.amounts, 'SOL')
  const sol: Sendable = {
    asset: 'SOL',
    symbol: 'SOL',
    name: 'Solana',
    decimals: solDecimals,
    ...(solUnits !== undefined && { units: solUnits }),
    ...(solPrice !== undefined && { price: solPrice }),
  }
  const tokens = (balance?.tokens ?? []).filter(({ amount }) => amount !== '0')
  return [
    sol,
    ...tokens.map(({ mint, decimals, amount, frozen }) => {
      const known = named.find(one => one.key === mint)
      const { symbol = shortAddress(mint), name = symbol, price } = known ?? {}
      return {
        asset: mint,
        symbol,
        name,
        decimals,
        units: amount,
        ...(frozen && { frozen }),
        ...(price !== undefined && { price }),
      }
    }),
  ]
}

/** @returns those whose name, symbol or mint has the text in it */
export function searched(all: readonly Sendable[], text: string): Sendable[] {
  const wanted = text.trim().toLowerCase()
  return all.filter(({ name, symbol, asset }) =>
    [name, symbol, asset].some(word => word.toLowerCase().includes(wanted)),
  )
}

/** An amount as typed, in a token's base units. */
export function readTyped(amount: string, decimals: number): ReturnType<typeof parseAmount> {
  return parseAmount(plainNumber(amount), decimals)
}

/** @returns dollars of an amount, as decimal text; undefined without a price or a number */
export function worthOf(amount: string, { price, decimals }: Sendable): string | undefined {
  if (price === undefined || !readTyped(amount, decimals).ok) return undefined
  return productOf(plainNumber(amount), price)
}

/** Keys of the words for the first unmet need of a transfer. */
type Need = 'selectToken' | 'incorrectValue' | 'addAmount' | 'insufficientFunds' | 'addAddress' | 'invalidAddress'

/** @param written `most`: base units that can be sent at most, undefined while unknown */
export function firstNeed(written: {
  token: Sendable | undefined
  amount: string
  recipient: string
  account: string
  most: string | undefined
}): Need | undefined {
  const { token, amount, recipient, account, most } = written
  if (!token) return 'selectToken'
  const read = readTyped(amount, token.decimals)
  if (!read.ok && read.reason !== 'empty') return 'incorrectValue'
  if (!read.ok || read.units === '0') return 'addAmount'
  if (most !== undefined && BigInt(read.units) > BigInt(most)) return 'insufficientFunds'
  if (recipient === '') return 'addAddress'
  return isSolanaAddress(recipient) && recipient !== account ? undefined : 'invalidAddress'
}
