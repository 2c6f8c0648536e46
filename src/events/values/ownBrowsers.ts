/** Wallets that open this page in their own browser by a link, so that a phone needs no other link of theirs. */
import { own } from '../../runtime/schema/own.ts'

const ownBrowsers = {
  a797aa35c0fadbfc1a53e7f675162ed5226968b44a19ee3d24385c64d1d3c393: 'phantom',
  '1ca0bdd4747578705b1939af023d120677c64fe6ca76add81fda36e350605e79': 'solflare',
  fd20dc426fb37566d803205b19bbc1d4096b248ac04548e3cfb6b3a38bd033aa: 'coinbase',
  d0ca99ff52b99abc48743dad0f7fc891e041be73574f7fac4afe5d4bb83845c8: 'coinbase',
  '8a0ee50d1f22f6651afcae7eb4253e52a3310b90af5daef78a8c4929a9bb99d4': 'binance',
  '2fafea35bb471d22889ccb49c08d99dd0a18a37982602c33f696a5723934ba25': 'binance',
} as const
/** The names that these wallets announce where they are installed. */
const announcedNames: Record<OwnBrowser, string> = {
  phantom: 'Phantom',
  solflare: 'Solflare',
  coinbase: 'Coinbase Wallet',
  binance: 'Binance Wallet',
}
export type OwnBrowser = (typeof ownBrowsers)[keyof typeof ownBrowsers]

/** @returns the browser of a wallet, by any of its ids in the directory */
export function ownBrowserOf(walletId: string): OwnBrowser | undefined {
  return own<OwnBrowser>(ownBrowsers, walletId)
}

/** @returns the name that a wallet announces, by any of its ids in the directory; undefined where it is not known */
export function announcedName(walletId: string): string | undefined {
  const browser = ownBrowserOf(walletId)
  return browser && announcedNames[browser]
}
