import type { Context } from 'hono'
import { bodyRecord } from '../json.ts'
import { isCurrency, onWire, priceOf } from '../prices.ts'
import { evmCoin, evmTokens, iconUrl, namedTokens, nativeEvm, nativeSolana, sol, type Token } from '../tokens.ts'
import type { World } from '../world.ts'
import { readCaip10 } from './addresses.ts'
import { mismatch, refused, unreadable } from './errors.ts'
import { projectRefusal } from './project.ts'

/** `POST /v1/fungible/price`: like the real service it prices the first address only. */
export async function fungiblePrice(c: Context, world: World): Promise<Response> {
  const body = await bodyRecord(c)
  if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
  const { currency, addresses, projectId } = body
  if (typeof projectId !== 'string' || !Array.isArray(addresses) || !isCurrency(currency)) return mismatch(c)
  const refusal = projectRefusal(c, projectId)
  if (refusal) return refusal
  if (addresses.length === 0) return refused(c, 400, '', 'addresses must not be empty')
  const [address] = addresses as unknown[]
  const token = typeof address === 'string' ? pricedToken(world, address) : undefined
  if (!token) return refused(c, 400, 'asset', `Unknown token: ${String(address)}`)
  const { name, symbol, decimals } = token
  const price = onWire(priceOf(symbol, world.now(), currency))
  return c.json({ fungibles: [{ address, name, symbol, iconUrl: iconUrl(c.req.url, symbol), price, decimals }] })
}

/** The token of a CAIP-10 address. */
export function pricedToken(world: World, text: string): Token | undefined {
  const asked = readCaip10(text)
  if (asked?.chainId.startsWith('solana:')) {
    if (asked.address === nativeSolana) return sol
    return namedTokens(world).find(one => one.address === asked.address)
  }
  const address = asked?.address.toLowerCase()
  if (address === nativeEvm) return evmCoin(asked?.chainId ?? '')
  return evmTokens.find(one => one.address === address)
}
