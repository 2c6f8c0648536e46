/** Reads from the model what the page may show and trust of the sale. Pure. */
import type { Model } from '../../../events/app.ts'
import { type Failure, isLeftOut } from '../../../runtime/failure.ts'
import { memberIn, type SaleOffer, saleOffers } from '../../../events/sale/backend.ts'
import { unknownBackend } from '../../../events/sale/unknownBackend.ts'
import { type Curve, curveOf } from '../../../events/sale/price.ts'
import { isAway } from '../../../events/subjects/service/network.ts'
import { isOtherSale } from '../../../events/subjects/sale/otherSale.ts'
import { isOfThisLife, type SaleView } from '../../../events/subjects/sale/sale.ts'
import type { Mint } from '../../../events/subjects/sale/saleFacts.ts'
import { saleNow } from '../../../events/sale/saleNow.ts'
import type { SaleContent } from '../../../events/sale/content.ts'
import { changesSincePin, type SaleChange } from '../../../events/sale/saleChanges.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms } from '../../../events/sale/terms/termsShape.ts'
import type { UiConfig } from '../../react.tsx'
import type { SaleWords } from '../saleWords.ts'
import { ledgerRefusal } from '../../../events/subjects/sale/ledger.ts'
import { distrustWords, legalWords, termsWords } from '../buy/order/failureWords.ts'

/** The parts of the model the sale is read from. */
type SaleParts = Pick<Model, 'sale' | 'network' | 'tab' | 'core' | 'ledger'>

/** The terms and everything derived from them; `sale` is null until chain and sale checkpoint have been read. */
export type KnownSale = {
  terms: Terms
  termsHash: string
  noticeRef?: string
  mint?: Mint
  /** published content beside the terms */
  content?: SaleContent
  /** URL of the terms document whose hash was verified */
  legalUrl?: string
  curve: Curve
  /** by which the page shows and hides */
  capabilities: SaleOffer['capabilities']
  sale: Sale | null
  /** a plan of payouts is announced */
  isPlanned: boolean
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

/** @returns the sale at `now` (ms) as far as known; undefined before the terms are read, and for an unknown backend */
export function knownSale(
  model: Pick<Model, 'sale' | 'purchase'>,
  now: number,
  ownSale?: OwnSale,
): KnownSale | undefined {
  const { terms: view, content, legal, notices } = model.sale
  if (view.phase !== 'read' || isOtherSale(model.sale, ownSale)) return undefined
  const { terms, termsHash, noticeRef, mint } = view
  const offer = memberIn(saleOffers, terms)
  // In the log of a newer build
  if (!offer) return undefined
  return {
    terms,
    termsHash,
    ...(noticeRef === undefined ? {} : { noticeRef }),
    ...(mint ? { mint } : {}),
    ...(content ? { content } : {}),
    ...(legal?.phase === 'read' && { legalUrl: legal.url }),
    curve: curveOf(terms),
    capabilities: offer.capabilities,
    sale: saleNow(model, now) ?? null,
    isPlanned: (notices?.plans ?? []).length > 0,
  }
}

/** @returns whether buyers rely on the team for refunds or tokens; so they do as far as is known before the terms are read */
export function teamPays(known: KnownSale | undefined): boolean {
  return !(known?.capabilities.selfRefund && known.capabilities.claim)
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

/** Reasons why nothing is persisted, by the name of their texts. */
const unkept = { none: 'noRecord', newer: 'newerRecord', blocked: 'heldRecord' } as const

type Reason = keyof SaleWords['buy']['blocked']

/** @returns the verdict and the sentence of a reason */
function wordsOf({ buy: { blocked } }: SaleWords, reason: Reason): Pick<BuyBlock, 'verdict' | 'sentence'> {
  const [verdict, sentence] = blocked[reason]
  return { verdict, sentence }
}

/** @returns the first reason why buying is off at `now`; undefined if it is on */
export function buyBlockOf(t: SaleWords, parts: SaleParts, now: number, ownSale?: OwnSale): BuyBlock | undefined {
  const { sale, network, tab, core } = parts
  const { button } = t.buy
  if (tab.phase === 'outdated') return reload(t, wordsOf(t, 'partReplaced'))
  if (tab.phase === 'elsewhere') {
    if (tab.why === 'otherBuild') {
      const [verdict, sentence] = t.basics.otherBuild
      return { why: 'otherBuild', label: t.basics.continueHere, verdict, sentence, tone: 'warn' }
    }
    return {
      why: 'elsewhere',
      label: button.otherTab,
      ...wordsOf(t, tab.why === 'oneTab' ? 'oneTab' : 'elsewhere'),
    }
  }
  if (tab.phase === 'blocked') {
    // A recording from before the reason had a name holds its sentence
    const [verdict] = t.buy.blocked[tab.reload ? 'gaveUp' : 'forbidden']
    const said = tab.why ? wordsOf(t, tab.why) : { verdict, sentence: tab.message }
    if (tab.reload) return reload(t, said)
    return { why: 'storage', label: button.offHere, ...said, tone: 'warn' }
  }
  if (isAway(parts)) return { why: 'away', label: button.goHome, ...wordsOf(t, 'away'), tone: 'warn' }
  if (ownSale && isWithoutSale(sale)) return reload(t, wordsOf(t, 'noSaleTab'))
  const isOther = isOtherSale(sale, ownSale)
  // Another sale's terms, notices and document say nothing about this one
  const off = isOther ? otherSaleRead(t, parts) : trouble(t, parts)
  if (off) return off
  if (core.storage === 'memory') {
    const words = wordsOf(t, unkept[core.obstacle ?? 'none'])
    return { why: 'storage', label: button.offHere, ...words, tone: 'warn' }
  }
  if (tab.phase === 'lost') {
    return { why: 'lost', label: button.reconnectingShort, ...wordsOf(t, 'reconnecting') }
  }
  if (unanswered(parts, now)) {
    if (network.online && sale.stale && isLeftOut(sale.stale.failure)) return reload(t, wordsOf(t, 'leftOut'))
    return {
      why: 'readingOnly',
      label: button.viewOnly,
      verdict: t.buy.viewOnly,
      sentence: network.online ? t.sale.solanaSilent : t.sale.offline,
      tone: 'bad',
    }
  }
  if (sale.noticesUnread && !sale.notices) {
    const sentence = t.sale.announcementsUnread
    return { why: 'readingOnly', label: button.viewOnly, verdict: t.buy.viewOnly, sentence, tone: 'bad' }
  }
  if (sale.terms.phase !== 'read' || isOther || !isOfThisLife(sale.reading, core) || !sale.notices || !sale.legal) {
    return { why: 'reading', label: button.loading, verdict: button.loading, sentence: '' }
  }
  if (!sale.notices.checkpoint) {
    return { why: 'unaudited', label: button.off, ...wordsOf(t, 'unaudited'), tone: 'warn' }
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
function otherSaleRead(t: SaleWords, { sale, core }: SaleParts): BuyBlock | undefined {
  if (!isOfThisLife(sale.reading, core)) return sale.distrust ? distrusted(t, sale.distrust) : undefined
  return distrusted(t, { code: 'terms_invalid', message: '', facts: { rule: 'SALE_ID' } })
}

/** Contradictions between terms, chain and network. */
function trouble(t: SaleWords, parts: SaleParts): BuyBlock | undefined {
  const { sale, network } = parts
  const distrust = sale.distrust ?? ledgerRefusal(parts)
  if (distrust) return distrusted(t, distrust)
  if (network.phase === 'mismatched') return distrusted(t, { code: 'wrong_cluster', message: '' })
  if (sale.terms.phase === 'refused') {
    if (isLeftOut(sale.terms.failure)) return reload(t, wordsOf(t, 'leftOut'))
    const { verdict, sentence } = termsWords(t, sale.terms.failure)
    return { why: 'distrust', label: t.buy.button.off, verdict, sentence, tone: 'bad' }
  }
  const facts = sale.terms.phase === 'read' ? unknownBackend(sale.terms.terms) : undefined
  if (facts) return distrusted(t, { code: 'terms_invalid', message: '', facts: { ...facts, rule: 'TERMS_BACKEND' } })
  if (sale.legal?.phase === 'failed') {
    const { verdict, sentence } = legalWords(t, sale.legal.failure)
    return { why: 'distrust', label: t.buy.button.off, verdict, sentence, tone: 'bad' }
  }
  if (sale.terms.phase === 'read' && sale.notices && sale.notices.termsHash !== sale.terms.termsHash) {
    return unsigned(t, sale.terms.termsHash, sale.notices.termsHash)
  }
  const changes = changesSincePin(sale)
  return changes.length > 0 ? changed(t, changes) : undefined
}

function changed(t: SaleWords, changes: readonly SaleChange[]): BuyBlock {
  const isOther = changes.some(({ path }) => path === 'authority')
  return { why: 'changed', label: t.buy.button.off, ...wordsOf(t, isOther ? 'otherOwner' : 'changed'), tone: 'bad' }
}

function distrusted(t: SaleWords, failure: Failure): BuyBlock {
  const { verdict, sentence } = distrustWords(t, failure)
  if (failure.code === 'terms_changed') return { ...readAgain, label: t.buy.button.readAgain, verdict, sentence }
  return { why: 'distrust', label: t.buy.button.off, verdict, sentence, tone: 'bad' }
}

/** Terms read before a change can be replaced by the changed ones. */
const readAgain = { why: 'distrust', tone: 'bad', reloads: true } as const

/** The published terms are others than the announced ones. */
function unsigned(t: SaleWords, published: string, signed: string): BuyBlock {
  const { verdict, sentence } = distrustWords(t, { code: 'terms_changed', message: '' })
  const hashes = t.buy.hashes(published.slice(0, 8), signed.slice(0, 8))
  return { ...readAgain, label: t.buy.button.readAgain, verdict, sentence: `${sentence} ${hashes}` }
}

function reload(t: SaleWords, words: Pick<BuyBlock, 'verdict' | 'sentence'>): BuyBlock {
  return { why: 'reload', label: t.buy.button.reload, ...words, tone: 'warn', reloads: true }
}
