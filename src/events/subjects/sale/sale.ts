/** The sale as published and as the chain shows it now. Everything derived (stage, price, sold) is computed from these. */
import { own } from '../../../runtime/schema/own.ts'
import type { Failure } from '../../../runtime/failure.ts'
import type { StateOf } from '../../../runtime/schema/registry.ts'
import type { SaleContent } from '../../sale/content.ts'
import type { CoreView } from '../service/core.ts'
import type { Mint, SaleData } from './saleFacts.ts'
import type { legalState, TermsView } from './saleState.ts'

/**
 * Chain time in ms at `readAt` of this device's clock; balances of the treasury's accounts by asset symbol. Decisions use only
 * a reading of the core's own `life`; an older one is shown with its age.
 */
type SaleReading = SaleData<'sale.read'> & { readAt: number; life?: number }

/** The authority's announcements; `result` from the end of the sale on, `readAt` when this was first read, ms. */
export type Notices = SaleData<'sale.noticesRead'> & { readAt?: number }

export type SaleView = {
  terms: TermsView
  notices: Notices | null
  reading: SaleReading | null
  /** The latest reading failed; the known one is old. */
  stale: SaleData<'sale.unreachable'> | null
  distrust: Failure | null
  legal?: StateOf<typeof legalState>
  /** Of an allowlist sale, by account. */
  access?: Record<string, { allowed: boolean } | { allowed?: never; failure: Failure }>
  content?: SaleContent
  /** by the sale's id */
  pins: Record<string, SaleData<'sale.pinned'>>
  /** hash of changed terms that a person confirmed, until their notice is read */
  accepted?: string
}

/** @returns whether this life made the reading: decisions use only such ones */
export function isOfThisLife<R extends { life?: number }>(
  reading: R | null | undefined,
  core: Pick<CoreView, 'life'>,
): reading is R {
  return reading != null && reading.life === core.life
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
