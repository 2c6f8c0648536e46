/**
 * Wallets that open this page in their own browser by a link. Nothing of the page travels but its address.
 * @see reference "views", §4.3
 */
import type { Handheld } from './handheld.ts'

/** The page as such a link names it; `chain` is the network's reference (CAIP-2), if known. */
type Visit = { page: string; origin: string; system: Handheld['system']; chain: string | undefined }
/** `provider` is the object that the wallet's own browser puts into its pages. */
type Browser = { provider: string; address(visit: Visit): string }

const enc = encodeURIComponent

const phantom: Browser = {
  provider: 'phantom',
  address: ({ page, origin, system }) =>
    system === 'android'
      ? `intent://browse/${enc(page)}?ref=${enc(origin)}#Intent;scheme=phantom;package=app.phantom;end`
      : `https://phantom.app/ul/browse/${enc(page)}?ref=${enc(origin)}`,
}
const solflare: Browser = {
  provider: 'solflare',
  address: ({ page }) => `https://solflare.com/ul/v1/browse/${enc(page)}?ref=${enc(page)}`,
}
const coinbase: Browser = {
  provider: 'coinbaseSolana',
  address: ({ page }) => `https://go.cb-w.com/dapp?cb_url=${enc(page)}`,
}
const binance: Browser = {
  provider: 'binancew3w',
  address({ page, chain = '1' }) {
    const query = btoa(`url=${enc(page)}&defaultChainId=${chain}`)
    const link = `bnc://app.binance.com/mp/app?appId=yFK5FCqYprrXDiVFbhyRx7&startPagePath=${btoa('/pages/browser/index')}&startPageQuery=${query}`
    return `https://app.binance.com/en/download?_dp=${btoa(link)}`
  },
}

/** By the directory's ids; some wallets have had two. */
const browsers: Readonly<Record<string, Browser>> = {
  a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393: phantom,
  '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79': solflare,
  fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa: coinbase,
  d0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8: coinbase,
  '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4': binance,
  '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25': binance,
}

/** @returns whether a phone reaches this wallet without a link of the directory */
export function hasOwnBrowser(walletId: string): boolean {
  return Object.hasOwn(browsers, walletId)
}

/**
 * @param here the page's window, which holds the wallet's provider in the wallet's own browser
 * @returns the address that opens the page in the wallet's browser; undefined for other wallets, and where the provider is
 */
export function browserAddress(walletId: string, visit: Visit, here: object): string | undefined {
  const browser = Object.hasOwn(browsers, walletId) ? browsers[walletId] : undefined
  return browser && !(browser.provider in here) ? browser.address(visit) : undefined
}
