import { Fault } from '../../../runtime/failure.ts'
import type { Terms, TermsAsset } from './termsShape.ts'

/**
 * @returns the asset of that symbol
 * @throws Fault `bad_input` when the terms do not list it
 */
export function assetOf(terms: Pick<Terms, 'assets'>, symbol: string): TermsAsset {
  const asset = terms.assets.find(listed => listed.symbol === symbol)
  if (!asset) {
    const listed = terms.assets.map(one => one.symbol).join(', ')
    throw new Fault('bad_input', `an order expected one of ${listed}, got "${symbol.slice(0, 20)}"`)
  }
  return asset
}
