/** The sale: its terms are compared with the announced ones, its state is read every half minute while a page is visible. */
import type { EffectType } from '../../../events/effect.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { isOfThisLife, sameMint } from '../../../events/subjects/sale/sale.ts'
import { chainTimeAt } from '../../../events/sale/saleNow.ts'
import type { Terms } from '../../../events/sale/terms/terms.ts'
import type { Ctx, Decider } from '../../core/context.ts'
import { refreshActiveBalance } from './balance.ts'
import { backoff } from '../relay/backoff.ts'
import { anyVisible } from '../page.ts'
import { contradicts } from '../../rpc/contradicts.ts'
import { distrust, distrustChain } from './distrust.ts'
import { isBelieved, saleWatch } from './plausible.ts'
import { isUnderWay } from '../order/underWay.ts'

/** Middle of the waits where the driver sets none, as older ones did, ms. */
const usualMs = 24_000
/**
 * Half the range of a wait. A poll is one request, notices with every third are one more, and a relay's socket is tested every two
 * minutes: less than four a minute.
 */
const spreadMs = 4000
/** Age of the notices at which somebody who comes back reads them, ms. */
const noticesAgeMs = 60_000
/** Notices are read with every n-th reading of the balances, at the pace of the driver; older ones set none. */
const usualPace = 4

/** Reads the treasury's accounts and the chain's clock. */
export function readSaleNow(ctx: Ctx, about = ''): void {
  const { terms } = ctx.model.sale
  if (terms.phase === 'read') readTotals(ctx, terms.terms, about)
}

function readTotals(ctx: Ctx, { treasury, assets: listed, backend }: Terms, about = ''): void {
  const assets = listed.map(({ symbol, mint }) => (mint === undefined ? { symbol } : { symbol, mint }))
  ctx.effect('chain.readSale', { treasury, assets, ...(backend && { backend }) }, { about })
}

/** Reads the authority's notices. */
export function readNoticesNow(ctx: Ctx, about = ''): void {
  const { terms } = ctx.model.sale
  const { noticeRef } = ctx.transient.sale
  if (terms.phase !== 'read' || noticeRef === '') return
  const { presaleRef, termsHash } = terms
  ctx.effect('chain.readNotices', { noticeRef, authority: terms.terms.authority, presaleRef, termsHash }, { about })
}

/** Reads the token's mint, for information; a token without a mint needs none. */
function readMint(ctx: Ctx, { mint, program }: Terms['token']): void {
  if (mint !== null && !isUnderWay(ctx, 'chain.readMint', '')) ctx.effect('chain.readMint', { mint, program })
}

function checkCluster(ctx: Ctx, termsGenesis: string, chainGenesis: string): void {
  if (termsGenesis === chainGenesis) return
  const message = `the terms expected the chain ${termsGenesis}, the RPC serves ${chainGenesis}`
  ctx.fact('sale.distrusted', { about: 'cluster', failure: { code: 'wrong_cluster', message } })
}

function paceOf({ transient }: Ctx): number {
  return transient.sale.pollMs ?? usualMs
}

function pollLater(ctx: Ctx, waitMs = paceOf(ctx) - spreadMs + ctx.random(2 * spreadMs)): void {
  ctx.effect('timer.set', { timerId: 'sale:poll', at: ctx.at + Math.floor(waitMs) })
}

/** Reads the balances, and the notices when it is their turn or they are asked for. */
function poll(ctx: Ctx, withNotices = false): void {
  const { sale } = ctx.transient
  const { terms } = ctx.model.sale
  const refusal = terms.phase === 'refused' ? terms.failure : ctx.model.sale.distrust
  if (refusal?.code === 'unsupported') return
  if (terms.phase !== 'read' || sale.noticeRef === '') {
    if (!isUnderWay(ctx, 'chain.readTerms', '')) readTerms(ctx)
    return
  }
  if (isUnderWay(ctx, 'chain.readSale', '')) {
    // It may have been asked before a long sleep
    if (withNotices && !isUnderWay(ctx, 'chain.readNotices', '')) readNoticesNow(ctx)
    return
  }
  sale.polls += 1
  readSaleNow(ctx)
  // In the same request, so that arriving money enables buying
  refreshActiveBalance(ctx)
  const every = sale.noticesEvery ?? usualPace
  // Beside a poll, failed readings are repeated by their own timer
  const isMissing = !ctx.model.sale.notices && !sale.untold
  const isTurn = withNotices || sale.polls % every === 1 % every || isMissing
  if (isTurn && !isUnderWay(ctx, 'chain.readNotices', '')) readNoticesNow(ctx)
  if (isTurn && terms.mint === undefined) readMint(ctx, terms.terms.token)
}

function pollBack(ctx: Ctx): void {
  poll(ctx, true)
}

/** @returns for how long the reading is younger than a poll's wait, ms; below 0 for an older one, and without one */
function freshMs(ctx: Ctx): number {
  const { reading } = ctx.model.sale
  return reading ? paceOf(ctx) - Math.abs(ctx.at - reading.readAt) : -1
}

/** Somebody comes back: reads what is old, and restarts the timer. */
function pollOld(ctx: Ctx): void {
  const leftMs = freshMs(ctx)
  const isUnread = ctx.model.sale.noticesUnread !== undefined
  if (leftMs >= 0 && ctx.model.sale.terms.phase === 'read' && !isUnread) pollLater(ctx, leftMs)
  else poll(ctx, isUnread || Math.abs(ctx.at - (ctx.transient.sale.noticesAt ?? 0)) >= noticesAgeMs)
}

function pollSeen(ctx: Ctx): void {
  if (anyVisible(ctx)) pollBack(ctx)
}

function readTerms(ctx: Ctx): void {
  ctx.effect('chain.readTerms', {})
}

/**
 * Failures that no retry can resolve: the terms are not this page's, or this page has no sale. A node without the method says
 * nothing about the sale.
 */
function isRefusal(type: EffectType, { code }: Failure): boolean {
  if (type === 'chain.readSale') return false
  return code === 'terms_invalid' || (code === 'unsupported' && type === 'chain.readTerms')
}

/** A reading of this decider's own failed; it is made again. */
function unread(ctx: Ctx, type: 'chain.readTerms' | 'chain.readSale' | 'chain.readNotices', failure: Failure): void {
  const { sale } = ctx.transient
  if (type === 'chain.readSale') distrustChain(ctx, failure)
  if (ctx.cause?.about !== '') return
  sale.failures += 1
  const waitMs = backoff(ctx, sale.failures)
  if (isRefusal(type, failure)) {
    if (ctx.model.sale.terms.phase === 'read') ctx.fact('sale.distrusted', { about: 'terms', failure })
    else ctx.fact('sale.termsRefused', { failure })
    return
  }
  if (type === 'chain.readNotices') return noticesMissed(ctx, failure)
  ctx.fact('sale.unreachable', { failure, retryAt: ctx.at + waitMs })
  if (type === 'chain.readTerms' && ctx.model.sale.terms.phase !== 'read') ctx.fact('sale.termsRefused', { failure })
  pollLater(ctx, waitMs)
}

/** The notices could not be read. They are read again at their own pace: a poll that succeeds says nothing about them. */
export function noticesMissed(ctx: Ctx, failure: Failure): void {
  const { sale } = ctx.transient
  const { notices, noticesUnread } = ctx.model.sale
  sale.untold = (sale.untold ?? 0) + 1
  const retryAt = ctx.at + backoff(ctx, sale.untold)
  const since = sale.toldAt ?? noticesUnread?.since ?? notices?.readAt
  ctx.fact('sale.noticesUnread', { failure, retryAt, ...(since !== undefined && { since }) })
  ctx.effect('timer.set', { timerId: 'sale:notices', at: retryAt })
}

export const sale: Decider = {
  resume: readTerms,
  'sale.refresh': pollBack,
  // One call at a press, beside no poll
  'sale.readFeed': ctx => {
    const { terms } = ctx.model.sale
    if (terms.phase !== 'read' || isUnderWay(ctx, 'chain.readFeed', '')) return
    const now = chainTimeAt(ctx.model.sale, ctx.at)
    ctx.effect('chain.readFeed', { presaleRef: terms.presaleRef, terms: terms.terms, ...(now && { now }) })
  },
  'chain.feed': (ctx, read) => ctx.fact('sale.feedRead', read),
  'chain.identified': (ctx, { genesisHash }) => {
    const { terms } = ctx.model.sale
    if (terms.phase === 'read') checkCluster(ctx, terms.terms.cluster.genesisHash, genesisHash)
  },
  'chain.terms': (ctx, { terms, termsHash, presaleRef, noticeRef, noticesEvery, pollMs, guard }) => {
    const { sale } = ctx.transient
    sale.noticeRef = noticeRef
    sale.failures = 0
    sale.polls = 1
    if (noticesEvery !== undefined) sale.noticesEvery = noticesEvery
    if (pollMs !== undefined) sale.pollMs = pollMs
    if (guard) sale.guard = guard
    ctx.fact('sale.termsRead', { terms, termsHash, presaleRef, noticeRef })
    if (ctx.model.network.phase === 'identified')
      checkCluster(ctx, terms.cluster.genesisHash, ctx.model.network.genesisHash)
    ctx.effect('chain.readNotices', { noticeRef, authority: terms.authority, presaleRef, termsHash })
    readTotals(ctx, terms)
    readMint(ctx, terms.token)
  },
  'chain.mint': (ctx, { mint, ...read }) => {
    const { terms } = ctx.model.sale
    if (terms.phase !== 'read' || terms.terms.token.mint !== mint) return
    if (!sameMint(terms.mint, read)) ctx.fact('sale.mintRead', read)
    const { decimals } = terms.terms.token
    if (read.decimals === decimals) return
    const message = `the mint of the token expected ${decimals} decimals, as in the terms, got ${read.decimals}`
    distrust(ctx, 'terms', { code: 'decimals', message })
  },
  'chain.sale': (ctx, reading) => {
    ctx.transient.sale.failures = 0
    const { sale, core } = ctx.model
    const known = isOfThisLife(sale.reading, core) ? sale.reading : undefined
    if (isBelieved(ctx, saleWatch(ctx), known, { slot: reading.slot, readAt: ctx.at })) ctx.fact('sale.read', reading)
    if (ctx.cause?.about === '') pollLater(ctx)
  },
  failed: {
    'chain.readFeed': (ctx, failure) => ctx.fact('sale.feedFailed', { failure }),
    'chain.readTerms': (ctx, failure) => unread(ctx, 'chain.readTerms', failure),
    'chain.readSale': (ctx, failure) => unread(ctx, 'chain.readSale', failure),
    'chain.readNotices': (ctx, failure) => unread(ctx, 'chain.readNotices', failure),
  },
  // The timer stops while no page is visible, so a new page restarts it
  'page.attached': (ctx, { visible }) => {
    const { distrust: known } = ctx.model.sale
    // Terms that are read anew end this distrust, and a reload is how a person asks for them
    if (known && (contradicts(known) || known.code === 'terms_changed')) {
      if (!isUnderWay(ctx, 'chain.readTerms', '')) readTerms(ctx)
      return
    }
    if (!visible) return
    if (freshMs(ctx) < 0 || ctx.model.sale.noticesUnread) pollBack(ctx)
    else pollLater(ctx, paceOf(ctx))
  },
  'page.visible': (ctx, { visible }) => {
    if (visible) pollOld(ctx)
  },
  'page.online': (ctx, { online }) => {
    if (online) pollBack(ctx)
  },
  // The quarantined input may be the one that would have restarted the timer
  'core.setAside': (ctx, { input }) => {
    if (input.startsWith('page.') && anyVisible(ctx)) pollLater(ctx)
  },
  // The changed clock says nothing about the age of the reading
  'page.resumed': pollSeen,
  'clock.jumped': pollSeen,
  timers: {
    sale: (ctx, what) => {
      if (!anyVisible(ctx)) return
      if (what !== 'notices') poll(ctx)
      else if (!isUnderWay(ctx, 'chain.readNotices', '')) readNoticesNow(ctx)
    },
  },
}
