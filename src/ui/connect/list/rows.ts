import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ConnectionView } from '../../../events/subjects/wallet/connection.ts'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'
import type { ListingView } from '../../../events/subjects/service/listingState.ts'
import type { UiConfig } from '../../react.tsx'
import { sameName } from '../../walletNames.ts'
import { isSameWallet, knownWallets, listedOf, offered, plainWalletConnect, reachable } from './directory.ts'

/** One row of Connect. `walletKey` is set for installed wallets, `imageId` for wallets with a picture in the directory. */
export type WalletRow = {
  kind: 'walletConnect' | 'recent' | 'installed' | 'featured' | 'recommended'
  key: string
  wallet: WalletRef
  walletKey?: string
  imageId?: string
  twin?: boolean
}

/** Recommended wallets fill the list up to this many rows; other kinds are never cut. */
export const wantedRows = 4

/**
 * The rows above All wallets, each wallet once: the code, recent wallets, installed ones, the host's featured ones, and the
 * first of the directory.
 *
 * @param phone whether links open apps here; a phone cannot scan its own screen, so it has no row for the code
 * @param order the host's
 * @see reference "views", §3.1–3.3
 */
export function walletRows(
  here: InstalledView,
  recent: ConnectionView['recent'],
  listing: ListingView,
  phone = false,
  order?: UiConfig['order'],
): WalletRow[] {
  const installed = offered(here, listing)
  const rows: WalletRow[] = phone ? [] : [{ kind: 'walletConnect', key: 'walletConnect', wallet: plainWalletConnect }]
  const isShown = (wallet: WalletRef) =>
    isInstalled(wallet) ||
    rows.some(row => row.wallet.walletId === wallet.walletId || sameName(row.wallet.name, wallet.name))
  const isInstalled = (wallet: WalletRef) => installed.some(here => isSameWallet(here.name, wallet))

  for (const wallet of offered(recent, listing)) {
    if (isInstalled(wallet) || rows.some(row => sameName(row.wallet.name, wallet.name))) continue
    const listed = listedOf(listing, wallet)
    // An extension that was used and is gone: nothing reaches it, unless the directory has a wallet of its name
    if (!listed && wallet.walletId === wallet.name) continue
    const imageId = listed?.imageId
    rows.push({ kind: 'recent', key: `recent ${wallet.name}`, wallet, ...(imageId === undefined ? {} : { imageId }) })
  }
  for (const { walletKey, name, twin } of installed) {
    const wallet = { walletId: name, name }
    // Among wallets of one name, the directory's picture would vouch for one of them
    const imageId = twin ? undefined : listedOf(listing, wallet)?.imageId
    const picture = imageId === undefined ? {} : { imageId }
    rows.push({ kind: 'installed', key: walletKey, wallet, walletKey, twin, ...picture })
  }
  const add = (kind: 'featured' | 'recommended', { walletId, name, imageId }: ListingView['featured'][number]) => {
    if (isShown({ walletId, name })) return
    rows.push({ kind, key: walletId, wallet: { walletId, name }, ...(imageId === undefined ? {} : { imageId }) })
  }
  const featured = listing.featured.length
  for (const [index, listed] of knownWallets(listing).entries()) {
    if (index >= featured && rows.length >= wantedRows) break
    if (reachable([listed], phone).length > 0) add(index < featured ? 'featured' : 'recommended', listed)
  }
  return order ? inOrder(rows, order) : rows
}

function inOrder(rows: WalletRow[], { types, custom, external }: NonNullable<UiConfig['order']>): WalletRow[] {
  const place = ({ kind, wallet: { name, walletId } }: WalletRow) => {
    if (kind === 'installed') return types.indexOf(external.includes(name) ? 'external' : 'injected')
    return types.indexOf(kind === 'featured' && custom.includes(walletId) ? 'custom' : kind)
  }
  return rows.sort((one, other) => place(one) - place(other))
}
