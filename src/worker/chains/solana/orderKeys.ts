import type { OrderToBuild, SendToBuild } from '../../../events/effect.ts'
import { assetOf } from '../../../events/sale/terms/asset.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import { associatedTokenAddress } from './ata.ts'
import { buyerRef, orderRef, presaleRef, sendRef } from './references.ts'

/** Keys derived from an order and its terms by hashing; `source` and `destination` exist for tokens only. */
type OrderKeys = { references: string[]; source?: string; destination?: string }

/**
 * Derives an order's keys without reading a transaction. The core compares with them and cannot hash itself: in a redacted
 * recording every address is a token, so no hash would match.
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

/**
 * Derives a transfer's keys in the same way; `destination` exists for tokens only.
 *
 * @throws Fault `bad_input` when a key is not base58 of 32 bytes
 */
export function sendKeys({ account, orderKey, to, mint, program }: SendToBuild): {
  reference: string
  destination?: string
} {
  const reference = sendRef(account, orderKey)
  return mint === undefined ? { reference } : { reference, destination: associatedTokenAddress(to, mint, program) }
}
