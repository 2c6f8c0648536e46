/** The directory of wallets that the wallet service offers. */
import { failure } from '../../schema/fields.ts'
import {
  define,
  flag,
  id,
  integer,
  isSo,
  list,
  openField,
  optional,
  personal,
  shape,
  situations,
  type StateOf,
  text,
  type UnionOf,
  v1,
} from '../../../runtime/schema/registry.ts'

/** One entry of the directory, as facts and inputs carry it. */
export const listedWallet = /* @__PURE__ */ shape({
  walletId: openField(id),
  name: openField(text),
  imageId: optional(openField(id)),
  homepage: optional(openField(text)),
  mobileLink: optional(openField(text)),
  desktopLink: optional(openField(text)),
  webappLink: optional(openField(text)),
  appStore: optional(openField(text)),
  playStore: optional(openField(text)),
  chromeStore: optional(openField(text)),
  rdns: optional(openField(text)),
  certified: openField(flag),
})

export const listingFacts = define({
  /** `page` counts from 1; `certified`: only wallets with the service's badge. */
  'listing.asked': v1({ page: openField(integer), search: personal(text), certified: optional(openField(isSo)) }),
  'listing.read': v1({
    page: openField(integer),
    search: personal(text),
    count: openField(integer),
    wallets: list(listedWallet),
    certified: optional(openField(isSo)),
  }),
  'listing.featuredRead': v1({ wallets: list(listedWallet) }),
  /** The service's first wallets beside the host's own, of `count`; `bundled`: those that came with this build. */
  'listing.topRead': v1({ count: openField(integer), wallets: list(listedWallet), bundled: optional(openField(isSo)) }),
  /** Names, and reversed host names, of the wallets that the host leaves out: no other wallet of such a name is offered. */
  'listing.excludedRead': v1({ names: list(openField(text)) }),
  'listing.failed': v1({
    page: openField(integer),
    search: personal(text),
    failure,
    certified: optional(openField(isSo)),
  }),
})
export type ListingFact = UnionOf<typeof listingFacts>

/** One entry of the directory. Absent fields are unknown. */
export type ListedWallet = StateOf<() => typeof listedWallet>

/** A list read page by page, without its wallets. `count` is the service's total. */
export function walletListState() {
  return situations(
    { idle: {}, reading: { page: openField(integer) }, failed: { page: openField(integer), failure } },
    { pages: openField(integer), count: openField(integer) },
  )
}
/** `wallets` is the part read so far. */
export type WalletList = StateOf<typeof walletListState> & { wallets: ListedWallet[] }

/**
 * `found` holds the latest search only, with its text `search` and its filter `certified`; `top` is absent until the service's
 * first wallets are known, `excluded` until the host's excluded ones are.
 */
export type ListingView = {
  all: WalletList
  featured: ListedWallet[]
  top?: { count: number; wallets: ListedWallet[]; bundled?: true }
  excluded?: string[]
  search: string
  certified?: true
  found: WalletList
}

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
