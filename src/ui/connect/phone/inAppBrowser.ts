/**
 * Wallets that open this page in their own browser by a link. Nothing of the page travels but its address.
 * @see reference "views", §4.3
 */
import { type OwnBrowser, ownBrowserOf } from '../../../events/values/ownBrowsers.ts'
import type { Handheld } from './handheld.ts'

/** The page as such a link names it; `chain` is the network's reference (CAIP-2), if known. */
type Visit = { page: string; origin: string; system: Handheld['system']; chain: string | undefined }
/** `provider` is the object that the wallet's own browser puts into its pages. */
type Browser = { provider: string; address(visit: Visit): string }

const enc = encodeURIComponent

const browsers: Readonly<Record<OwnBrowser, Browser>> = {
  phantom: {
    provider: 'phantom',
    address: ({ page, origin, system }) =>
      system === 'android'
        ? `intent://browse/${enc(page)}?ref=${enc(origin)}#Intent;scheme=phantom;package=app.phantom;end`
        : `https://phantom.app/ul/browse/${enc(page)}?ref=${enc(origin)}`,
  },
  solflare: {
    provider: 'solflare',
    address: ({ page }) => `https://solflare.com/ul/v1/browse/${enc(page)}?ref=${enc(page)}`,
  },
  coinbase: {
    provider: 'coinbaseSolana',
    address: ({ page }) => `https://go.cb-w.com/dapp?cb_url=${enc(page)}`,
  },
  binance: {
    provider: 'binancew3w',
    address({ page, chain = '1' }) {
      const query = btoa(`url=${enc(page)}&defaultChainId=${chain}`)
      const link = `bnc://app.binance.com/mp/app?appId=yFK5FCqYprrXDiVFbhyRx7&startPagePath=${btoa('/pages/browser/index')}&startPageQuery=${query}`
      return `https://app.binance.com/en/download?_dp=${btoa(link)}`
    },
  },
}

/**
 * @param here the page's window, which holds the wallet's provider in the wallet's own browser
 * @returns the address that opens the page in the wallet's browser; undefined for other wallets, and where the provider is
 */
export function browserAddress(walletId: string, visit: Visit, here: object): string | undefined {
  const name = ownBrowserOf(walletId)
  const browser = name && browsers[name]
  return browser && !(browser.provider in here) ? browser.address(visit) : undefined
}
