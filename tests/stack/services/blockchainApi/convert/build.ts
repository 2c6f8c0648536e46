import type { Context } from 'hono'
import { bodyRecord } from '../../json.ts'
import { nativeEvm } from '../../tokens.ts'
import type { World } from '../../world.ts'
import { readCaip10 } from '../addresses.ts'
import { mismatch, refused, unreadable } from '../errors.ts'
import { projectRefusal } from '../project.ts'
import { converted, isAmount, pairOf } from './quotes.ts'
import { isSwapNetwork, swapToken, unsupportedChain } from './tokens.ts'

/** The contract that swaps and that a token is approved for. */
const router = '0x111111125421ca6dc452d289314280a0f8842a65'
const unlimited = (1n << 256n) - 1n
const gas = { standard: '1200000000', fast: '1500000000', instant: '2000000000' }

const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')

/** `GET /v1/convert/gas-price`: wei by speed. */
export function gasPrice(c: Context): Response {
  const { chainId = '' } = c.req.query()
  return isSwapNetwork(chainId) ? c.json(gas) : unsupportedChain(c, chainId)
}

/** `GET /v1/convert/allowance`: unlimited for a coin and for USDC, none for other tokens. */
export function allowance(c: Context): Response {
  const { tokenAddress, userAddress } = c.req.query()
  const token = swapToken(tokenAddress)
  if (!token) return refused(c, 400, '', `Unsupported token: ${tokenAddress}`)
  if (!readCaip10(userAddress ?? '')) return refused(c, 400, 'address', `Invalid address: ${userAddress}`)
  const isApproved = token.contract === nativeEvm || token.symbol === 'USDC'
  return c.json({ allowance: isApproved ? unlimited.toString() : '0' })
}

/** `GET /v1/convert/build-approve`: like the real service, `from` echoes the source token. */
export function buildApprove(c: Context): Response {
  const { from, to, userAddress, amount } = c.req.query()
  if (!readCaip10(userAddress ?? '')) return refused(c, 400, 'address', `Invalid address: ${userAddress}`)
  if (amount !== undefined && !isAmount(amount)) return refused(c, 400, '', `Invalid amount: ${amount}`)
  const pair = pairOf(c, from, to)
  if (pair instanceof Response) return pair
  const [{ chainId, contract }] = pair
  const data = `0x095ea7b3${word(router)}${word(amount === undefined ? unlimited : BigInt(amount))}`
  const eip155 = { gasPrice: gas.standard }
  return c.json({ tx: { from, to: `${chainId}:${contract}`, data, value: '0', eip155 } })
}

/** `POST /v1/convert/build-transaction`. */
export async function buildTransaction(c: Context, world: World): Promise<Response> {
  const body = await bodyRecord(c)
  if (!body) return unreadable(c, 'Failed to parse the request body as JSON')
  const { projectId, amount, from, to, userAddress, eip155 } = body
  const texts = [projectId, amount, from, to, userAddress]
  if (!texts.every(text => typeof text === 'string')) return mismatch(c)
  const refusal = projectRefusal(c, projectId as string)
  if (refusal) return refusal
  const slippage = (eip155 as { slippage?: unknown } | null | undefined)?.slippage
  if (eip155 === undefined || eip155 === null)
    return refused(c, 400, '', 'slippage parameter is necessary for the EVM conversion')
  if (typeof slippage !== 'number') return mismatch(c)
  if (!isAmount(amount)) return refused(c, 400, '', `Invalid amount: ${String(amount)}`)
  if (!readCaip10(userAddress as string)) return refused(c, 400, 'address', `Invalid address: ${String(userAddress)}`)
  const pair = pairOf(c, from as string, to as string)
  if (pair instanceof Response) return pair
  const [source, target] = pair
  const data = `0x12aa3caf${word(source.contract)}${word(target.contract)}${word(BigInt(amount))}`
  const bought = converted(world, BigInt(amount), pair).toString()
  const fees = { gas: '165000', gasPrice: gas.standard }
  return c.json({
    tx: { from: userAddress, to: `${source.chainId}:${router}`, data, amount: bought, eip155: fees },
  })
}
