import type { OrderToBuild } from '../../../events/effect.ts'
import { assetOf } from '../../../events/sale/asset.ts'
import type { Terms } from '../../../events/sale/termsShape.ts'
import { associatedTokenAddress } from './ata.ts'
import { buyerRef, orderRef, presaleRef } from './references.ts'

/** Keys that follow from an order and its terms by hashing alone: `source` and `destination` are there for tokens. */
type OrderKeys = { references: string[]; source?: string; destination?: string }

/**
 * Derives an order's keys without looking at any transaction. The core compares with them: it cannot hash itself, for in a
 * redacted recording every address is a token, of which no hash fits.
 *
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes, or the terms do not list the asset
 * @see reference "Presale", §6
 */
export function orderKeys(order: OrderToBuild, terms: Terms): OrderKeys {
  const presale = presaleRef(terms.authority, terms.id)
  const { account, orderKey } = order
  const references = [presale, buyerRef(presale, account), orderRef(presale, account, orderKey)]
  const { mint } = assetOf(terms, order.asset)
  if (mint === undefined) return { references }
  const source = associatedTokenAddress(account, mint)
  return { references, source, destination: associatedTokenAddress(terms.treasury, mint) }
}
