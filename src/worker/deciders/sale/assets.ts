import type { Ctx } from '../../core/context.ts'

/** @returns the assets with relevant balances: those of the terms once read, else SOL alone */
export function assetsToRead(ctx: Ctx): { symbol: string; mint?: string }[] {
  const { terms } = ctx.model.sale
  if (terms.phase !== 'read') return [{ symbol: 'SOL' }]
  const assets = terms.terms.assets.map(asset =>
    asset.mint === undefined ? { symbol: asset.symbol } : { symbol: asset.symbol, mint: asset.mint },
  )
  return assets.some(asset => !('mint' in asset)) ? assets : [{ symbol: 'SOL' }, ...assets]
}
