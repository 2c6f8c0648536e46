import type { Context } from 'hono'
import { tokenAmount } from '../../solana/tokens.ts'
import { isCurrency, onWire, priceOf, valueOf } from '../prices.ts'
import { iconUrl } from '../tokens.ts'
import type { World } from '../world.ts'
import { namespaceOfAddress } from './addresses.ts'
import { refused } from './errors.ts'
import { evmHoldings, type Holding, solanaHoldings } from './holdings.ts'
import { servedIds } from './networks.ts'

/** `GET /v1/account/{address}/balance`: the account's tokens with their prices. */
export function accountBalance(c: Context, world: World): Response {
  const address = c.req.param('address') ?? ''
  const { chainId, currency = 'usd', forceUpdate } = c.req.query()
  const namespace = namespaceOfAddress(address)
  if (!isCurrency(currency)) return refused(c, 400, 'currency', `Unsupported currency: ${currency}`)
  if (chainId !== undefined && !servedIds(world).includes(chainId))
    return refused(c, 400, 'chainId', `We don't support the chainId you provided: ${chainId}`)
  if (!namespace || (chainId ?? 'eip155:1').split(':')[0] !== namespace)
    return refused(c, 400, 'address', `The address provided is invalid: ${address}`)
  if (forceUpdate !== undefined && namespace !== 'eip155')
    return refused(c, 400, '', 'forceUpdate is supported for eip155 only')
  if (isHeldBack(c, world)) return c.json({ balances: [] })
  const holdings =
    namespace === 'solana'
      ? solanaHoldings(world, address, chainId ?? '')
      : evmHoldings(address.toLowerCase(), chainId, forceUpdate?.split(',') ?? [])
  return c.json({ balances: holdings.map(one => onTheWire(c, one, priceOf(one.token.symbol, world.now(), currency))) })
}

/** Requests that the real service answers with an empty list: denied projects, no origin, no version or an old one. */
function isHeldBack(c: Context, { settings }: World): boolean {
  const { projectId = '', sv = c.req.header('x-sdk-version') } = c.req.query()
  return (
    settings().deniedProjects.includes(projectId) ||
    c.req.header('origin') === undefined ||
    sv === undefined ||
    /1\.6\.[45]$/.test(sv)
  )
}

function onTheWire(c: Context, { token, amount, chainId, address }: Holding, price: bigint): Record<string, unknown> {
  const { name, symbol, decimals } = token
  return {
    name,
    symbol,
    chainId,
    ...(address === undefined ? {} : { address }),
    value: onWire(valueOf(amount, decimals, price)),
    price: onWire(price),
    quantity: { decimals: String(decimals), numeric: tokenAmount(amount, decimals).uiAmountString },
    iconUrl: iconUrl(c.req.url, symbol),
  }
}
