/**
 * Where the outside services are. One table for the build, the development server and the headers; everything that
 * runs can be pointed elsewhere by setting the variable of that name.
 */
import { loadEnv } from 'vite'
import { isUniversal } from '../src/worker/walletconnect/link/linkMode.ts'
import { listedUrls } from '../src/main/page/integrity/listedUrls.ts'
import { isSolanaAddress } from '../src/events/values/address.ts'
import { isSaleId } from '../src/events/sale/saleId.ts'

/** The values of the public services; `npm start` sets every one to the local stack unless it is set already. */
export const productionAddresses = {
  /** The project id the services are called with; empty means they refuse. */
  VITE_PROJECT_ID: '',
  /** WalletConnect relay, a WebSocket; several with commas between them are tried in order. */
  VITE_RELAY_URL: 'wss://relay.walletconnect.org',
  /**
   * Solana JSON-RPC over HTTP; of several with commas between them the next is asked when one fails, and all of them must agree
   * that a payment did not arrive.
   */
  VITE_SOLANA_RPC_URL: 'https://api.mainnet-beta.solana.com',
  /** Blockchain API: the node of last resort for a host's provider. */
  VITE_API_URL: 'https://rpc.walletconnect.org',
  /** Wallet directory and wallet images. */
  VITE_CONFIG_URL: 'https://api.web3modal.org',
  /** The presale's published terms; a relative address is beside the page. */
  VITE_TERMS_URL: './terms.json',
  /** The sale's authority, base58: terms of any other are refused, whoever serves them. A published build needs it. */
  VITE_SALE_AUTHORITY: '',
  /** The sale's id, as its terms say it. A published build needs it. */
  VITE_SALE_ID: '',
  /** The verify service, which witnesses in a hidden frame where a message comes from; empty means that nobody does. */
  VITE_VERIFY_URL: '',
} as const

export type AddressName = keyof typeof productionAddresses
export type Addresses = Record<AddressName, string>

export const addressNames = Object.keys(productionAddresses) as AddressName[]

/**
 * The addresses a run uses: the environment first, then the `.env` files of `folder`, then `fallback`.
 *
 * @throws Error naming the variable when a value is neither a URL nor a relative path
 */
export function addressesFrom(folder: string, mode: string, fallback: Addresses = productionAddresses): Addresses {
  const set = loadEnv(mode, folder, 'VITE_')
  const addresses = { ...fallback }
  for (const name of addressNames) {
    const value = set[name] ?? fallback[name]
    for (const one of urlsIn(name, value)) checkAddress(name, one)
    checkSale(name, value)
    // The page and its worker put a path behind it
    addresses[name] = name === 'VITE_VERIFY_URL' ? value.replace(/\/+$/, '') : value
  }
  return addresses
}

/**
 * Origins the page and its worker may connect to, sorted: the https one of every service that is called, and of a relay
 * also its socket. The reason of a relay's refusal is read at its https origin.
 */
export function connectOrigins(addresses: Addresses): string[] {
  const origins = new Set<string>()
  for (const name of addressNames) {
    for (const one of urlsIn(name, addresses[name])) {
      if (isRelative(one)) continue
      const { protocol, host } = new URL(one)
      const isSecure = protocol === 'https:' || protocol === 'wss:'
      origins.add(`${isSecure ? 'https' : 'http'}://${host}`)
      if (name === 'VITE_RELAY_URL') origins.add(`${isSecure ? 'wss' : 'ws'}://${host}`)
    }
  }
  return [...origins].sort()
}

/** @returns the origins that may be shown in a frame: the verify service's, when one is set */
export function frameOrigins(addresses: Addresses): string[] {
  return urlsIn('VITE_VERIFY_URL', addresses.VITE_VERIFY_URL).map(url => new URL(url).origin)
}

/** @returns why pages with these settings may not be published, undefined when they may: a sale must be named by who builds them */
export function saleProblem(addresses: Addresses): string | undefined {
  const missing = (['VITE_SALE_AUTHORITY', 'VITE_SALE_ID'] as const).filter(name => addresses[name] === '')
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} expected the authority and id of the sale this page is for, got nothing: set them and build again`
}

/** Settings that are no addresses. */
const plain: ReadonlySet<AddressName> = new Set(['VITE_PROJECT_ID', 'VITE_SALE_AUTHORITY', 'VITE_SALE_ID'])

/** @returns the addresses that a variable holds; none when it holds no address or is off */
function urlsIn(name: AddressName, value: string): string[] {
  if (plain.has(name) || (name === 'VITE_VERIFY_URL' && value === '')) return []
  return name === 'VITE_RELAY_URL' || name === 'VITE_SOLANA_RPC_URL' ? listedUrls(value) : [value]
}

function checkSale(name: AddressName, value: string): void {
  if (value === '') return
  if (name === 'VITE_SALE_AUTHORITY' && !isSolanaAddress(value))
    throw new Error(`${name} expected base58 of 32 bytes, got ${JSON.stringify(value)}`)
  if (name === 'VITE_SALE_ID' && !isSaleId(value))
    throw new Error(`${name} expected 3 to 32 of a-z, 0-9 and -, got ${JSON.stringify(value)}`)
}

function isRelative(value: string): boolean {
  return /^\.{0,2}\//.test(value)
}

function checkAddress(name: AddressName, value: string): void {
  if (name === 'VITE_VERIFY_URL') {
    if (isUniversal(value) && URL.canParse(value)) return
    throw new Error(`${name} expected an https URL without query, fragment or user, got ${JSON.stringify(value)}`)
  }
  if (isRelative(value)) return
  const protocol = URL.canParse(value) ? new URL(value).protocol : ''
  if (['http:', 'https:', 'ws:', 'wss:'].includes(protocol)) return
  throw new Error(`${name} expected an http, https, ws or wss URL or a relative path, got ${JSON.stringify(value)}`)
}
