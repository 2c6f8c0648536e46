import type { Model } from '../../../events/app.ts'
import { unprovedMint } from '../../../events/sale/terms/knownMints.ts'
import { shortAddress } from '../../../events/values/solana/shortAddress.ts'
import { accountArea } from '../../texts/account/en.ts'
import { type Language, textsIn } from '../../texts/language.tsx'
import { amountsIn, balanceDecimals } from '../../texts/amounts.ts'

/**
 * An asset of an account; `figure` is rounded down, as in `12.481`. `proved`: the symbol alone identifies the asset. Any other
 * asset is named by its mint.
 */
type Holding = { symbol: string; name: string; figure: string; proved: boolean }

const names: Record<string, string> = { SOL: 'Solana', USDC: 'USD Coin' }
const usualDecimals: Record<string, number> = { SOL: 9, USDC: 6 }

/**
 * Holdings of an account, SOL first; assets with unknown decimals are left out.
 *
 * @returns undefined before the first reading
 */
export function holdingsOf(
  language: Language,
  model: Pick<Model, 'balance' | 'sale'>,
  account: string,
): Holding[] | undefined {
  const amount = amountsIn(language)
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
    const figure = amount(units, decimals, { maxDecimals: balanceDecimals, minDecimals: balanceDecimals })
    const proved = symbol === 'SOL' || (asset !== undefined && mint === undefined)
    const name =
      mint === undefined
        ? proved
          ? names[symbol]
          : undefined
        : textsIn(accountArea, language).mint(shortAddress(mint))
    return [{ symbol, name: name ?? symbol, figure, proved }]
  })
}
