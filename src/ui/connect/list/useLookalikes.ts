import { useEffect, useMemo, useState } from 'react'
import type { InstalledView } from '../../../events/subjects/wallet/installed.ts'
import type { ListingView } from '../../../events/subjects/service/listingState.ts'
import { sameName } from '../../walletNames.ts'
import { knownWallets, plainWalletConnect } from './directory.ts'

type Compare = (one: string, other: string) => boolean

/**
 * @returns for each installed wallet, by `walletKey`: the listed wallet, or the code row, with a similar but different name.
 *   Empty until the confusables table has loaded.
 */
export function useLookalikes(installed: InstalledView, listing: ListingView): ReadonlyMap<string, string> {
  const [compare, setCompare] = useState<{ looksAlike: Compare }>()
  const listed = useMemo(
    () => [plainWalletConnect, ...knownWallets(listing), ...listing.found.wallets].map(({ name }) => name),
    [listing],
  )
  const others = useMemo(
    () => installed.filter(({ name }) => !listed.some(known => sameName(known, name))),
    [installed, listed],
  )
  const isWanted = others.length > 0
  useEffect(() => {
    if (!isWanted) return
    let current = true
    import('../../../events/values/text/lookalike.ts').then(
      ({ looksAlike }) => {
        if (current) setCompare({ looksAlike })
      },
      () => {},
    )
    return () => {
      current = false
    }
  }, [isWanted])
  return useMemo(() => {
    const found = new Map<string, string>()
    for (const { walletKey, name } of compare ? others : []) {
      const like = listed.find(known => compare?.looksAlike(known, name))
      if (like !== undefined) found.set(walletKey, like)
    }
    return found
  }, [compare, others, listed])
}
