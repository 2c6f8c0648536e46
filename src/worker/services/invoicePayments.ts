/** Payments found under the reference key of codes, each given to the code that it pays. */
import { type InvoiceOrder, isOrderOf } from '../../events/subjects/sale/invoice.ts'
import type { Purchase } from '../../events/subjects/sale/purchase.ts'

/** A code whose payment is looked for; `signature`: of the payment known so far. */
type Sought = Omit<InvoiceOrder, 'orderKey'> & { invoiceId: string; signature?: string }

/**
 * An order goes to the code whose order it is. Another payment goes to a code without one: by the memo that it does not keep, by its
 * amount, else to the newest. A known payment stays where it is.
 *
 * @param found oldest first
 * @param codes newest first, all under this key
 * @returns at most one payment of each code, by its invoice
 */
export function givenTo<Found extends { payment: Purchase }>(
  found: readonly Found[],
  { orderKey, codes }: { orderKey: string; codes: readonly Sought[] },
): Map<string, Found> {
  const given = new Map<string, Found>()
  const give = (one: Found, among: readonly Sought[]) => {
    const rank = (code: Sought) => rankOf(code, one.payment)
    // A stable sort keeps the newest first
    const [code] = among.filter(({ invoiceId }) => !given.has(invoiceId)).sort((a, b) => rank(b) - rank(a))
    if (code) given.set(code.invoiceId, one)
  }
  const orderOf = ({ payment }: Found) => codes.filter(code => isOrderOf({ ...code, orderKey }, payment))
  for (const one of found) give(one, orderOf(one))
  for (const one of found) if (orderOf(one).length === 0) give(one, codes)
  return given
}

function rankOf(code: Sought, { signature, asset, units, quoted, terms }: Purchase): number {
  const isMemo = quoted === code.quoted && terms === code.termsHash.slice(0, 16)
  const isAmount = asset === code.asset && units === code.units
  const likeness = isMemo ? 2 : isAmount ? 1 : 0
  return (signature === code.signature ? 8 : 0) + likeness * 2 + (code.signature === undefined ? 1 : 0)
}
