/** Reads from the model what the page may show and trust of the sale. Pure. */
import type { Model } from '../../../events/app.ts'
import type { Failure } from '../../../runtime/failure.ts'
import { type Curve, curveOf } from '../../../events/sale/price.ts'
import { isAway } from '../../../events/subjects/network.ts'
import { isOfThisLife, isOtherSale, type Mint, type SaleView } from '../../../events/subjects/sale.ts'
import { saleNow } from '../../../events/sale/saleNow.ts'
import type { SaleContent } from '../../../events/sale/content.ts'
import { changesSincePin, type SaleChange } from '../../../events/sale/saleChanges.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import type { UiConfig } from '../../react.tsx'
import { distrustWords, legalWords, termsWords } from '../buy/order/failureWords.ts'

/** The parts of the model the sale is read from. */
type SaleParts = Pick<Model, 'sale' | 'network' | 'tab' | 'core'>

/** The terms and everything derived from them; `sale` is null until chain and sale checkpoint have been read. */
export type KnownSale = {
  terms: Terms
  termsHash: string
  noticeRef?: string
  mint?: Mint
  /** published content beside the terms */
  content?: SaleContent
  /** URL of the terms document; the one whose hash was verified, once it was */
  legalUrl: string
  curve: Curve
  sale: Sale | null
}

/** Reason why buying is off: the button's label, a verdict and a sentence. */
export type BuyBlock = {
  why:
    | 'reading'
    | 'reload'
    | 'otherBuild'
    | 'elsewhere'
    | 'lost'
    | 'storage'
    | 'away'
    | 'distrust'
    | 'changed'
    | 'readingOnly'
    | 'unaudited'
  label: string
  verdict: string
  sentence: string
  tone?: 'warn' | 'bad'
  /** a reload may end it */
  reloads?: true
}

/** Age of the numbers at which an unreachable network turns buying off, ms. */
export const oldAfterMs = 60_000

/** The sale this page was built for; undefined in a replay, which shows any. */
type OwnSale = UiConfig['sale']

/** @returns the sale at `now` (ms) as far as known; undefined before the terms are read */
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

/** @returns the next change of the sale by time alone, ms of chain time; undefined for none */
export function nextChange(terms: Terms, chainTime: number): number | undefined {
  const moments = [terms.start, terms.end, ...terms.stages.flatMap(stage => stage.endsAt ?? [])]
  const ahead = moments.map(at => at * 1000).filter(at => at > chainTime)
  return ahead.length > 0 ? Math.min(...ahead) : undefined
}

/** @returns whether the network is silent and the numbers are too old to buy by, or missing */
function unanswered({ sale, network, core }: SaleParts, now: number): boolean {
  if (!network.online) return true
  const reading = isOfThisLife(sale.reading, core) ? sale.reading : undefined
  if (network.phase === 'unreachable' && !reading) return true
  if (!sale.stale) return false
  return !reading || (sale.stale.failure.code !== 'rate_limited' && now - reading.readAt > oldAfterMs)
}

/** Reasons why nothing is persisted. */
const unkept = {
  none: { verdict: 'This browser cannot keep a record.', sentence: 'Buying is off here.' },
  newer: {
    verdict: 'A newer version of this page keeps the record here.',
    sentence: 'It is left as it is. Reload to get that version, or download a problem report of what can be read.',
  },
  blocked: {
    verdict: 'A tab with an older version of this page holds the record.',
    sentence: 'Close it and reload.',
  },
}

/** @returns the first reason why buying is off at `now`; undefined if it is on */
export function buyBlockOf(parts: SaleParts, now: number, ownSale?: OwnSale): BuyBlock | undefined {
  const { sale, network, tab, core } = parts
  if (tab.phase === 'outdated')
    return reload('Reload needed.', 'Part of this page has been replaced. Nothing was sent.')
  if (tab.phase === 'elsewhere') {
    if (tab.why === 'otherBuild')
      return {
        why: 'otherBuild',
        label: 'Continue here',
        verdict: 'Another version of this page is open in another tab.',
        sentence: 'Continue there, or here.',
        tone: 'warn',
      }
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
  if (isAway(parts)) {
    return {
      why: 'away',
      label: 'Go back to the sale’s network',
      verdict: 'You are on another network.',
      sentence: 'The sale and your purchases are on its own. Nothing can be bought here.',
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
      label: 'View only',
      verdict: 'View only.',
      sentence: network.online ? 'Solana isn’t responding.' : 'You are offline.',
      tone: 'bad',
    }
  }
  if (sale.terms.phase !== 'read' || isOther || !isOfThisLife(sale.reading, core) || !sale.notices || !sale.legal) {
    return { why: 'reading', label: 'Loading the sale', verdict: 'Loading the sale', sentence: '' }
  }
  if (!sale.notices.checkpoint) {
    return {
      why: 'unaudited',
      label: 'Buying is off',
      verdict: 'The price is not known.',
      sentence: 'The team’s checkpoint cannot be read, so it is unknown how much is sold. Buying is off.',
      tone: 'warn',
    }
  }
  return undefined
}

/** @returns whether the sale is still being read, rather than withheld */
export function isLoadingSale(buyBlock: BuyBlock | undefined): boolean {
  return !buyBlock || buyBlock.why === 'reading' || buyBlock.why === 'lost'
}

/** The core was started by another page of this site that has no sale. */
function isWithoutSale({ terms, distrust }: SaleView): boolean {
  return (terms.phase === 'refused' ? terms.failure : distrust)?.code === 'unsupported'
}

/** Another sale may remain from an earlier visit until this page's terms are read; read in this life, it is the wrong sale. */
function otherSaleRead({ sale, core }: SaleParts): BuyBlock | undefined {
  if (!isOfThisLife(sale.reading, core)) return sale.distrust ? distrusted(sale.distrust) : undefined
  return distrusted({ code: 'terms_invalid', message: '', facts: { rule: 'SALE_ID' } })
}

/** Contradictions between terms, chain and network. */
function trouble({ sale, network }: SaleParts): BuyBlock | undefined {
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
    return unsigned(sale.terms.termsHash, sale.notices.termsHash)
  }
  const changes = changesSincePin(sale)
  return changes.length > 0 ? changed(changes) : undefined
}

function changed(changes: readonly SaleChange[]): BuyBlock {
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

function distrusted(failure: Failure): BuyBlock {
  const { verdict, sentence } = distrustWords(failure)
  if (failure.code === 'terms_changed') return { ...readAgain, verdict, sentence }
  return { why: 'distrust', label: 'Buying is off', verdict, sentence, tone: 'bad' }
}

/** Terms read before a change can be replaced by the changed ones. */
const readAgain = { why: 'distrust', label: 'Read the terms again', tone: 'bad', reloads: true } as const

/** The published terms are others than the announced ones. */
function unsigned(published: string, signed: string): BuyBlock {
  const { verdict, sentence } = distrustWords({ code: 'terms_changed', message: '' })
  const hashes = `Published: ${published.slice(0, 8)}…, signed: ${signed.slice(0, 8)}….`
  return { ...readAgain, verdict, sentence: `${sentence} ${hashes}` }
}

function reload(verdict: string, sentence: string): BuyBlock {
  return { why: 'reload', label: 'Reload this page', verdict, sentence, tone: 'warn', reloads: true }
}
