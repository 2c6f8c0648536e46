/**
 * A sale's backend: how it is held on the chain. Its terms name it. Here are the parts that a page and the core know; the whole
 * interface, with what the worker adds, is `SaleBackend` in `worker/drivers/solana/sale/saleBackend.ts`.
 *
 * @see reference "Presale", §15; docs/architecture.md, "Backends of a sale"
 */
import { own } from '../../runtime/schema/own.ts'
import { type Quote, type QuoteAt, quoteGetting, quotePaying } from './quote.ts'
import type { Terms } from './terms/termsShape.ts'

/** Every backend of this build; each table of members has a line for each. */
export type BackendName = 'direct'

/** The part that the core and the page quote with; pure. */
export type SaleQuotes = {
  /**
   * @param at curve position and chain time, as `saleNow` gives them
   * @param units base units of the asset
   * @param toleranceBps how much less the buyer accepts; default: the backend's own
   * @throws Fault `bad_input` when the asset is not in the terms or `units` is not whole base units
   */
  quote(terms: Terms, at: QuoteAt, asset: string, units: string, toleranceBps?: number): Quote
}

/** The part that only a page needs; pure. */
export type SaleOffer = {
  /** what a program on the chain does, instead of the team; the page shows and hides by it */
  capabilities: {
    /** the chain refuses a payment above the hard cap, so none comes back for it */
    onChainCap: boolean
    /** the buyer takes a payment back that is owed, without the team */
    selfRefund: boolean
    /** the buyer collects the tokens, without the team */
    claim: boolean
    /** the price rises by stages */
    multiStage: boolean
    /** the buyer may take a payment back while the sale goes on */
    withdraw: boolean
  }
  /** `quote` in the other direction: the smallest payment for these tokens, undefined when fewer are left */
  quoteFor(terms: Terms, at: QuoteAt, asset: string, tokens: string, toleranceBps?: number): Quote | undefined
}

export const saleQuotes: Record<BackendName, SaleQuotes> = { direct: { quote: quotePaying } }

export const saleOffers: Record<BackendName, SaleOffer> = {
  direct: {
    capabilities: { onChainCap: false, selfRefund: false, claim: false, multiStage: true, withdraw: false },
    quoteFor: quoteGetting,
  },
}

export type NamesBackend = Pick<Terms, 'backend'>

/** @returns the member of the terms' backend, by default of `direct`; undefined when this build has none of that name */
export function memberIn<M>(
  members: Readonly<Record<BackendName, M>>,
  { backend = 'direct' }: NamesBackend,
): M | undefined {
  return own(members, backend)
}
