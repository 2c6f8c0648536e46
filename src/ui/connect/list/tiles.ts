import type { WalletRef } from '../../../events/schema/fields.ts'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'
import type { ListedWallet } from '../../../events/subjects/service/listingFacts.ts'
import { announcedName } from '../../../events/values/ownBrowsers.ts'
import { plainName, sameName } from '../../walletNames.ts'
import { isSameWallet, reachable } from './directory.ts'

/** One tile of All wallets. */
export type WalletTile = {
  key: string
  wallet: WalletRef
  walletKey?: string
  imageId?: string
  certified: boolean
  twin?: boolean
}

/**
 * The tiles of a list, each wallet once: installed wallets first, then the list in its own order. An installed wallet shares
 * only its name with the directory, and any wallet may claim a name: it is never certified.
 *
 * @param listed featured and directory wallets, or the results of a search
 * @param matching limits installed wallets to names with this text; absent: all
 * @param phone whether links open apps here
 */
export function walletTiles(
  installed: readonly InstalledView[number][],
  listed: readonly ListedWallet[],
  matching = '',
  phone = false,
): WalletTile[] {
  const wanted = matching.trim().toLowerCase()
  const tiles: WalletTile[] = []
  for (const { walletKey, name, twin } of installed) {
    const known = listed.find(one => sameName(one.name, name)) ?? listed.find(one => isSameWallet(name, one))
    if (!known && !name.toLowerCase().includes(wanted)) continue
    tiles.push({
      key: walletKey,
      wallet: { walletId: name, name },
      walletKey,
      ...(known?.imageId === undefined || twin ? {} : { imageId: known.imageId }),
      certified: false,
      twin,
    })
  }
  const here = new Set(installed.map(one => plainName(one.name)))
  for (const { walletId, name, imageId, certified } of reachable(listed, phone)) {
    if (here.has(plainName(name)) || here.has(plainName(announcedName(walletId) ?? name))) continue
    tiles.push({
      key: walletId,
      wallet: { walletId, name },
      ...(imageId === undefined ? {} : { imageId }),
      certified,
    })
  }
  return tiles
}
