/** The wallet directory: 40 a page, a search of one page of 100, the host's chosen wallets first. */
import type { Decider } from '../context.ts'
import { restOf, searchAbout } from './about.ts'

const pageSize = 40
const searchSize = 100

export const listing: Decider = {
  'listing.read': (ctx, { page, search }) => {
    const lane = search === '' ? ctx.model.listing.all : ctx.model.listing.found
    const sameSearch = search === '' || search === ctx.model.listing.search
    if (sameSearch && lane.phase === 'reading') return
    // Pages come one after the other; a new search begins with its first
    if (page !== (sameSearch ? lane.pages + 1 : 1)) return
    ctx.fact('listing.asked', { page, search })
    const exclude = search === '' ? ctx.boot.featured : []
    ctx.effect(
      'directory.read',
      { page, entries: search === '' ? pageSize : searchSize, search, include: [], exclude },
      { about: search === '' ? `page:${page}` : searchAbout(search) },
    )
    if (page === 1 && search === '' && ctx.model.listing.featured.length === 0 && ctx.boot.featured.length > 0) {
      const { featured } = ctx.boot
      ctx.effect(
        'directory.read',
        { page: 1, entries: featured.length, search: '', include: featured, exclude: [] },
        { about: 'featured' },
      )
    }
  },
  'directory.read': (ctx, { page, search, count, wallets }) => {
    if (ctx.cause?.about === 'featured') {
      const { featured } = ctx.boot
      const inOrder = [...wallets].sort((a, b) => featured.indexOf(a.walletId) - featured.indexOf(b.walletId))
      ctx.fact('listing.featuredRead', { wallets: inOrder })
      return
    }
    ctx.fact('listing.read', { page, search, count, wallets })
  },
  'directory.failed': (ctx, { page, search, failure }) => {
    if (ctx.cause?.about !== 'featured') ctx.fact('listing.failed', { page, search, failure })
  },
  'effect.failed': (ctx, { failure }) => {
    if (ctx.cause?.type !== 'directory.read' || ctx.cause.about === 'featured') return
    const { found, search } = ctx.model.listing
    const asked = restOf(ctx.cause.about)
    const isSearch = ctx.cause.about === searchAbout(asked)
    if (!isSearch) ctx.fact('listing.failed', { page: Number(asked), search: '', failure })
    // A search that nobody waits for any more
    else if (asked === search && found.phase === 'reading')
      ctx.fact('listing.failed', { page: found.page, search, failure })
  },
  resume: ctx => {
    const { all, found } = ctx.model.listing
    const failure = { code: 'core_lost', message: 'the reading was interrupted' } as const
    if (all.phase === 'reading') ctx.fact('listing.failed', { page: all.page, search: '', failure })
    if (found.phase === 'reading')
      ctx.fact('listing.failed', { page: found.page, search: ctx.model.listing.search, failure })
  },
}
