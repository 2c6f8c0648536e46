/** Input of the calculator and its result, in integer arithmetic. */
import { type BaseUnits, formatAmount, parseAmount } from '../../../events/values/amount.ts'
import type { Curve } from '../../../events/sale/price.ts'
import { type Quote, quoteGetting, quotePaying } from '../../../events/sale/quote.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../events/sale/terms/termsShape.ts'
import { dollars, price, tokens } from '../sale/figures.ts'
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

/** Quotes a draft at the sale's current position. An unfinished number, such as `1.`, is no error. */
export function readDraft(terms: Terms, sale: Sale, draft: PurchaseDraft): DraftResult {
  const asset = chosenAsset(terms, draft)
  if (!asset) return {}
  const { symbol, decimals } = draft.side === 'pay' ? asset : terms.token
  const parsed = parseAmount(plainNumber(draft.text), decimals)
  if (!parsed.ok) {
    if (parsed.reason === 'empty' || /^[.,]$/.test(draft.text.trim())) return {}
    if (parsed.reason === 'too_many_decimals') return { problem: `${symbol} has at most ${decimals} decimals.` }
    if (parsed.reason === 'too_large') return { problem: 'That is more than there is.' }
    return { problem: 'Use a number like 1.5' }
  }
  if (parsed.units === '0') return {}
  const tolerance = toleranceOf(draft.tolerance)
  if (draft.side === 'pay') return { quote: quotePaying(terms, sale, asset.symbol, parsed.units, tolerance) }
  const quote = quoteGetting(terms, sale, asset.symbol, parsed.units, tolerance)
  return quote ? { quote } : { problem: `Only ${tokens(sale.tokensLeft, terms)} ${terms.token.symbol} are left.` }
}

/** @returns the typed number with a point; one comma is a point too, unless three digits follow it, as between thousands */
function plainNumber(text: string): string {
  const typed = text.trim()
  const pointed = /^\d*,(?:\d{0,2}|\d{4,})$/.test(typed) || /^0,\d*$/.test(typed) ? typed.replace(',', '.') : typed
  return pointed.replace(/^\./, '0.').replace(/\.$/, '')
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

/** Text of the following side: the amount to get rounded down to three decimals, the amount to pay in full. */
export function followingText(
  side: 'pay' | 'get',
  quote: Quote,
  terms: Terms,
  asset: TermsAsset,
  group: boolean,
): string {
  if (side === 'pay') return formatAmount(quote.units, asset.decimals, { group, round: 'ceil' })
  return formatAmount(quote.tokens, terms.token.decimals, { group, maxDecimals: 3 })
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
  parts: readonly StagePart[],
  quote: Quote,
): { verdict: string; sentence: string } | undefined {
  const first = parts[0]
  if (!quote.nearBoundary || !first) return undefined
  const split = parts.map((part, at) => `${dollars(part.credits)} ${at === 0 ? 'buys ' : ''}at ${price(part.price)}`)
  const less =
    quote.toleranceBps > 0
      ? `If others buy first you may get up to ${formatAmount(String(quote.toleranceBps), 2)}% less. Any less and you’re refunded.`
      : 'If others buy first and you would get less, you’re refunded.'
  return {
    verdict: `${first.name} has ${dollars(first.left)} left.`,
    sentence: parts.length > 1 ? `${split.join(', ')}. ${less}` : less,
  }
}

/**
 * Warning where payments not yet judged decide the result.
 *
 * @returns undefined when the payment gets the same either way
 */
export function doubtWords(
  { terms, sale }: { terms: Terms; sale: Sale | null },
  quote: Quote,
): { verdict: string; sentence: string } | undefined {
  // A difference of one base unit is rounding
  if (!sale || BigInt(quote.least.tokens) + 1n >= BigInt(quote.tokens)) return undefined
  const since = sale.received === null ? '' : `${dollars(sale.received)} came in and is `
  const verdict = `${since || 'Payments are '}not checked yet.`
  const symbol = terms.token.symbol
  if (quote.least.tokens === '0')
    return {
      verdict,
      sentence: `If it all counts, the sale is full and your payment comes back by ${refundDay(terms)}.`,
    }
  return {
    verdict,
    sentence: `If it all counts before your payment, you get ${tokens(quote.least.tokens, terms)} ${symbol} instead of ${tokens(quote.tokens, terms)}.`,
  }
}
