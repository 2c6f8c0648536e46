import type { Context } from 'hono'
import { priceOf } from '../../prices.ts'
import type { World } from '../../world.ts'
import { refused } from '../errors.ts'
import { swapToken } from './tokens.ts'

type SwapToken = NonNullable<ReturnType<typeof swapToken>>

/** The two tokens of a swap on one network, or the refusal. */
export function pairOf(
  c: Context,
  from: string | undefined,
  to: string | undefined,
): [SwapToken, SwapToken] | Response {
  const [source, target] = [swapToken(from), swapToken(to)]
  if (!source || !target) return refused(c, 400, '', `Unsupported token: ${source ? to : from}`)
  if (source.chainId !== target.chainId) return refused(c, 400, '', 'from and to must be on the same chain')
  return [source, target]
}

/** Base units of `to` for base units of `from` at the clock's prices, rounded down. */
export function converted(world: World, amount: bigint, [from, to]: [SwapToken, SwapToken]): bigint {
  const [paid, bought] = [priceOf(from.symbol, world.now()), priceOf(to.symbol, world.now())]
  return bought === 0n ? 0n : (amount * paid * 10n ** BigInt(to.decimals)) / (bought * 10n ** BigInt(from.decimals))
}

export const isAmount = (text: unknown): text is string => typeof text === 'string' && /^\d{1,78}$/.test(text)

/** `GET /v1/convert/quotes`: one quote, none when the amount buys nothing. */
export function convertQuotes(c: Context, world: World): Response {
  const { amount, from, to } = c.req.query()
  if (!isAmount(amount)) return refused(c, 400, '', `Invalid amount: ${amount}`)
  const pair = pairOf(c, from, to)
  if (pair instanceof Response) return pair
  const toAmount = converted(world, BigInt(amount), pair)
  if (toAmount === 0n) return c.json({ quotes: [] })
  return c.json({
    quotes: [{ id: null, fromAmount: amount, fromAccount: from, toAmount: toAmount.toString(), toAccount: to }],
  })
}
