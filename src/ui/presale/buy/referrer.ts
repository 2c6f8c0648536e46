/** The referrer in the address of this page: `?ref=` and an address. Each visit begins anew; nothing is stored. */
import { isSolanaAddress } from '../../../events/values/solana/address.ts'

/** @returns the address; undefined without one, `unreadable` when it is none */
export function readReferrer(search: string): string | undefined {
  const given = new URLSearchParams(search).get('ref')
  if (given === null) return undefined
  return isSolanaAddress(given) ? given : 'unreadable'
}

/** @returns the link by which others buy through this account */
export function referralLink(page: Pick<Location, 'origin' | 'pathname'>, account: string): string {
  return `${page.origin}${page.pathname}?ref=${account}`
}
