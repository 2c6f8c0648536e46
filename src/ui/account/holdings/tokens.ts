/** Tokens of an account on one network, from the balance API. */
import type { ServiceAnswer } from '../../../events/subjects/service/service.ts'
import { compared, type Dollars, dollarsOf, floored, sumOf } from './decimal.ts'

type Held = Extract<ServiceAnswer, { call: 'balance' }>['balances'][number]

/** `amount` has 3 digits after the point, rounded down; `quantity` is exact. `price` and `value` are absent when unknown. */
export type HeldToken = {
  /** the mint, or `native` */
  key: string
  name: string
  symbol: string
  iconUrl: string
  isNative: boolean
  amount: string
  quantity: string
  decimals: number
  /** dollars for one */
  price?: string
  value?: Dollars
}

type TokensOfNetwork = { tokens: HeldToken[]; total: Dollars }

/** Digits after the point. Rounded down, so that no amount appears larger than it is. */
const shownDecimals = 3

/**
 * @returns the tokens of this network: its own coin first, then by value. Tokens without decimals count as collectibles of low
 *   quality and are left out
 */
export function tokensOf({ balances }: { balances: readonly Held[] }, caip2: string): TokensOfNetwork {
  const held = balances.filter(({ chainId, decimals }) => chainId === caip2 && decimals !== 0)
  const ranked = [...held].sort((one, other) => {
    const isNative = Number(other.asset.kind === 'native') - Number(one.asset.kind === 'native')
    return isNative || compared(other.value ?? '', one.value ?? '')
  })
  const total = dollarsOf(sumOf(held.flatMap(({ value }) => value ?? [])))
  return { tokens: ranked.map(shown), total: total ?? { dollars: '0', cents: '00' } }
}

function shown({ asset, name, symbol, iconUrl, quantity, decimals, price, value }: Held): HeldToken {
  // The service writes 0 for an unknown price; a value of 0 follows from it
  const isPriced = compared(price, '0') > 0
  const dollars = value !== null && (isPriced || compared(value, '0') > 0) ? dollarsOf(value) : undefined
  return {
    key: asset.kind === 'native' ? 'native' : asset.address,
    name,
    symbol,
    iconUrl,
    isNative: asset.kind === 'native',
    amount: floored(quantity, shownDecimals) ?? '',
    quantity,
    decimals,
    ...(dollars && { ...(isPriced && { price }), value: dollars }),
  }
}
