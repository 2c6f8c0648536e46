/** Reads of the wallet directory in the model. */
import { useEffect, useRef } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ListedWallet, ListingView } from '../../../events/subjects/listing.ts'
import { useSurroundings } from '../../react.tsx'

/** Stands for the WalletConnect code without a chosen wallet. */
export const plainWalletConnect: WalletRef = { walletId: 'walletConnect', name: 'WalletConnect' }

/** @returns whether two names read the same to a person: case and outer spaces are ignored */
export function sameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** @returns the directory's entry of a wallet, by its id, else by its name */
export function listedOf(listing: ListingView, wallet: WalletRef): ListedWallet | undefined {
  const all = [...listing.featured, ...listing.all.wallets, ...listing.found.wallets]
  return (
    all.find(listed => listed.walletId === wallet.walletId) ?? all.find(listed => sameName(listed.name, wallet.name))
  )
}

/** @returns the number of wallets: exact below 10, else rounded down to tens with a plus; undefined while unknown */
export function countLabel(listing: ListingView): string | undefined {
  const total = listing.all.count + listing.featured.length
  if (listing.all.pages === 0) return undefined
  return total < 10 ? String(total) : `${Math.floor(total / 10) * 10}+`
}

/** @returns the wallet's https address; undefined for any other scheme, since a recording may hold anything */
export function homepageOf(listed: ListedWallet | undefined): string | undefined {
  const address = listed?.homepage ?? listed?.chromeStore
  return address !== undefined && /^https:\/\//i.test(address) ? address : undefined
}

/** Reads the first page of the directory on mount, unless it was read before. */
export function useDirectory(): void {
  const { store, command } = useSurroundings()
  const asked = useRef(false)
  useEffect(() => {
    const { all } = store.model().listing
    if (asked.current || all.pages > 0 || all.phase === 'reading') return
    asked.current = true
    command({ type: 'listing.read', data: { page: 1, search: '' } })
  }, [store, command])
}
