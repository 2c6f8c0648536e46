/** Shapes of the values under the keys, as far as a reader uses them; further members stay as they are. */
import { finite, listShape, objectShape, type Shape, type ShapeOf, tableShape, textShape } from './shape.ts'

const text = textShape()
const id = textShape({ least: 1, most: 200 })
const perhaps: Shape<string | null> = (value): value is string | null => value === null || text(value)
/** `namespace:reference` (CAIP-2). */
export const caip2 = textShape({ grammar: /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/ })
/** ms since the Unix epoch */
const timestamp: Shape<number> = (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const account = objectShape({ address: id }, { type: text, publicKey: text })
const accounts: Shape<ShapeOf<typeof account>[]> = (value): value is ShapeOf<typeof account>[] =>
  listShape(account)(value) && value.length > 0
/** A connector with its accounts. A foreign `caipNetwork` may carry RPC URLs: only its id is read. */
export const connectionShape = objectShape(
  { connectorId: id, accounts },
  { caipNetwork: objectShape({ caipNetworkId: caip2 }), name: text },
)
export type StoredConnection = ShapeOf<typeof connectionShape>

/** A wallet of the directory, with the names of the directory's own fields. */
export const walletShape = objectShape(
  { id, name: id },
  {
    homepage: perhaps,
    image_id: perhaps,
    mobile_link: perhaps,
    desktop_link: perhaps,
    webapp_link: perhaps,
    app_store: perhaps,
    play_store: perhaps,
    chrome_store: perhaps,
    rdns: perhaps,
  },
)
export type StoredWallet = ShapeOf<typeof walletShape>

/** `href` opens the wallet. */
export const deepLinkShape = objectShape({ href: textShape({ least: 1 }), name: text })
export type DeepLinkChoice = ShapeOf<typeof deepLinkShape>

/** `balance` is a plain decimal of whole coins: `"2"` or `"0.000000001"`. */
export const nativeBalanceShape = objectShape({
  caipAddress: id,
  balance: textShape({ grammar: /^\d{1,39}(?:\.\d{1,39})?$/ }),
  symbol: id,
  timestamp,
})
export type NativeBalance = ShapeOf<typeof nativeBalanceShape>

const heldToken = objectShape({
  name: text,
  symbol: text,
  chainId: text,
  price: finite,
  quantity: objectShape({ decimals: text, numeric: text }),
})
export const portfolioShape = objectShape({
  caipAddress: id,
  balance: objectShape({ balances: listShape(heldToken) }),
  timestamp,
})
export const ensShape = objectShape({ address: id, ens: listShape(objectShape({ name: text })), timestamp })
export const identityShape = objectShape({ identity: objectShape({}, { name: perhaps, avatar: perhaps }), timestamp })
/** By network (CAIP-2), or by an empty name for all networks. */
export const historyShape = tableShape(
  objectShape({
    timestamp,
    transactions: objectShape({ data: listShape(objectShape({ id: text })) }, { next: perhaps }),
  }),
)
export const priceShape = objectShape({
  timestamp,
  tokenPrice: objectShape({ fungibles: listShape(objectShape({ name: text, symbol: text, price: finite })) }),
})
export const versionShape = objectShape({ timestamp, version: id })

/** Addresses by namespace and connector id that this mirror wrote, and the link it chose. */
export const writtenShape = objectShape({ connections: tableShape(tableShape(listShape(id))) }, { href: text })
export type Written = ShapeOf<typeof writtenShape>
