/** The wallet directory: 40 a page, of a search or of certified wallets 100 a page, the host's chosen wallets first. */
import { isFoundFor, isWhole, type ListingFilter, type ListingView } from '../../events/subjects/listing.ts'
import { referenceText } from '../../events/values/reference.ts'
import type { Decider } from '../core/context.ts'
import { searchAbout } from './about.ts'

const pageSize = 40
const searchSize = 100

export const listing: Decider = {
  'listing.read': (ctx, { page, search, certified }) => {
    const selection = { search, ...(certified && { certified }) }
    const isAll = isWhole(selection)
    const lane = isAll ? ctx.model.listing.all : ctx.model.listing.found
    const isSame = isAll || isFoundFor(ctx.model.listing, selection)
    if (isSame && lane.phase === 'reading') return
    // Pages come one after the other; a new selection begins with its first
    if (page !== (isSame ? lane.pages + 1 : 1)) return
    ctx.fact('listing.asked', { page, ...selection })
    const { featured } = ctx.boot
    ctx.effect(
      'directory.read',
      { page, entries: isAll ? pageSize : searchSize, ...selection, include: [], exclude: isAll ? featured : [] },
      { about: isAll ? pageAbout(page) : selectionAbout(selection) },
    )
    if (page === 1 && isAll && ctx.model.listing.featured.length === 0 && featured.length > 0) {
      ctx.effect(
        'directory.read',
        { page: 1, entries: featured.length, search: '', include: featured, exclude: [] },
        { about: 'featured' },
      )
    }
  },
  'directory.read': (ctx, { page, search, certified, count, wallets }) => {
    if (ctx.cause?.about === 'featured') {
      const { featured } = ctx.boot
      const inOrder = [...wallets].sort((a, b) => featured.indexOf(a.walletId) - featured.indexOf(b.walletId))
      ctx.fact('listing.featuredRead', { wallets: inOrder })
      return
    }
    ctx.fact('listing.read', { page, search, count, wallets, ...(certified && { certified }) })
  },
  'directory.failed': (ctx, asked) => {
    if (ctx.cause?.about !== 'featured') ctx.fact('listing.failed', asked)
  },
  failed: {
    'directory.read': (ctx, failure, about) => {
      if (about === 'featured') return
      const { all, found } = ctx.model.listing
      if (about === pageAbout(all.pages + 1)) ctx.fact('listing.failed', { page: all.pages + 1, search: '', failure })
      // A selection that nobody waits for any more is passed over
      else if (found.phase === 'reading' && about === selectionAbout(selectionOf(ctx.model.listing)))
        ctx.fact('listing.failed', { page: found.page, ...selectionOf(ctx.model.listing), failure })
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
