/**
 * Every key of local storage that wallet libraries of a page share: its shape, reader, writer, lifetime, and whether the mirror
 * writes it. A `reserved` key has a form and a reader that checks it, but the product neither reads nor writes its value: it
 * belongs to a feature that this product does not have, or to a cache of the service's answers, which the log keeps in another
 * form.
 *
 * A reader never throws: a value, or a member of a list or table, that does not fit is dropped and counted.
 */
import { commaJoined, json, jsonList, jsonLists, jsonTable, plain, type StorageKey } from './formats.ts'
import { wordShape, textShape } from './shape.ts'
import {
  caip2,
  connectionShape,
  deepLinkShape,
  ensShape,
  historyShape,
  identityShape,
  nativeBalanceShape,
  portfolioShape,
  priceShape,
  versionShape,
  walletShape,
  writtenShape,
} from './shapes.ts'

const prefix = '@appkit/'
const walletPrefix = '@appkit-wallet/'
const word = textShape({ least: 1, most: 200 })
const seconds = 1000
const minutes = 60 * seconds
const days = 24 * 60 * minutes

/** Namespaces of chains. */
export const chainNamespaces = [
  'eip155',
  'solana',
  'polkadot',
  'bip122',
  'cosmos',
  'sui',
  'stacks',
  'ton',
  'tron',
] as const
export type Namespace = (typeof chainNamespaces)[number]
const namespace = wordShape(chainNamespaces)

/** The keys by what they hold. @see reference "Client-side storage", §2, §3 and §5 */
export const storageKeys = {
  status: plain(
    `${prefix}connection_status`,
    'mirror',
    wordShape(['connected', 'disconnected', 'connecting', 'reconnecting']),
  ),
  connectedNamespaces: commaJoined(`${prefix}connected_namespaces`, 'mirror', namespace),
  activeNamespace: plain(`${prefix}active_namespace`, 'mirror', namespace),
  activeNetwork: plain(`${prefix}active_caip_network_id`, 'mirror', caip2),
  connections: jsonLists(`${prefix}connections`, 'mirror', connectionShape),
  disconnectedConnectors: jsonLists(`${prefix}disconnected_connector_ids`, 'mirror', word),
  preferredAccountTypes: jsonTable(`${prefix}preferred_account_types`, 'reserved', word),
  connectedSocial: plain(`${prefix}connected_social`, 'reserved', word),
  socialProvider: plain(`${prefix}social_provider`, 'reserved', word),
  /** newest first, at most two */
  recentWallets: jsonList(`${prefix}recent_wallets`, 'mirror', walletShape),
  recentWallet: json(`${prefix}recent_wallet`, 'mirror', walletShape),
  /** The WalletConnect client fixes this name. */
  deepLink: json('WALLETCONNECT_DEEPLINK_CHOICE', 'mirror', deepLinkShape),

  portfolio: jsonTable(`${prefix}portfolio_cache`, 'reserved', portfolioShape, 30 * seconds),
  nativeBalances: jsonTable(`${prefix}native_balance_cache`, 'mirror', nativeBalanceShape, 30 * seconds),
  ens: jsonTable(`${prefix}ens_cache`, 'reserved', ensShape, 5 * minutes),
  identity: jsonTable(`${prefix}identity_cache`, 'reserved', identityShape, 5 * minutes),
  history: jsonTable(`${prefix}history_transactions_cache`, 'reserved', historyShape, 15 * seconds),
  tokenPrices: jsonTable(`${prefix}token_price_cache`, 'reserved', priceShape, 15 * seconds),
  latestVersion: json(`${prefix}latest_version`, 'reserved', versionShape, 7 * days),

  email: plain(`${walletPrefix}EMAIL`, 'reserved', textShape({ grammar: /^[^\s@]{1,200}@[^\s@]{1,200}$/ })),
  emailLoginUsed: plain(`${walletPrefix}EMAIL_LOGIN_USED_KEY`, 'reserved', wordShape(['true'])),
  lastEmailLogin: plain(`${walletPrefix}LAST_EMAIL_LOGIN_TIME`, 'reserved', textShape({ grammar: /^\d{1,16}$/ })),
  lastUsedChain: plain(`${walletPrefix}LAST_USED_CHAIN_KEY`, 'reserved', word),
  socialUsername: plain(`${walletPrefix}SOCIAL_USERNAME`, 'reserved', word),
  smartAccountNetworks: commaJoined(
    `${walletPrefix}SMART_ACCOUNT_ENABLED_NETWORKS`,
    'reserved',
    textShape({ grammar: /^\d{1,16}$/ }),
  ),

  /** Version of this mirror's own keys; a page leaves the storage of a newer version alone. */
  schema: plain(`${prefix}mai:schema`, 'mirror', textShape({ grammar: /^[1-9]\d{0,8}$/ })),
  /** Connections and the link that this mirror wrote, so that it removes its own and no other library's. */
  written: json(`${prefix}mai:written`, 'mirror', writtenShape),
}

/** The active connector of each namespace. */
export const connectorKeys = Object.fromEntries(
  chainNamespaces.map(name => [name, plain(`${prefix}${name}:connected_connector_id`, 'mirror', word)]),
) as Record<Namespace, StorageKey<string>>

/** Caches that are removed at a start while no wallet is connected. */
export const clearedAtStart = [
  storageKeys.portfolio,
  storageKeys.nativeBalances,
  storageKeys.ens,
  storageKeys.identity,
  storageKeys.history,
] as const

/** @returns whether a cached entry is expired; one exactly `ttlMs` old is fresh */
export function isCacheExpired(now: number, timestamp: number, ttlMs: number): boolean {
  return now - timestamp > ttlMs
}
