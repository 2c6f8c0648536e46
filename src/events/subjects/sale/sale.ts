/** The sale as published and as the chain shows it now. Everything derived (stage, price, sold) is computed from these. */
import { own } from '../../../runtime/schema/own.ts'
import type { StateOf } from '../../../runtime/schema/registry.ts'
import type { CoreView } from '../service/core.ts'
import type { laterNotices, Mint, SaleData } from './saleFacts.ts'
import type { saleState, TermsView } from './saleState.ts'

type Row = StateOf<typeof saleState>

/** The authority's announcements; `result` from the end of the sale on. */
export type Notices = NonNullable<Row['notices']> & Pick<Row, keyof typeof laterNotices>

/** A part that has not been read is null or absent. */
export type SaleView = Pick<Row, 'legal' | 'access' | 'content' | 'feed' | 'accepted' | 'noticesUnread'> & {
  [P in 'reading' | 'stale' | 'distrust']: NonNullable<Row[P]> | null
} & {
  terms: TermsView
  notices: Notices | null
  /** by the sale's id */
  pins: Record<string, SaleData<'sale.pinned'>>
}

/** @returns whether this life made the reading: decisions use only such ones */
export function isOfThisLife<R extends { life?: number }>(
  reading: R | null | undefined,
  core: Pick<CoreView, 'life'>,
): reading is R {
  return reading != null && reading.life === core.life
}

/** Age of the notices up to which a code may be paid, ms. No gate reads them again before its payment. */
export const codeNoticesMs = 300_000

/** @returns whether a shown code may still be paid by the notices known at a time, ms: read in this life, and not too long ago */
export function holdForCode({ notices, noticesUnread }: SaleView, core: Pick<CoreView, 'life'>, at: number): boolean {
  if (!isOfThisLife(notices, core)) return false
  return !noticesUnread || Math.abs(at - (noticesUnread.since ?? 0)) <= codeNoticesMs
}

/** @returns true when both name the same authorities and decimals */
export function sameMint(one: Mint | undefined, other: Mint): boolean {
  return (
    one?.decimals === other.decimals &&
    one.mintAuthority === other.mintAuthority &&
    one.freezeAuthority === other.freezeAuthority
  )
}

/** @returns whether an account may buy: an open sale takes everybody, an allowlist sale those on its list once it is read */
export function accessOf(
  { terms, access = {} }: SaleView,
  account: string | undefined,
): 'yes' | 'no' | 'unread' | 'failed' {
  if (terms.phase !== 'read') return 'unread'
  if (terms.terms.access.mode === 'open') return 'yes'
  const known = account === undefined ? undefined : own(access, account)
  if (!known) return 'unread'
  if (known.allowed === undefined) return 'failed'
  return known.allowed ? 'yes' : 'no'
}
