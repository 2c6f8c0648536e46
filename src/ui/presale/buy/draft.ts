/** What is typed into the calculator and what it comes to, in whole numbers. */
import { type BaseUnits, formatAmount, parseAmount } from '../../../events/values/amount.ts'
import type { Curve } from '../../../events/sale/price.ts'
import { type Quote, quoteGetting, quotePaying } from '../../../events/sale/quote.ts'
import type { Sale } from '../../../events/sale/sale.ts'
import type { Terms, TermsAsset } from '../../../events/sale/termsShape.ts'
import { dollars, price, tokens } from '../sale/figures.ts'
import { refundDay } from './refusalWords.ts'

/** Half-typed text: `side` is the one typed into, the other follows. `tolerance` in percent, empty for the usual one. */
export type Draft = { side: 'pay' | 'get'; text: string; asset: string; tolerance: string }

export const emptyDraft: Draft = { side: 'pay', text: '', asset: '', tolerance: '' }

/** What a draft comes to: nothing yet, a sentence about what is wrong with it, or a quote. */
export type DraftResult = { quote?: Quote; problem?: string }

/** @returns the asset chosen in the draft, the first of the terms when it names none of them */
export function chosenAsset(terms: Terms, draft: Draft): TermsAsset | undefined {
  return terms.assets.find(asset => asset.symbol === draft.asset) ?? terms.assets[0]
}

/** Reads a draft at the sale's present position. An unfinished number, such as `1.`, is not a mistake yet. */
export function readDraft(terms: Terms, sale: Sale, draft: Draft): DraftResult {
  const asset = chosenAsset(terms, draft)
  if (!asset) return {}
  const { symbol, decimals } = draft.side === 'pay' ? asset : terms.token
  const parsed = parseAmount(draft.text.trim().replace(/^\./, '0.').replace(/\.$/, ''), decimals)
  if (!parsed.ok) {
    if (parsed.reason === 'empty' || draft.text.trim() === '.') return {}
    if (parsed.reason === 'too_many_decimals') return { problem: `${symbol} has at most ${decimals} decimals.` }
    if (parsed.reason === 'too_large') return { problem: 'That is more than there is.' }
    return { problem: 'Digits and one point only, such as 1.5' }
  }
  if (parsed.units === '0') return {}
  const tolerance = toleranceOf(draft.tolerance)
  if (draft.side === 'pay') return { quote: quotePaying(terms, sale, asset.symbol, parsed.units, tolerance) }
  const quote = quoteGetting(terms, sale, asset.symbol, parsed.units, tolerance)
  return quote ? { quote } : { problem: `Only ${tokens(sale.tokensLeft, terms)} ${terms.token.symbol} are left.` }
}

/** @returns hundredths of a per cent; undefined when the text is not a percentage from 0 to 100 */
export function toleranceOf(text: string): number | undefined {
  const parsed = parseAmount(text.trim(), 2)
  return parsed.ok && BigInt(parsed.units) <= 10_000n ? Number(parsed.units) : undefined
}

/** Text for the side that follows: what you get rounded down to three decimals, what you pay in full. */
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

/** @returns the draft that pays exactly this again */
export function draftOf(asset: TermsAsset, units: BaseUnits): Draft {
  return {
    side: 'pay',
    text: formatAmount(units, asset.decimals, { group: false }),
    asset: asset.symbol,
    tolerance: '',
  }
}

/** What a payment buys in each stage it reaches. */
export type Part = { name: string; price: bigint; credits: bigint; left: bigint }

/** @returns the stages an order of `credits` at the sale's position runs through, in order */
export function partsOf(curve: Curve, sale: Sale, credits: bigint): Part[] {
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

/** The warning within 2 % of a step: how much is left, what the payment is split into, what others may change. */
export function boundaryWords(parts: readonly Part[], quote: Quote): { verdict: string; sentence: string } | undefined {
  const first = parts[0]
  if (!quote.nearBoundary || !first) return undefined
  const split = parts.map((part, at) => `${dollars(part.credits)} ${at === 0 ? 'buys ' : ''}at ${price(part.price)}`)
  const less =
    quote.toleranceBps > 0
      ? `If others are faster you may get up to ${formatAmount(String(quote.toleranceBps), 2)} % less; below that, you are refunded.`
      : 'If others are faster and you would get less, you are refunded.'
  return {
    verdict: `${first.name} has ${dollars(first.left)} left.`,
    sentence: parts.length > 1 ? `${split.join(', ')}. ${less}` : less,
  }
}

/**
 * The warning where money nobody has judged yet decides what a payment gets.
 *
 * @returns undefined when the payment gets the same either way
 */
export function doubtWords(
  { terms, sale }: { terms: Terms; sale: Sale | null },
  quote: Quote,
): { verdict: string; sentence: string } | undefined {
  // One base unit is rounding
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
