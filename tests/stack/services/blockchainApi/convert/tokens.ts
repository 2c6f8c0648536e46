import type { Context } from 'hono'
import { evmCoin, evmTokens, iconUrl, type Token } from '../../tokens.ts'
import { readCaip10 } from '../addresses.ts'
import { refused } from '../errors.ts'

/** Networks with a swap provider. */
const swapNetworks = [1, 10, 56, 100, 137, 250, 324, 8217, 8453, 42161, 43114, 1313161554].map(id => `eip155:${id}`)

export const isSwapNetwork = (chainId: string): boolean => swapNetworks.includes(chainId)

const listed = (chainId: string): (Token & { address: string })[] => [evmCoin(chainId), ...evmTokens]

/** A token of a swap network by its CAIP-10 address. */
export function swapToken(text: string | undefined): (Token & { chainId: string; contract: string }) | undefined {
  const asked = readCaip10(text ?? '')
  if (!asked || !isSwapNetwork(asked.chainId)) return undefined
  const token = listed(asked.chainId).find(({ address }) => address === asked.address.toLowerCase())
  return token && { ...token, chainId: asked.chainId, contract: token.address }
}

export const unsupportedChain = (c: Context, chainId: string): Response =>
  refused(c, 400, 'chainId', `Chain ID ${chainId} is not supported`)

/** `GET /v1/convert/tokens`: tokens that can be swapped on a network; `address` narrows the list to one. */
export function convertTokens(c: Context): Response {
  const { chainId = '', address } = c.req.query()
  if (!isSwapNetwork(chainId)) return unsupportedChain(c, chainId)
  const wanted = address === undefined ? undefined : (readCaip10(address)?.address ?? address).toLowerCase()
  const found = listed(chainId).filter(one => wanted === undefined || one.address === wanted)
  const tokens = found.map(({ name, symbol, decimals, address: contract }) => ({
    name,
    symbol,
    address: `${chainId}:${contract}`,
    decimals,
    logoUri: symbol === 'DAI' ? null : iconUrl(c.req.url, symbol),
    eip2612: symbol === 'USDC' ? true : symbol === 'DAI' ? null : false,
  }))
  return c.json({ tokens })
}
