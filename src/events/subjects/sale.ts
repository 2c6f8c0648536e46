/** The sale as published and as the chain shows it now. Everything derived (stage, price, sold) is computed from these. */
import type { Failure } from '../failure.ts'
import { failure } from '../fields.ts'
import {
  chainInstant,
  chainKey,
  checked,
  choice,
  define,
  flag,
  instant,
  integer,
  map,
  measure,
  open,
  optional,
  publishedSlot,
  publishedTime,
  saleUnits,
  shape,
  slot,
  type UnionOf,
  v1,
} from '../registry.ts'
import type { Terms } from '../values/terms.ts'

const checkpoint = shape({
  slot: measure(publishedSlot),
  /** chain time, ms */
  time: open(publishedTime),
  balances: map(measure(saleUnits)),
  raised: measure(saleUnits),
  pos: measure(saleUnits),
  /** token base units sold by then */
  tokens: optional(measure(saleUnits)),
})

export const saleFacts = define({
  /** The published file, read whole and checked; its hash equals the one announced on chain. */
  'sale.termsRead': v1({
    terms: open(checked<Terms>()),
    termsHash: open(chainKey),
    presaleRef: open(chainKey),
    /** where the authority's notices stand; absent in logs of builds that did not write it down */
    noticeRef: optional(open(chainKey)),
  }),
  'sale.termsRefused': v1({ failure }),
  /** The authority's notices, in force as of the newest one. */
  'sale.noticesRead': v1({
    termsHash: open(chainKey),
    paused: open(flag),
    closed: open(flag),
    checkpoint: optional(checkpoint),
    /** how the sale ended, once the authority has said so */
    result: optional(open(choice(['success', 'failed']))),
  }),
  /** What the mint of the token on sale says on the chain: who may create more, who may freeze. Absent means nobody. */
  'sale.mintRead': v1({
    mintAuthority: optional(open(chainKey)),
    freezeAuthority: optional(open(chainKey)),
    decimals: open(integer),
  }),
  'sale.read': v1({ slot: measure(slot), chainTime: open(chainInstant), balances: map(measure(saleUnits)) }),
  'sale.unreachable': v1({ failure, retryAt: open(instant) }),
  /** What the chain or the files say cannot be true together; buying is off until a reload. */
  'sale.distrusted': v1({ failure, about: open(choice(['terms', 'treasury', 'rpc', 'cluster'])) }),
})
export type SaleFact = UnionOf<typeof saleFacts>

/**
 * Audited position: balances of the watched accounts at `slot`, credits raised and token base units sold by then, position
 * on the price curve. `tokens` is absent in logs of builds that did not write it down.
 */
export type Checkpoint = {
  slot: number
  time: number
  balances: Record<string, string>
  raised: string
  pos: string
  tokens?: string
}
/** Chain time in ms at `readAt` of this device's clock; balances of the treasury's accounts by asset symbol. */
export type SaleReading = { slot: number; chainTime: number; balances: Record<string, string>; readAt: number }

/** What the authority has announced; `result` from the end of the sale on. */
export type Notices = {
  termsHash: string
  paused: boolean
  closed: boolean
  checkpoint?: Checkpoint
  result?: 'success' | 'failed'
}

/** Addresses; an absent authority was given up for ever. */
export type Mint = { mintAuthority?: string; freezeAuthority?: string; decimals: number }

export type TermsView =
  | { phase: 'unread' }
  | {
      phase: 'read'
      terms: Terms
      termsHash: string
      presaleRef: string
      noticeRef?: string
      /** What the token's mint says, once it has been read. */
      mint?: Mint
    }
  | { phase: 'refused'; failure: Failure }

export type SaleView = {
  terms: TermsView
  notices: Notices | null
  reading: SaleReading | null
  /** The latest reading failed; what is known is old. */
  stale: { failure: Failure; retryAt: number } | null
  distrust: Failure | null
}
export const emptySale: SaleView = {
  terms: { phase: 'unread' },
  notices: null,
  reading: null,
  stale: null,
  distrust: null,
}

export function foldSale(model: { sale: SaleView }, fact: SaleFact & { at: number }): void {
  const sale = model.sale
  switch (fact.type) {
    case 'sale.termsRead':
      if (sale.terms.phase !== 'read' || sale.terms.termsHash !== fact.data.termsHash)
        sale.terms = { phase: 'read', ...fact.data }
      else if (fact.data.noticeRef !== undefined) sale.terms.noticeRef = fact.data.noticeRef
      sale.distrust = null
      return
    case 'sale.termsRefused':
      if (sale.terms.phase !== 'read') sale.terms = { phase: 'refused', failure: fact.data.failure }
      return
    case 'sale.noticesRead':
      sale.notices = fact.data
      return
    case 'sale.mintRead':
      if (sale.terms.phase === 'read' && !sameMint(sale.terms.mint, fact.data)) sale.terms.mint = fact.data
      return
    case 'sale.read':
      sale.stale = null
      // A node that lags, or a chain that stands still: chain time goes on from the reading that is known
      if (sale.reading && sale.reading.slot >= fact.data.slot) return
      sale.reading = { ...fact.data, readAt: fact.at }
      return
    case 'sale.unreachable':
      sale.stale = fact.data
      return
    case 'sale.distrusted':
      sale.distrust = fact.data.failure
  }
}

/** @returns true when both name the same authorities and decimals */
export function sameMint(one: Mint | undefined, other: Mint): boolean {
  return (
    one?.decimals === other.decimals &&
    one.mintAuthority === other.mintAuthority &&
    one.freezeAuthority === other.freezeAuthority
  )
}
