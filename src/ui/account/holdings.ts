import type { Model } from '../../events/app.ts'
import { formatAmount } from '../../events/values/amount.ts'
import { unprovedMint } from '../../events/sale/knownMints.ts'
import { shortAddress } from '../kit/Address.tsx'

/**
 * An asset that an account holds, as it is read: `12.481 SOL`, floored. It is `proved` when its symbol alone tells which asset it is;
 * the name of any other is its mint.
 */
type Holding = { symbol: string; name: string; figure: string; proved: boolean }

/** Digits after the point; what is held is floored, so that it is never more than there is. */
const shownDecimals = 3
const names: Record<string, string> = { SOL: 'Solana', USDC: 'USD Coin' }
const usualDecimals: Record<string, number> = { SOL: 9, USDC: 6 }

/**
 * What an account holds, SOL first.
 *
 * @returns undefined while nothing was ever read; an asset whose decimals nobody knows is left out
 */
export function holdingsOf(model: Pick<Model, 'balance' | 'sale'>, account: string): Holding[] | undefined {
  const balance = model.balance[account]
  if (!balance || balance.readAt === 0) return undefined
  const { terms } = model.sale
  const listed = terms.phase === 'read' ? terms.terms.assets : []
  const symbols = Object.keys(balance.amounts).sort((a, b) => Number(b === 'SOL') - Number(a === 'SOL'))
  return symbols.flatMap(symbol => {
    const asset = listed.find(one => one.symbol === symbol)
    const mint = asset && terms.phase === 'read' ? unprovedMint(terms.terms, asset) : undefined
    const decimals = asset?.decimals ?? usualDecimals[symbol]
    const units = balance.amounts[symbol]
    if (decimals === undefined || units === undefined) return []
    const figure = formatAmount(units, decimals, { maxDecimals: shownDecimals, minDecimals: shownDecimals })
    const proved = symbol === 'SOL' || (asset !== undefined && mint === undefined)
    const name = mint === undefined ? (proved ? names[symbol] : undefined) : `Mint ${shortAddress(mint)}`
    return [{ symbol, name: name ?? symbol, figure, proved }]
  })
}
