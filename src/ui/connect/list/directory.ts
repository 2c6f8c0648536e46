/** Reads of the wallet directory in the model. */
import { useEffect } from 'react'
import type { WalletRef } from '../../../events/schema/fields.ts'
import type { ListedWallet } from '../../../events/subjects/service/listingFacts.ts'
import type { ListingView } from '../../../events/subjects/service/listingState.ts'
import { announcedName, ownBrowserOf } from '../../../events/values/ownBrowsers.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import type { Store } from '../../store.ts'
import { countsIn } from '../../texts/amounts.ts'
import type { Language } from '../../texts/language.tsx'
import { plainName, sameName } from '../../walletNames.ts'

/** Stands for the WalletConnect code without a chosen wallet. */
export const plainWalletConnect: WalletRef = { walletId: 'walletConnect', name: 'WalletConnect' }

/**
 * @param phone whether links open apps here
 * @returns the wallets that can be reached, on a phone those with a link; each once, by id, name and rdns
 */
export function reachable(listed: readonly ListedWallet[], phone: boolean): ListedWallet[] {
  const met = new Set<string>()
  return listed.filter(({ walletId, name, rdns = walletId, mobileLink }) => {
    if (phone && mobileLink === undefined && ownBrowserOf(walletId) === undefined) return false
    const keys = [walletId, plainName(name), plainName(rdns)]
    if (keys.some(key => met.has(key))) return false
    for (const key of keys) met.add(key)
    return true
  })
}

/** @returns all wallets of the directory that are read, those that stand first before the others */
export function knownWallets(listing: ListingView): readonly ListedWallet[] {
  const { featured, top, all } = listing
  return [...featured, ...offered([...(top?.wallets ?? []), ...all.wallets], listing)]
}

/** @returns the wallets that the host does not exclude, by name and reversed host name; listed ones may come under another id */
export function offered<W extends { name: string; rdns?: string }>(
  wallets: readonly W[],
  { excluded }: ListingView,
): readonly W[] {
  if (!excluded) return wallets
  return wallets.filter(({ name, rdns = name }) => !excluded.some(one => sameName(one, name) || sameName(one, rdns)))
}

/** @returns whether an installed wallet is this one, by its name or by the known id of its name */
export function isSameWallet(name: string, wallet: WalletRef): boolean {
  return sameName(name, wallet.name) || announcedName(wallet.walletId) === name
}

/** @returns the directory's entry of a wallet, by its id, else by its name, else by the known id of its name */
export function listedOf(listing: ListingView, wallet: WalletRef): ListedWallet | undefined {
  const all = [...knownWallets(listing), ...listing.found.wallets]
  return (
    all.find(listed => listed.walletId === wallet.walletId) ??
    all.find(listed => sameName(listed.name, wallet.name)) ??
    all.find(listed => announcedName(listed.walletId) === wallet.name)
  )
}

/** @returns the number of wallets that the service has; undefined while unknown */
export function walletCount({ all, featured, top }: ListingView): number | undefined {
  if (top && !top.bundled) return top.count + featured.length
  return all.pages > 0 ? all.count + featured.length : undefined
}

/** @returns the number of wallets: exact below 10, else rounded down to tens with a plus; undefined while unknown */
export function countLabel(listing: ListingView, language: Language): string | undefined {
  const total = walletCount(listing)
  if (total === undefined) return undefined
  const written = countsIn(language)
  return total < 10 ? written(total) : `${written(Math.floor(total / 10) * 10)}+`
}

/** @returns the wallet's https address; undefined for any other scheme, since a recording may hold anything */
export function homepageOf(listed: ListedWallet | undefined): string | undefined {
  const address = listed?.homepage ?? listed?.chromeStore
  return address !== undefined && /^https:\/\//i.test(address) ? address : undefined
}

/** Age at which a part of the directory is read anew, ms. */
const staleMs = 7_200_000
/** When this page asked its present core for each part. */
const asked = new WeakMap<Store, { life: number; at: Partial<Record<'listing.open' | 'listing.read', number>> }>()

/** Reads a part of the directory on mount, once in a page's life and after two hours: the wallets that stand first, or the list. */
function useRead(part: 'listing.open' | 'listing.read'): void {
  const { store, command, now } = useSurroundings()
  const life = useModel(({ core }) => core.life)
  useEffect(() => {
    const before = asked.get(store)
    const at = before?.life === life ? before.at : {}
    const last = at[part]
    const { top } = store.model().listing
    if (last !== undefined && now() - last < staleMs && !top?.bundled) return
    asked.set(store, { life, at: { ...at, [part]: now() } })
    command(part === 'listing.open' ? { type: part, data: {} } : { type: part, data: { page: 1, search: '' } })
  }, [store, command, now, life, part])
}

/** Reads the wallets that stand first. */
export function useTop(): void {
  useRead('listing.open')
}

/** Reads the list itself. */
export function useDirectory(): void {
  useRead('listing.read')
}
