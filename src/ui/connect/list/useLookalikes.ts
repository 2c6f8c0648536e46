import { useEffect, useMemo, useState } from 'react'
import type { InstalledView } from '../../../events/subjects/installed.ts'
import type { ListingView } from '../../../events/subjects/listing.ts'
import { plainWalletConnect, sameName } from './directory.ts'

type Compare = (one: string, other: string) => boolean

/**
 * @returns by its key, the listed wallet, or the row of the code, that a wallet here is named like without being named so. Names
 *   are compared as soon as the table for it has come; without it nothing is said.
 */
export function useLookalikes(installed: InstalledView, listing: ListingView): ReadonlyMap<string, string> {
  const [compare, setCompare] = useState<{ looksAlike: Compare }>()
  const listed = useMemo(
    () =>
      [plainWalletConnect, ...listing.featured, ...listing.all.wallets, ...listing.found.wallets].map(
        ({ name }) => name,
      ),
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
    import('../../../events/values/lookalike.ts').then(
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
