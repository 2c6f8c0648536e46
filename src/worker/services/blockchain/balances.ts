/** Balances of an account, and prices of tokens. @see reference "HTTP APIs", §3.4 and §3.5 */
import {
  absentable,
  custom,
  looseObject,
  nullable,
  string,
  type ValueOf,
  wholeNumber,
} from '../../../runtime/schema/schema.ts'
import { isOfSolana } from '../../../events/values/networks.ts'
import { webLink } from '../listing.ts'
import {
  accountId,
  amount,
  answerReader,
  chainId,
  decimal,
  keptEntries,
  isAddressOn,
  isNativeMarker,
  label,
  labelText,
  chainAndAddress,
  plainText,
  rawList,
} from './fields.ts'

const mostBalances = 500
const maybe = absentable(nullable(string({ most: 4096 })))
const fields = looseObject({
  name: string({ most: 4096 }),
  symbol: label,
  chainId,
  address: absentable(nullable(string({ most: 200 }))),
  value: absentable(nullable(decimal)),
  price: decimal,
  quantity: looseObject({ decimals: string({ grammar: /^[0-9]{1,2}$/ }), numeric: amount }),
  iconUrl: maybe,
})
type Held = ValueOf<typeof fields>

const balanceShape = custom<Held>(value => {
  if (fields.check(value)) return false
  const held = value as Held
  return assetOf(held) !== undefined && fitsItsChain(held)
}, 'a balance')

/**
 * Balances, with `quantity` and dollars as decimal text; a `price` of '0' is unknown. Tokens without decimals are collectibles
 * and left out, as is another chain than the asked one: the service caches by address alone. `dropped` counts malformed and
 * repeated ones, and those beyond the first 500.
 */
export const readBalances = answerReader(
  looseObject({ balances: rawList(5000) }),
  ({ balances }, asked: { chainId?: string | undefined }) => {
    const { entries, dropped } = keptEntries(balances, balanceShape, held => held, idOf)
    const wanted = entries.filter(
      held => held.quantity.decimals !== '0' && (!asked.chainId || held.chainId === asked.chainId),
    )
    const most = wanted.slice(0, mostBalances)
    return { balances: most.map(keepBalance), dropped: dropped + wanted.length - most.length }
  },
)

/** A second entry of one asset would count it twice. */
function idOf(held: Held): string {
  const asset = assetOf(held)
  return `${held.chainId} ${asset?.kind === 'token' ? asset.address : ''}`
}

function keepBalance(held: Held) {
  const { value } = held
  return {
    name: labelText(held.name),
    symbol: labelText(held.symbol),
    chainId: held.chainId,
    asset: assetOf(held) ?? native,
    value: value === null || value === undefined ? null : plainText(value),
    price: plainText(held.price),
    decimals: Number(held.quantity.decimals),
    quantity: plainText(held.quantity.numeric),
    iconUrl: webLink(held.iconUrl) ?? '',
  }
}

type Asset = { kind: 'native' } | { kind: 'token'; address: string }
const native: Asset = { kind: 'native' }

/** The address comes bare or as CAIP-10. Only Ethereum's own asset has none: a Solana token must not pass for SOL. */
function assetOf({ chainId: chain, address }: Held): Asset | undefined {
  if (address === undefined || address === null || address === '')
    return chain.startsWith('eip155:') ? native : undefined
  const place = address.includes(':') ? chainAndAddress(address) : { chain, address }
  if (place?.chain !== chain || !isAddressOn(chain, place.address)) return undefined
  return isNativeMarker(chain, place.address) ? native : { kind: 'token', address: place.address }
}

/** @returns whether the quantity is whole base units of at most 64 bits on Solana, 256 elsewhere */
function fitsItsChain({ chainId: chain, quantity }: Held): boolean {
  const decimals = Number(quantity.decimals)
  const [whole = '', fraction = ''] = plainText(quantity.numeric).split('.')
  const digits = fraction.replace(/0+$/, '')
  if (digits.length > decimals) return false
  return BigInt(whole + digits.padEnd(decimals, '0')) < 1n << (isOfSolana(chain) ? 64n : 256n)
}

const priceShape = looseObject({
  address: absentable(nullable(accountId)),
  name: string({ most: 4096 }),
  symbol: label,
  iconUrl: maybe,
  price: decimal,
  decimals: absentable(nullable(wholeNumber(0, 77))),
})

/** Prices in dollars, as decimal text. `address` is CAIP-10, '' when the service gives none. */
export const readPrices = answerReader(looseObject({ fungibles: rawList(100) }), ({ fungibles }) => {
  const { entries, dropped } = keptEntries(fungibles, priceShape, one => ({
    address: one.address ?? '',
    name: labelText(one.name),
    symbol: labelText(one.symbol),
    iconUrl: webLink(one.iconUrl) ?? '',
    price: plainText(one.price),
    ...(typeof one.decimals === 'number' && { decimals: one.decimals }),
  }))
  return { fungibles: entries, dropped }
})
