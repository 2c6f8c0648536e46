/** Input of the calculator and its result, in integer arithmetic. */
import { type BaseUnits, formatAmount, parseAmount, plainNumber } from '../../../events/values/amount.ts'
import type { Curve } from '../../../events/sale/price.ts'
import { memberIn, saleOffers, saleQuotes } from '../../../events/sale/backend.ts'
import type { Quote } from '../../../events/sale/quote.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import type { SaleWords } from '../saleWords.ts'
import { refundDay } from './order/refusalWords.ts'

/** Input as typed: `side` is the leading side, the other follows. `tolerance` in percent, empty for the default. */
export type PurchaseDraft = { side: 'pay' | 'get'; text: string; asset: string; tolerance: string }

export const emptyDraft: PurchaseDraft = { side: 'pay', text: '', asset: '', tolerance: '' }

/** Result of a draft: nothing yet, an error sentence, or a quote. */
export type DraftResult = { quote?: Quote; problem?: string }

/** @returns the asset the draft names, else the first of the terms */
export function chosenAsset(terms: Terms, draft: PurchaseDraft): TermsAsset | undefined {
  return terms.assets.find(asset => asset.symbol === draft.asset) ?? terms.assets[0]
}

/** @returns the chain's own asset; undefined where the terms list none */
export function nativeOf(terms: Terms): TermsAsset | undefined {
  return terms.assets.find(({ kind }) => kind === 'native')
}

/** Quotes a draft at the sale's current position. An unfinished number, such as `1.`, is no error. */
export function readDraft(t: SaleWords, terms: Terms, sale: Sale, draft: PurchaseDraft): DraftResult {
  const asset = chosenAsset(terms, draft)
  if (!asset) return {}
  const { symbol, decimals } = draft.side === 'pay' ? asset : terms.token
  const parsed = parseAmount(plainNumber(draft.text), decimals)
  if (!parsed.ok) {
    if (parsed.reason === 'empty' || /^[.,]$/.test(draft.text.trim())) return {}
    if (parsed.reason === 'too_many_decimals') return { problem: t.buy.manyDecimals(symbol, decimals) }
    if (parsed.reason === 'too_large') return { problem: t.buy.tooLarge }
    return { problem: t.buy.notANumber }
  }
  if (parsed.units === '0') return {}
  const { units } = parsed
  const tolerance = toleranceOf(draft.tolerance)
  const quote =
    draft.side === 'pay'
      ? memberIn(saleQuotes, terms)?.quote(terms, sale, asset.symbol, units, tolerance)
      : memberIn(saleOffers, terms)?.quoteFor(terms, sale, asset.symbol, units, tolerance)
  const left = `${t.figures.tokens(sale.tokensLeft, terms)} ${terms.token.symbol}`
  return quote ? { quote } : { problem: t.buy.onlyLeft(left) }
}

/**
 * @param credits worth of the payment so far, absent without an amount
 * @returns the draft in another asset for the same worth, rounded down to whole base units
 */
export function draftIn(
  draft: PurchaseDraft,
  asset: TermsAsset | undefined,
  credits: BaseUnits | undefined,
): PurchaseDraft {
  if (!asset) return draft
  if (draft.side === 'get') return { ...draft, asset: asset.symbol }
  const units = credits === undefined ? 0n : BigInt(credits) / BigInt(asset.creditsPerUnit)
  const text = units === 0n ? '' : formatAmount(units.toString(), asset.decimals, { group: false })
  return { ...draft, asset: asset.symbol, text }
}

/** @returns basis points; undefined unless the text is a percentage from 0 to 100 */
export function toleranceOf(text: string): number | undefined {
  const parsed = parseAmount(plainNumber(text), 2)
  return parsed.ok && BigInt(parsed.units) <= 10_000n ? Number(parsed.units) : undefined
}

/**
 * Text of the following side: the amount to get rounded down to three decimals, the amount to pay in full.
 *
 * @param group with the language's separators; else as `readDraft` takes it
 */
export function followingText(
  { figures }: SaleWords,
  side: 'pay' | 'get',
  quote: Quote,
  terms: Terms,
  asset: TermsAsset,
  group: boolean,
): string {
  const [units, decimals] = side === 'pay' ? [quote.units, asset.decimals] : [quote.tokens, terms.token.decimals]
  const format = side === 'pay' ? ({ round: 'ceil' } as const) : { maxDecimals: 3 }
  return group ? figures.amount(units, decimals, format) : formatAmount(units, decimals, { ...format, group })
}

/** @returns the draft that pays exactly `units` again */
export function draftOf(asset: TermsAsset, units: BaseUnits): PurchaseDraft {
  return {
    side: 'pay',
    text: formatAmount(units, asset.decimals, { group: false }),
    asset: asset.symbol,
    tolerance: '',
  }
}

/** The part of a payment in one stage; `left` is the stage's unsold rest. */
type StagePart = { name: string; price: bigint; credits: bigint; left: bigint }

/** @returns the stages an order of `credits` at the sale's position covers, in order */
export function partsOf(curve: Curve, sale: Sale, credits: bigint): StagePart[] {
  const from = BigInt(sale.pos)
  const to = from + credits
  return curve.stages
    .filter(stage => stage.end > from && stage.start < to)
    .map(stage => {
      const start = stage.start > from ? stage.start : from
      const end = stage.end < to ? stage.end : to
      return { name: stage.name, price: stage.price, credits: end - start, left: stage.end - start }
    })
}

/** Warning within 2 % of a stage boundary: the rest of the stage, the split of the payment, the effect of faster buyers. */
export function boundaryWords(
  t: SaleWords,
  parts: readonly StagePart[],
  quote: Quote,
): { verdict: string; sentence: string } | undefined {
  const first = parts[0]
  if (!quote.nearBoundary || !first) return undefined
  const { buy, figures } = t
  const { dollars, price } = figures
  const split = parts.map(part => ({ amount: dollars(part.credits), price: price(part.price) }))
  const less = lessWords(t, quote)
  return {
    verdict: buy.stageHasLeft(first.name, dollars(first.left)),
    sentence: parts.length > 1 ? `${buy.split(split)} ${less}` : less,
  }
}

function lessWords({ buy, figures }: SaleWords, { toleranceBps }: Quote): string {
  const tolerance = formatAmount(String(toleranceBps), 4, { group: false })
  return toleranceBps > 0 ? buy.upToLess(figures.percent(tolerance)) : buy.noLess
}

/**
 * Warning where payments not yet judged decide the result.
 *
 * @returns undefined when the payment gets the same either way
 */
export function doubtWords(
  t: SaleWords,
  { terms, sale }: { terms: Terms; sale: Sale | null },
  quote: Quote,
): { verdict: string; sentence: string } | undefined {
  // A difference of one base unit is rounding
  if (!sale || BigInt(quote.least.tokens) + 1n >= BigInt(quote.tokens)) return undefined
  const { buy, figures } = t
  if (sale.received === null) return { verdict: buy.paymentsUnchecked, sentence: lessWords(t, quote) }
  const verdict = buy.receivedUnchecked(figures.dollars(sale.received))
  const named = (units: BaseUnits) => `${figures.tokens(units, terms)} ${terms.token.symbol}`
  if (quote.least.tokens === '0') return { verdict, sentence: buy.allCountsFull(refundDay(t, terms)) }
  const { least, tokens } = quote
  return { verdict, sentence: buy.allCountsLess(named(least.tokens), figures.tokens(tokens, terms)) }
}
