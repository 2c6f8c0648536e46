/** Whether the sale takes this order as things stand: asked at the press, and again just before money can move. */
import type { Failure } from '../../events/failure.ts'
import { quotePaying } from '../../events/values/quote.ts'
import { baseline, readSale, type Sale } from '../../events/values/sale.ts'
import type { Ctx } from '../context.ts'

/** @returns the sale worked out from what was read last, or undefined while something is missing */
export function saleNow(ctx: Ctx): Sale | undefined {
  const { terms, reading, notices } = ctx.model.sale
  if (terms.phase !== 'read' || !reading) return undefined
  const mark = notices?.checkpoint ?? baseline({})
  const time = reading.chainTime + Math.max(0, ctx.at - reading.readAt)
  return readSale(terms.terms, mark, reading.balances, time, notices ?? { paused: false, closed: false })
}

/** @returns why the sale takes no order now, or undefined */
export function saleRefusal(ctx: Ctx): Failure | undefined {
  if (ctx.model.sale.distrust) return ctx.model.sale.distrust
  const sale = saleNow(ctx)
  if (!sale) return { code: 'unreachable', message: 'an order expected the state of the sale to be read, it is not' }
  switch (sale.state) {
    case 'live':
      return undefined
    case 'soon':
      return { code: 'not_started', message: 'the sale has not begun' }
    case 'paused':
      return { code: 'paused', message: 'the team paused the sale' }
    case 'soldOut':
      return { code: 'sold_out', message: 'the sale is sold out' }
    default:
      return { code: 'ended', message: 'the sale is over' }
  }
}

/** @returns why this amount is not taken, or undefined: too little, too much, or fewer tokens than were agreed */
export function quoteRefusal(
  ctx: Ctx,
  { asset, units, min }: { asset: string; units: string; min: string },
): Failure | undefined {
  const { terms } = ctx.model.sale
  const sale = saleNow(ctx)
  if (terms.phase !== 'read' || !sale)
    return { code: 'unreachable', message: 'an order expected the state of the sale to be read, it is not' }
  const { assets, minOrder, maxBuyer } = terms.terms
  if (!assets.some(listed => listed.symbol === asset)) {
    return { code: 'bad_input', message: `an order expected an asset of the terms, got ${asset.slice(0, 10)}` }
  }
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, asset, units)
  const credits = BigInt(quote.credits)
  if (credits < BigInt(minOrder) && credits < BigInt(sale.remaining)) {
    return { code: 'bad_input', message: `an order expected at least ${minOrder} credits, got ${quote.credits}` }
  }
  if (credits > BigInt(maxBuyer))
    return { code: 'bad_input', message: `an order expected at most ${maxBuyer} credits, got ${quote.credits}` }
  const accepted = BigInt(units) - BigInt(quote.overCap)
  if (accepted <= 0n || BigInt(min) === 0n || BigInt(quote.tokens) * BigInt(units) < BigInt(min) * accepted) {
    const message = `the quote expected at least ${min} tokens, the sale gives ${quote.tokens} now`
    return { code: 'stale_quote', message, facts: { tokens: quote.tokens, min } }
  }
  return undefined
}
