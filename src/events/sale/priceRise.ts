/**
 * Stand-ins for a price that rose between the press and the gate, which refused the order: they must rise as well. The value
 * that rose gets a stand-in that puts the position into the last stage; all before stays far below.
 */
import type { MovedQuote, OrderLimits, SaleSeen } from '../recording/orderLimits.ts'
import type { SaleBounds } from './saleBounds.ts'
import { stageAt } from './price.ts'

type PriceRise = {
  /** the asset whose balance rose, or `pos` */
  name: string
  /** values from here on have stand-ins from `least` to `most` */
  from: bigint
  least: bigint
  most: bigint
  /** @returns stand-ins of the quote such an order got and of the least it accepts */
  quoteOf(moved: MovedQuote, units: bigint): { quoted: bigint; min: bigint }
}

type Span = { least: bigint; most: bigint }
type Prices = NonNullable<SaleBounds['prices']>

/** @returns the range of stand-ins for the sale's earlier holdings, out of a total */
export function lowSpan(total: bigint): Span {
  const least = total / 8n > 0n ? total / 8n : 1n
  return { least, most: least + total / 64n }
}

/** @returns undefined when no order was refused for a rise, or the terms leave no room for one */
export function priceRise({ prices, totals }: SaleBounds, { movedQuotes }: OrderLimits): PriceRise | undefined {
  const [moved] = movedQuotes
  const last = prices?.curve.stages.at(-1)
  if (!moved || !prices || !last) return undefined
  const { curve, rates, mostCredits } = prices
  const spanOf = (name: string, value = '0'): Span =>
    value === '0' ? { least: 0n, most: 0n } : lowSpan(totals.get(name) ?? 0n)
  /** Credits received in these assets since the checkpoint, by their stand-ins. */
  const received = ({ balances, mark }: SaleSeen, but?: string) =>
    [...rates].reduce((sum, [symbol, rate]) => {
      if (symbol === but || balances[symbol] === mark[symbol]) return sum
      return sum + (spanOf(symbol, balances[symbol]).most - spanOf(symbol, mark[symbol]).least) * rate
    }, 0n)
  const { before, after } = moved
  const farthest = spanOf('pos', before.pos).most + received(before) + mostCredits
  const price = stageAt(curve, farthest, 0).stage?.price ?? last.price
  if (price >= last.price) return undefined

  const { name, from } = whatRose(before, after, prices)
  const room = (totals.get(name) ?? 0n) / 64n
  const isPosition = name === 'pos'
  const rate = isPosition ? 1n : (rates.get(name) ?? 1n)
  const [pos, mark] = [spanOf('pos', after.pos), spanOf(name, after.mark[name])]
  const least = isPosition ? last.start : (last.start - pos.least) / rate + mark.most + 1n
  const most = least + room
  const reached = isPosition ? most + received(after) : pos.most + (most - mark.least) * rate + received(after, name)
  if (reached + mostCredits > curve.hardCap) return undefined
  return {
    name,
    from,
    least,
    most,
    quoteOf({ asset }, units) {
      const credits = units * (rates.get(asset) ?? 0n) * curve.whole
      const [then, now] = [credits / price, credits / last.price]
      return { quoted: then, min: (then + now) / 2n }
    },
  }
}

/** A new checkpoint's position, else the asset with the largest gain. */
function whatRose(before: SaleSeen, after: SaleSeen, { rates }: Prices): { name: string; from: bigint } {
  const [was, is] = [BigInt(before.pos), BigInt(after.pos)]
  if (is > was) return { name: 'pos', from: was + 1n }
  let found = { name: 'pos', from: was + 1n, credits: 0n }
  for (const [name, rate] of rates) {
    const held = BigInt(before.balances[name] ?? '0')
    const credits = (BigInt(after.balances[name] ?? '0') - held) * rate
    if (credits > found.credits) found = { name, from: held + 1n, credits }
  }
  return found
}
