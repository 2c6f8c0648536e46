/** Apart from the sale's facts, whose shapes the page's first chunk does not need. */
import type { SaleView } from './sale.ts'

/**
 * @param own the page's sale
 * @returns whether the terms are another sale's: from an earlier visit, or from a tab for that sale
 */
export function isOtherSale(
  { terms }: Pick<SaleView, 'terms'>,
  own: { authority: string; id: string } | undefined,
): boolean {
  if (!own || terms.phase !== 'read') return false
  return terms.terms.authority !== own.authority || terms.terms.id !== own.id
}
