/**
 * Addresses of the outside services: one table for the build, the development server and the headers. An environment variable
 * of the same name overrides each.
 */
import { loadEnv } from 'vite'
import { isUniversal } from '../src/events/values/universalLink.ts'
import { listedUrls } from '../src/main/page/integrity/listedUrls.ts'
import { isSolanaAddress } from '../src/events/values/solana/address.ts'
import { isSaleId } from '../src/events/sale/terms/saleId.ts'

/** Public services; `npm start` replaces every unset one by the local stack. */
export const productionAddresses = {
  /** Project id for the wallet services, 32 hex digits; empty: they refuse. */
  VITE_PROJECT_ID: '',
  /** WalletConnect relay, a WebSocket; comma-separated alternatives are tried in order. */
  VITE_RELAY_URL: 'wss://relay.walletconnect.org',
  /**
   * Solana JSON-RPC over HTTP; of comma-separated endpoints the next takes over when one fails, and all must agree that a
   * payment did not arrive.
   */
  VITE_SOLANA_RPC_URL: 'https://api.mainnet-beta.solana.com',
  /** Socket of the first endpoint, over which news of the treasury make the next reading come earlier; empty: off. */
  VITE_SOLANA_WS_URL: '',
  /** Blockchain API, and the node of last resort for a host's provider. */
  VITE_API_URL: 'https://rpc.walletconnect.org',
  /** Wallet directory, images and the project's configuration. */
  VITE_CONFIG_URL: 'https://api.web3modal.org',
  /** The presale's published terms; a relative address is relative to the page. */
  VITE_TERMS_URL: './terms.json',
  /**
   * The sale's authority, base58: terms of another authority are refused, whatever server they come from. Required for a
   * published build.
   */
  VITE_SALE_AUTHORITY: '',
  /** The sale's id, as in its terms. Required for a published build. */
  VITE_SALE_ID: '',
  /**
   * `on`: purchases carry an assertion of the Lighthouse program that the treasury does not exceed the cap, where the chain has the
   * program.
   */
  VITE_SALE_GUARD: '',
  /** Verify service, called in a hidden frame to attest the origin of messages; empty: off. */
  VITE_VERIFY_URL: '',
  /** Analytics service; empty: no page of this build sends any, unless its host names a service. */
  VITE_ANALYTICS_URL: '',
} as const

export type AddressName = keyof typeof productionAddresses
export type Addresses = Record<AddressName, string>

export const addressNames = Object.keys(productionAddresses) as AddressName[]

/**
 * Addresses of a run: from the environment, else the `.env` files of `folder`, else `fallback`.
 *
 * @throws Error naming the variable when a value is neither a URL nor a relative path
 */
export function addressesFrom(folder: string, mode: string, fallback: Addresses = productionAddresses): Addresses {
  const set = loadEnv(mode, folder, 'VITE_')
  const addresses = { ...fallback }
  for (const name of addressNames) {
    const value = set[name] ?? fallback[name]
    for (const one of urlsIn(name, value)) checkAddress(name, one)
    checkPlain(name, value)
    // The page and its worker append a path
    addresses[name] = name === 'VITE_VERIFY_URL' ? value.replace(/\/+$/, '') : value
  }
  return addresses
}

/**
 * Origins for `connect-src`, sorted: the https origin of every service, and the sockets of relays and nodes as well. The reason
 * of a relay's refusal is read from its https origin.
 */
export function connectOrigins(addresses: Addresses): string[] {
  const origins = new Set<string>()
  for (const name of addressNames) {
    for (const one of urlsIn(name, addresses[name])) {
      if (isRelative(one)) continue
      const { protocol, host } = new URL(one)
      const isSecure = protocol === 'https:' || protocol === 'wss:'
      origins.add(`${isSecure ? 'https' : 'http'}://${host}`)
      if (withSockets.has(name)) origins.add(`${isSecure ? 'wss' : 'ws'}://${host}`)
    }
  }
  return [...origins].sort()
}

/** @returns the origins for `frame-src`: the verify service's, if set */
export function frameOrigins(addresses: Addresses): string[] {
  return urlsIn('VITE_VERIFY_URL', addresses.VITE_VERIFY_URL).map(url => new URL(url).origin)
}

/** @returns why these settings must not be published: the builder has to name the sale; undefined when they may be */
export function saleProblem(addresses: Addresses): string | undefined {
  const missing = (['VITE_SALE_AUTHORITY', 'VITE_SALE_ID'] as const).filter(name => addresses[name] === '')
  if (missing.length === 0) return undefined
  return `${missing.join(' and ')} expected the authority and id of the sale this page is for, got nothing: set them and build again`
}

/** Variables that hold no address. */
const plain: ReadonlySet<AddressName> = new Set([
  'VITE_PROJECT_ID',
  'VITE_SALE_AUTHORITY',
  'VITE_SALE_ID',
  'VITE_SALE_GUARD',
])

/** Services that are reached over sockets, too; each may list alternatives. */
const withSockets: ReadonlySet<AddressName> = new Set(['VITE_RELAY_URL', 'VITE_SOLANA_RPC_URL', 'VITE_SOLANA_WS_URL'])

/** Services that are off when empty. */
const off: ReadonlySet<AddressName> = new Set(['VITE_SOLANA_WS_URL', 'VITE_VERIFY_URL', 'VITE_ANALYTICS_URL'])

/** @returns the URLs in a variable; none if it holds no address or is off */
function urlsIn(name: AddressName, value: string): string[] {
  if (plain.has(name) || (off.has(name) && value === '')) return []
  return withSockets.has(name) ? listedUrls(value) : [value]
}

function checkPlain(name: AddressName, value: string): void {
  if (value === '') return
  if (name === 'VITE_PROJECT_ID' && !/^[0-9a-f]{32}$/i.test(value))
    throw new Error(`${name} expected 32 hex digits, got ${JSON.stringify(value)}`)
  if (name === 'VITE_SALE_AUTHORITY' && !isSolanaAddress(value))
    throw new Error(`${name} expected base58 of 32 bytes, got ${JSON.stringify(value)}`)
  if (name === 'VITE_SALE_ID' && !isSaleId(value))
    throw new Error(`${name} expected 3 to 32 of a-z, 0-9 and -, got ${JSON.stringify(value)}`)
  if (name === 'VITE_SALE_GUARD' && value !== 'on') throw new Error(`${name} expected on, got ${JSON.stringify(value)}`)
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
