/** The directory of wallets that the wallet service offers. */
import type { ListingFact } from './listingFacts.ts'
import type { ListingView } from './listingState.ts'

/** A query of the directory: an empty text without `certified` is the whole directory. */
export type ListingFilter = { search: string; certified?: true }

/** @returns whether this query is the whole directory, which has a list of its own */
export function isWhole({ search, certified }: ListingFilter): boolean {
  return search === '' && certified !== true
}
/** @returns whether `found` holds this query's result */
export function isFoundFor({ search, certified }: ListingView, ask: ListingFilter): boolean {
  return search === ask.search && certified === ask.certified && !isWhole(ask)
}

export function foldListing(model: { listing: ListingView }, fact: ListingFact): void {
  const listing = model.listing
  if (fact.type === 'listing.topRead') return void (listing.top = fact.data)
  if (fact.type === 'listing.featuredRead') return void (listing.featured = fact.data.wallets)
  if (fact.type === 'listing.excludedRead') return void (listing.excluded = fact.data.names)
  const { page, search, certified } = fact.data
  const lane = isWhole(fact.data) ? 'all' : 'found'
  const isOther = lane === 'found' && !isFoundFor(listing, fact.data)
  const { phase, pages, count, wallets } = listing[lane]
  const known = { pages, count, wallets }
  if (fact.type === 'listing.asked') {
    if (isOther) {
      listing.search = search
      if (certified) listing.certified = true
      else delete listing.certified
      listing.found = { phase: 'reading', page, pages: 0, count: 0, wallets: [] }
      return
    }
    if (phase !== 'reading' && isDue(page, pages)) listing[lane] = { phase: 'reading', page, ...known }
    return
  }
  if (isOther) return
  if (fact.type === 'listing.failed') {
    if (phase === 'reading') listing[lane] = { phase: 'failed', page, failure: fact.data.failure, ...known }
    return
  }
  if (fact.type !== 'listing.read' || !isDue(page, pages)) return
  const before = page === 1 ? [] : wallets
  const ids = new Set(before.map(wallet => wallet.walletId))
  const fresh = fact.data.wallets.filter(wallet => !ids.has(wallet.walletId))
  listing[lane] = { phase: 'idle', pages: page, count: fact.data.count, wallets: [...before, ...fresh] }
}

/** Pages come one after the other; the first one again begins anew. */
function isDue(page: number, pages: number): boolean {
  return page === pages + 1 || page === 1
}
