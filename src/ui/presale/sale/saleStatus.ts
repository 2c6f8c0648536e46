/** What of the sale can be shown and trusted right now: pure reading of the model. */
import type { Model } from '../../../events/app.ts'
import type { Failure } from '../../../events/failure.ts'
import { type Curve, curveOf } from '../../../events/sale/price.ts'
import { changesSincePin, isOfThisLife, isOtherSale, type Mint, type SaleView } from '../../../events/subjects/sale.ts'
import { saleNow } from '../../../events/sale/saleNow.ts'
import type { SaleContent } from '../../../events/sale/content.ts'
import type { SaleChange } from '../../../events/sale/saleChanges.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms } from '../../../events/sale/termsShape.ts'
import type { UiConfig } from '../../react.tsx'
import { distrustWords, legalWords, termsWords } from '../buy/failureWords.ts'

/** The pieces of the model this page reads the sale from. */
type SaleParts = Pick<Model, 'sale' | 'network' | 'tab' | 'core'>

/** The terms with everything that follows from them; `sale` is null until the chain and a checkpoint have been read. */
export type KnownSale = {
  terms: Terms
  termsHash: string
  noticeRef?: string
  mint?: Mint
  /** what is published to be shown beside the terms */
  content?: SaleContent
  /** where the document is that people agree to: the place whose hash was compared, once it was */
  legalUrl: string
  curve: Curve
  sale: Sale | null
}

/** A reason not to buy here and now: the button's label, a verdict and a sentence. */
export type Halt = {
  why: 'reading' | 'reload' | 'elsewhere' | 'lost' | 'storage' | 'distrust' | 'changed' | 'readingOnly' | 'unaudited'
  label: string
  verdict: string
  sentence: string
  tone?: 'warn' | 'bad'
}

/** How old numbers may be while the network does not answer before buying is off, ms. */
export const oldAfterMs = 60_000

/** The sale that this page was built for; undefined in a replay, which shows any. */
type OwnSale = UiConfig['sale']

/** @returns the sale at `now` (ms), as far as it is known; undefined while the terms are not */
export function knownSale(
  model: Pick<Model, 'sale' | 'purchase'>,
  now: number,
  ownSale?: OwnSale,
): KnownSale | undefined {
  const { terms: view, content, legal } = model.sale
  if (view.phase !== 'read' || isOtherSale(model.sale, ownSale)) return undefined
  const { terms, termsHash, noticeRef, mint } = view
  return {
    terms,
    termsHash,
    ...(noticeRef === undefined ? {} : { noticeRef }),
    ...(mint ? { mint } : {}),
    ...(content ? { content } : {}),
    legalUrl: legal?.phase === 'read' ? legal.url : terms.legal.url,
    curve: curveOf(terms),
    sale: saleNow(model, now) ?? null,
  }
}

/** @returns when the sale next changes by time alone, ms of chain time; undefined when it does not any more */
export function nextChange(terms: Terms, chainTime: number): number | undefined {
  const moments = [terms.start, terms.end, ...terms.stages.flatMap(stage => stage.endsAt ?? [])]
  const ahead = moments.map(at => at * 1000).filter(at => at > chainTime)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

/** @returns whether the network left this page with numbers too old to buy by, or with none */
function unanswered({ sale, network, core }: SaleParts, now: number): boolean {
  if (!network.online) return true
  const reading = isOfThisLife(sale.reading, core) ? sale.reading : undefined
  if (network.phase === 'unreachable' && !reading) return true
  if (!sale.stale) return false
  return !reading || (sale.stale.failure.code !== 'rate_limited' && now - reading.readAt > oldAfterMs)
}

/** Why buying is off where nothing is kept. */
const unkept = {
  none: { verdict: 'This browser cannot keep a record.', sentence: 'Buying is off here.' },
  newer: {
    verdict: 'A newer version of this page keeps the record here.',
    sentence: 'It is left as it is. Reload to get that version, or save a recording of what can be read.',
  },
  blocked: {
    verdict: 'A tab with an older version of this page holds the record.',
    sentence: 'Close it and reload.',
  },
}

/** @returns the first reason why nothing can be bought on this page at `now`; undefined when there is none */
export function haltOf(parts: SaleParts, now: number, ownSale?: OwnSale): Halt | undefined {
  const { sale, network, tab, core } = parts
  if (tab.phase === 'outdated')
    return reload('Reload needed.', 'Part of this page has been replaced. Nothing was sent.')
  if (tab.phase === 'elsewhere') {
    if (tab.why === 'otherBuild')
      return reload('Another version of this page is open in another tab.', 'Reload both, then buy in either.')
    return {
      why: 'elsewhere',
      label: 'Open in another tab',
      verdict: 'This page is open in another tab.',
      sentence: tab.why === 'oneTab' ? 'This browser runs it in one at a time: buy there.' : 'Buying works there.',
    }
  }
  if (tab.phase === 'blocked') {
    if (tab.reload) return reload('This page keeps failing.', tab.message)
    return {
      why: 'storage',
      label: 'Buying is off here',
      verdict: 'Buying is off here.',
      sentence: tab.message,
      tone: 'warn',
    }
  }
  if (ownSale && isWithoutSale(sale))
    return reload('Another tab of this site is open that has no sale.', 'Close it, then reload this page.')
  const isOther = isOtherSale(sale, ownSale)
  // Another sale's terms, notices and document say nothing about this one
  const off = isOther ? otherSaleRead(parts) : trouble(parts)
  if (off) return off
  if (core.storage === 'memory') {
    return {
      why: 'storage',
      label: 'Buying is off here',
      ...unkept[core.obstacle ?? 'none'],
      tone: 'warn',
    }
  }
  if (tab.phase === 'lost') {
    return {
      why: 'lost',
      label: 'Reconnecting',
      verdict: 'Reconnecting…',
      sentence: 'Nothing is lost; this takes a moment.',
    }
  }
  if (unanswered(parts, now)) {
    return {
      why: 'readingOnly',
      label: 'Reading only',
      verdict: 'Reading only.',
      sentence: network.online ? 'The network does not answer.' : 'You are offline.',
      tone: 'bad',
    }
  }
  if (sale.terms.phase !== 'read' || isOther || !isOfThisLife(sale.reading, core) || !sale.notices || !sale.legal) {
    return { why: 'reading', label: 'Reading the sale', verdict: 'Reading the sale', sentence: '' }
  }
  if (!sale.notices.checkpoint) {
    return {
      why: 'unaudited',
      label: 'Buying is off',
      verdict: 'The price is not known.',
      sentence: 'The team’s checkpoint cannot be read, so nobody can tell how much is sold. Buying is off.',
      tone: 'warn',
    }
  }
  return undefined
}

/** The core that tells was begun by a page without a sale, of the same site. */
function isWithoutSale({ terms, distrust }: SaleView): boolean {
  return (terms.phase === 'refused' ? terms.failure : distrust)?.code === 'unsupported'
}

/** Another sale is known from an earlier visit until this page's terms are read; one that is read now is not this page's. */
function otherSaleRead({ sale, core }: SaleParts): Halt | undefined {
  if (!isOfThisLife(sale.reading, core)) return sale.distrust ? distrusted(sale.distrust) : undefined
  return distrusted({ code: 'terms_invalid', message: '', facts: { rule: 'SALE_ID' } })
}

/** What terms, chain and network say that cannot be true together. */
function trouble({ sale, network }: SaleParts): Halt | undefined {
  if (sale.distrust) return distrusted(sale.distrust)
  if (network.phase === 'mismatched') return distrusted({ code: 'wrong_cluster', message: '' })
  if (sale.terms.phase === 'refused') {
    const { verdict, sentence } = termsWords(sale.terms.failure)
    return { why: 'distrust', label: 'Buying is off', verdict, sentence, tone: 'bad' }
  }
  if (sale.legal?.phase === 'failed') {
    const { verdict, sentence } = legalWords(sale.legal.failure)
    return { why: 'distrust', label: 'Buying is off', verdict, sentence, tone: 'bad' }
  }
  if (sale.terms.phase === 'read' && sale.notices && sale.notices.termsHash !== sale.terms.termsHash) {
    return distrusted({ code: 'terms_changed', message: '' })
  }
  const changes = changesSincePin(sale)
  return changes.length > 0 ? changed(changes) : undefined
}

function changed(changes: readonly SaleChange[]): Halt {
  const isOther = changes.some(({ path }) => path === 'authority')
  return {
    why: 'changed',
    label: 'Buying is off',
    verdict: 'This sale changed since you last saw it here.',
    sentence: isOther
      ? 'Somebody else runs it now, so it is not the sale you know. Do not pay.'
      : 'Buying is off until you have looked at what changed.',
    tone: 'bad',
  }
}

function distrusted(failure: Failure): Halt {
  const { verdict, sentence } = distrustWords(failure)
  if (failure.code === 'terms_changed') return { ...reload(verdict, sentence), why: 'distrust' }
  return { why: 'distrust', label: 'Buying is off', verdict, sentence, tone: 'bad' }
}

function reload(verdict: string, sentence: string): Halt {
  return { why: 'reload', label: 'Reload this page', verdict, sentence, tone: 'warn' }
}
