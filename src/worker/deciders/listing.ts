/**
 * The wallet directory: first the host's featured wallets and four of the service's, then 40 a page, of a search or of certified
 * wallets 100 a page.
 */
import { isFoundFor, isWhole, type ListingFilter } from '../../events/subjects/service/listing.ts'
import type { ListedWallet } from '../../events/subjects/service/listingFacts.ts'
import type { ListingView } from '../../events/subjects/service/listingState.ts'
import { referenceText } from '../../events/values/reference.ts'
import type { Ctx, Decider } from '../core/context.ts'
import { searchAbout } from './about.ts'
import { isUnderWay } from './order/underWay.ts'
import { anyVisible } from './page.ts'

const pageSize = 40
const searchSize = 100
/** The service's wallets that stand first, beside the host's. */
const topSize = 4
const beside: ReadonlySet<string> = new Set(['featured', 'excluded', 'top', 'bundled'])
/** Wait before the host's own lists are asked for again after a failure, ms. */
const againMs = 60_000

export const listing: Decider = {
  'listing.open': ctx => {
    if (isUnderWay(ctx, 'directory.read', 'top')) return
    const { featured, excluded = [], included: include = [] } = ctx.boot
    readListed(ctx, 'featured')
    readListed(ctx, 'excluded')
    const exclude = [...excluded, ...featured]
    ctx.effect('directory.read', { page: 1, entries: topSize, search: '', include, exclude }, { about: 'top' })
  },
  'listing.read': (ctx, { page, search, certified }) => {
    const selection = { search, ...(certified && { certified }) }
    const { listing } = ctx.model
    const isAll = isWhole(selection)
    const lane = isAll ? listing.all : listing.found
    const isSame = isAll || isFoundFor(listing, selection)
    if (isSame && lane.phase === 'reading') return
    // Pages come one after the other; a new selection begins with its first, and the whole list may begin anew
    if (page !== (isSame ? lane.pages + 1 : 1) && !(isAll && page === 1)) return
    ctx.fact('listing.asked', { page, ...selection })
    const { featured, excluded = [], included: include = [] } = ctx.boot
    const top = listing.top?.wallets.map(({ walletId }) => walletId) ?? []
    const anew = isAll ? [...top, ...excluded, ...featured] : excluded
    // Another list between two pages would shift them, and wallets would vanish in between
    const exclude = (page > 1 && isAll && ctx.transient.listingExclude) || anew
    if (isAll) ctx.transient.listingExclude = exclude
    ctx.effect(
      'directory.read',
      { page, entries: isAll ? pageSize : searchSize, ...selection, include, exclude },
      { about: isAll ? pageAbout(page) : selectionAbout(selection) },
    )
    if (page === 1 && isAll) readMissing(ctx)
  },
  'directory.read': (ctx, { page, search, certified, count, wallets }) => {
    switch (ctx.cause?.about) {
      case 'featured': {
        const { featured } = ctx.boot
        const inOrder = [...wallets].sort((a, b) => featured.indexOf(a.walletId) - featured.indexOf(b.walletId))
        return ctx.fact('listing.featuredRead', { wallets: inOrder })
      }
      case 'excluded':
        return ctx.fact('listing.excludedRead', {
          names: wallets.flatMap(({ name, rdns }) => (rdns ? [name, rdns] : [name])),
        })
      case 'top':
        return ctx.fact('listing.topRead', { count, wallets })
      case 'bundled':
        return readBundled(ctx, wallets)
      default:
        ctx.fact('listing.read', { page, search, count, wallets, ...(certified && { certified }) })
    }
  },
  'directory.failed': (ctx, asked) => {
    if (!missedBeside(ctx)) ctx.fact('listing.failed', asked)
  },
  failed: {
    'directory.read': (ctx, failure, about) => {
      if (missedBeside(ctx)) return
      const { all, found } = ctx.model.listing
      if (about === pageAbout(all.pages + 1)) ctx.fact('listing.failed', { page: all.pages + 1, search: '', failure })
      // The failure of an earlier selection is passed over
      else if (found.phase === 'reading' && about === selectionAbout(selectionOf(ctx.model.listing)))
        ctx.fact('listing.failed', { page: found.page, ...selectionOf(ctx.model.listing), failure })
    },
  },
  timers: {
    listing: ctx => {
      if (anyVisible(ctx)) readMissing(ctx)
      else readMissingLater(ctx)
    },
  },
  resume: ctx => {
    const { all, found } = ctx.model.listing
    const failure = { code: 'core_lost', message: 'the reading was interrupted' } as const
    if (all.phase === 'reading') ctx.fact('listing.failed', { page: all.page, search: '', failure })
    if (found.phase === 'reading')
      ctx.fact('listing.failed', { page: found.page, ...selectionOf(ctx.model.listing), failure })
  },
}

/** Asks for the wallets of one of the host's lists, by their ids. */
function readListed(ctx: Ctx, about: 'featured' | 'excluded'): void {
  const include = ctx.boot[about] ?? []
  if (include.length === 0 || isUnderWay(ctx, 'directory.read', about)) return
  ctx.effect('directory.read', { page: 1, entries: include.length, search: '', include, exclude: [] }, { about })
}

/** Asks for those of the host's lists that were not read. */
function readMissing(ctx: Ctx): void {
  const { featured, excluded } = ctx.model.listing
  if (featured.length === 0) readListed(ctx, 'featured')
  if (!excluded) readListed(ctx, 'excluded')
}

function readMissingLater(ctx: Ctx): void {
  ctx.effect('timer.set', { timerId: 'listing:missing', at: ctx.at + againMs })
}

/** Wallets of this build never outrank those of the service. */
function readBundled(ctx: Ctx, wallets: ListedWallet[]): void {
  if (!ctx.model.listing.top) ctx.fact('listing.topRead', { count: wallets.length, wallets, bundled: true })
}

/** @returns whether wallets beside the list were not read; this build has some that stand in, also for featured ones not read */
function missedBeside(ctx: Ctx): boolean {
  const about = ctx.cause?.about ?? ''
  const { featured, top } = ctx.model.listing
  if (about === 'top' && !top) {
    const { excluded = [], included: include = [] } = ctx.boot
    const exclude = [...excluded, ...featured.map(({ walletId }) => walletId)]
    const bundled = { page: 1, entries: topSize, search: '', include, exclude }
    ctx.effect('directory.read', { ...bundled, bundled: true }, { about: 'bundled' })
  } else if (about === 'bundled') readBundled(ctx, [])
  else if (about === 'featured' || about === 'excluded') readMissingLater(ctx)
  return beside.has(about)
}

/** The selection that `found` is of. */
function selectionOf({ search, certified }: ListingView): ListingFilter {
  return { search, ...(certified && { certified }) }
}

function pageAbout(page: number): string {
  return referenceText({ kind: 'page', id: String(page) })
}

function selectionAbout({ search, certified }: ListingFilter): string {
  return searchAbout(search, certified)
}
