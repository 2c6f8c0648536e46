/** Facts of the directory of wallets that the wallet service offers. */
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
