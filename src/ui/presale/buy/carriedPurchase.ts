/**
 * A drafted purchase in the fragment of this page's address, for a wallet's own browser, which gets nothing of this page but its
 * address. Browsers send a fragment to no server. The ticked statements stay behind: they are ticked where the order is placed.
 */
import { type BaseUnits, isBaseUnits } from '../../../events/values/amount.ts'
import type { Quote } from '../../../events/sale/quote.ts'

/** `units` of the asset for `min` token base units at least, as the person saw it. */
type CarriedPurchase = { asset: string; units: BaseUnits; min: BaseUnits }

/** @returns the fragment, without its `#` */
export function carriedFragment({ asset, units, min }: Pick<Quote, 'asset' | 'units' | 'min'>): string {
  return new URLSearchParams({ asset, units, min }).toString()
}

/** @returns the purchase in a fragment; undefined when it carries none, `unreadable` when its parts do not fit */
export function readCarried(fragment: string): CarriedPurchase | 'unreadable' | undefined {
  if (!fragment.startsWith('#asset=')) return undefined
  const parts = new URLSearchParams(fragment.slice(1))
  const [asset = '', units, min] = ['asset', 'units', 'min'].map(name => parts.get(name) ?? undefined)
  const isWhole = /^[A-Za-z0-9]{1,12}$/.test(asset) && isBaseUnits(units) && isBaseUnits(min)
  return isWhole ? { asset, units, min } : 'unreadable'
}
