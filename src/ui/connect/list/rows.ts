import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ConnectionView } from '../../../events/subjects/connection.ts'
import type { InstalledView } from '../../../events/subjects/installed.ts'
import type { ListingView } from '../../../events/subjects/listing.ts'
import { listedOf, plainWalletConnect, sameName } from './directory.ts'

/** One row of Connect. `walletKey` is there for a wallet in this page, `imageId` for one with a picture in the directory. */
export type WalletRow = {
  kind: 'walletConnect' | 'recent' | 'installed' | 'featured' | 'recommended'
  key: string
  wallet: WalletRef
  walletKey?: string
  imageId?: string
  twin?: boolean
}

/** Recommended wallets fill the list up to this many rows; the other kinds are never cut. */
export const wantedRows = 7

/**
 * The rows before All wallets, each wallet once: the code, what was used last, what is in this page, what the host
 * chose, and the first of the directory.
 *
 * @see reference "views", §3.1–3.3
 */
export function walletRows(
  installed: InstalledView,
  recent: ConnectionView['recent'],
  listing: ListingView,
): WalletRow[] {
  const rows: WalletRow[] = [{ kind: 'walletConnect', key: 'walletConnect', wallet: plainWalletConnect }]
  const isShown = (wallet: WalletRef) =>
    rows.some(row => row.wallet.walletId === wallet.walletId || sameName(row.wallet.name, wallet.name))
  const isInstalled = (wallet: WalletRef) => installed.some(here => sameName(here.name, wallet.name))

  for (const wallet of recent) {
    if (isInstalled(wallet) || rows.some(row => sameName(row.wallet.name, wallet.name))) continue
    const imageId = listedOf(listing, wallet)?.imageId
    rows.push({ kind: 'recent', key: `recent ${wallet.name}`, wallet, ...(imageId === undefined ? {} : { imageId }) })
  }
  for (const { walletKey, name, twin } of installed) {
    const wallet = { walletId: name, name }
    // Where names look alike the directory's picture would speak for one of them
    const imageId = twin ? undefined : listedOf(listing, wallet)?.imageId
    const picture = imageId === undefined ? {} : { imageId }
    rows.push({ kind: 'installed', key: walletKey, wallet, walletKey, twin, ...picture })
  }
  const add = (kind: 'featured' | 'recommended', { walletId, name, imageId }: ListingView['featured'][number]) => {
    if (isShown({ walletId, name })) return
    rows.push({ kind, key: walletId, wallet: { walletId, name }, ...(imageId === undefined ? {} : { imageId }) })
  }
  for (const listed of listing.featured) add('featured', listed)
  for (const listed of listing.all.wallets) {
    if (rows.length >= wantedRows) break
    add('recommended', listed)
  }
  return rows
}
