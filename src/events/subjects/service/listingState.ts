/** State of the directory: schemas from which the types follow. */
import { failure } from '../../schema/fields.ts'
import {
  integer,
  isSo,
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
} from '../../../runtime/schema/registry.ts'
import { type ListedWallet, listingFacts } from './listingFacts.ts'

/** A list read page by page, without its wallets. `count` is the service's total. */
function walletListState() {
  return situations(
    { idle: {}, reading: { page: openField(integer) }, failed: { page: openField(integer), failure } },
    { pages: openField(integer), count: openField(integer) },
  )
}

/**
 * The directory without the wallets of its lists. `found` is the latest search only, with its text `search` and its filter
 * `certified`; `top` is absent until the service's first wallets are known, `excluded` until the host's excluded ones are.
 */
export function listingState() {
  const walletList = walletListState()
  return shape({
    all: walletList,
    search: personal(text),
    certified: optional(openField(isSo)),
    found: walletList,
    top: optional(shape(listingFacts['listing.topRead'].fields)),
    excluded: optional(listingFacts['listing.excludedRead'].fields.names),
  })
}

/** The part of a list that was read so far. */
type Wallets = { wallets: ListedWallet[] }
export type WalletList = StateOf<typeof walletListState> & Wallets
export type ListingView = StateOf<typeof listingState> & { all: Wallets; featured: ListedWallet[]; found: Wallets }
