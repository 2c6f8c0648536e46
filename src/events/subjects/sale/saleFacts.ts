/** Facts of the sale. */
import { failure } from '../../schema/fields.ts'
import {
  choice,
  define,
  flag,
  id,
  integer,
  list,
  map,
  measure,
  openField,
  optional,
  personal,
  shape,
  text,
  type UnionOf,
  v1,
  wholly,
} from '../../../runtime/schema/registry.ts'
import {
  baseUnits,
  chainInstant,
  chainKey,
  instant,
  noticeNumber,
  publishedSlot,
  publishedTime,
  saleUnits,
  signedTime,
  slot,
  tokenUnits,
} from '../../schema/scales.ts'
import { loggedContent } from '../../sale/content.ts'
import { loggedTerms } from '../../sale/terms/termsShape.ts'

const checkpoint = shape({
  slot: measure(publishedSlot),
  /** chain time, ms */
  time: openField(publishedTime),
  balances: map(measure(saleUnits)),
  raised: measure(saleUnits),
  pos: measure(saleUnits),
  /** token base units sold by then */
  tokens: optional(measure(saleUnits)),
})

/**
 * Notices that change the judgement of payments, in the order of the chain; absent in logs of builds that did not record them.
 */
export const noticeChanges = optional(
  list(
    shape({
      slot: measure(publishedSlot),
      verb: openField(choice(['terms', 'pause', 'resume', 'close'])),
      /** of terms, 64 hex digits */
      hash: optional(openField(chainKey)),
    }),
  ),
)
/** Parts of the notices that came after their field in the state, which holds them beside it. */
export const laterNotices = {
  /** Slots that may hold notices which the authority's list leaves out, because they are no longer in force. */
  unlisted: optional(shape({ from: measure(publishedSlot), to: optional(measure(publishedSlot)) })),
  /** Hashes of the announced plans of payouts, 64 hex digits, the oldest first; absent while there are none. */
  plans: optional(list(openField(chainKey))),
  /**
   * Figures of the newest checkpoint that no price follows from: of orders that count, their buyers, and units to give back in all,
   * paid or not, by asset.
   */
  counts: optional(
    shape({ orders: openField(integer), buyers: openField(integer), refundsOwed: map(measure(saleUnits)) }),
  ),
}
export const laterNoticeNames = ['unlisted', 'plans', 'counts'] as const satisfies (keyof typeof laterNotices)[]
export const saleContent = optional(openField(wholly(loggedContent)))

/**
 * The newest payments under the sale's reference, newest first, as a node lists them: unverified, as anyone can write under it. `other`:
 * listed lines that are no order of this sale.
 */
export const saleFeed = {
  lines: list(
    shape({
      signature: personal(id),
      slot: measure(slot),
      /** chain time, ms; absent where the node does not know it */
      paidAt: optional(openField(chainInstant)),
      asset: openField(text),
      units: measure(baseUnits),
      quoted: measure(tokenUnits),
    }),
  ),
  other: openField(integer),
}

export const saleFacts = define({
  /** The published file, read whole and checked; its hash equals the one announced on chain. */
  'sale.termsRead': v1({
    terms: openField(wholly(loggedTerms)),
    termsHash: openField(chainKey),
    presaleRef: openField(chainKey),
    /** where the authority's notices stand; absent in logs of builds that did not record it */
    noticeRef: optional(openField(chainKey)),
  }),
  'sale.termsRefused': v1({ failure }),
  /** The authority's notices, in force as of the newest one. */
  'sale.noticesRead': v1({
    termsHash: openField(chainKey),
    paused: openField(flag),
    closed: openField(flag),
    checkpoint: optional(checkpoint),
    /** outcome of the sale, once the authority has announced it */
    result: optional(openField(choice(['success', 'failed']))),
    /** number of the newest notice that counts */
    seq: optional(openField(noticeNumber)),
    /** a newer notice may exist that could not be read; `asOf` is when nothing newer was known to exist, if ever */
    partial: optional(openField(flag)),
    asOf: optional(openField(signedTime)),
    changes: noticeChanges,
    ...laterNotices,
  }),
  /** The notices could not be read: newer ones may exist. `since`: the last time they were read, ms; absent if they never were. */
  'sale.noticesUnread': v1({ failure, retryAt: openField(instant), since: optional(openField(instant)) }),
  /**
   * This device pins these terms: the first that its authority announced, later ones without a frozen change, and those that a
   * person confirmed.
   */
  'sale.pinned': v1({ terms: openField(wholly(loggedTerms)), termsHash: openField(chainKey) }),
  /** A person confirmed changed terms before their notice was read: the device pins them as soon as it is. */
  'sale.changeAccepted': v1({ termsHash: openField(chainKey) }),
  /** The legal document was read at `url`, and its hash is that of the terms. */
  'sale.legalRead': v1({ sha256: openField(chainKey), url: openField(text) }),
  /** The document is missing or another one; the person cannot agree to it until it is read. */
  'sale.legalFailed': v1({ failure }),
  /** An allowlist sale: whether its list, checked against the terms, names the account. */
  'sale.accessRead': v1({ account: personal(text), allowed: openField(flag) }),
  'sale.accessFailed': v1({ account: personal(text), failure }),
  /** Texts and tables published for display beside the terms; absent when there are none. */
  'sale.contentRead': v1({ content: saleContent }),
  /** Authorities of the mint of the token on sale: to create more, to freeze. Absent means none. */
  'sale.mintRead': v1({
    mintAuthority: optional(openField(chainKey)),
    freezeAuthority: optional(openField(chainKey)),
    decimals: openField(integer),
  }),
  'sale.read': v1({ slot: measure(slot), chainTime: openField(chainInstant), balances: map(measure(saleUnits)) }),
  'sale.feedRead': v1(saleFeed),
  'sale.feedFailed': v1({ failure }),
  'sale.unreachable': v1({ failure, retryAt: openField(instant) }),
  /** The chain or the files contradict each other; buying is off until the terms are read again. */
  'sale.distrusted': v1({ failure, about: openField(choice(['terms', 'treasury', 'rpc', 'cluster'])) }),
})
export type SaleFact = UnionOf<typeof saleFacts>
export type SaleData<T extends SaleFact['type']> = Extract<SaleFact, { type: T }>['data']

/** Slots, both inclusive; without `to` up to the newest. */
export type Unlisted = NonNullable<SaleData<'sale.noticesRead'>['unlisted']>

export type NoticeChange = NonNullable<SaleData<'sale.noticesRead'>['changes']>[number]

/** Addresses; an absent authority was renounced for ever. */
export type Mint = SaleData<'sale.mintRead'>
