/** A host's choices for the modal, checked before anything starts. */
import { connectorTypes } from '../../../events/subjects/service/project.ts'
import type { CustomWallet, HostChoice, NetworkChoice } from '../../../events/wire.ts'
import type { Addresses } from '../../config.ts'
import {
  type ConfigCheck,
  address,
  elementCheck,
  fitting,
  known,
  listOf,
  oneOf,
  present,
  saleId,
  service,
  solanaKey,
  boundedText,
  languageTag,
  wholeBetween,
} from './configChecks.ts'
import type { UiConfig } from '../../../ui/react.tsx'
import { type FeaturesConfig, featureChecks, featuresChoice, liveChoice, type ShownFeatures } from './featuresConfig.ts'
import { networksCheck, networksChoice } from './networksChoice.ts'
import { listedUrls } from '../../page/integrity/listedUrls.ts'
import type { AnalyticsChoice } from '../../../events/wire.ts'
import type { PageSettings } from '../../page/pageSettings.ts'
import { themeVariableChecks, type ThemeVariables, themeProperties } from '../theme.ts'
import { type WalletConnectConfig, walletConnectCheck, walletConnectChoice } from './walletConnectConfig.ts'

/** The argument of `createModal`. Only `projectId` and `metadata` are required. */
export type ModalConfig = {
  /** Public id the wallet services know the host by. */
  projectId: string
  /** The host as wallets show it; `url` and `icons` are http(s) addresses. */
  metadata: { name: string; description: string; url: string; icons: string[] }
  /** Default `system`. */
  themeMode?: 'light' | 'dark' | 'system'
  /** A BCP 47 tag; default: the first of the browser's languages that the modal has. English for one it does not have. */
  language?: string
  themeVariables?: ThemeVariables
  /** Place of the modal above the page, where the browser has no top layer; default 999. */
  zIndex?: number
  /** Draws the modal inside this element of the page, always open, instead of above the page. */
  embedded?: HTMLElement
  /** `closed` hides the modal's content from the page's scripts; default `open`. */
  shadowRoot?: 'open' | 'closed'
  /** Ids of listed wallets that stand first, in this order. */
  featuredWalletIds?: string[]
  /** Ids of listed wallets that are left out, also when they are installed. */
  excludeWalletIds?: string[]
  /** Ids of listed wallets that the list is limited to, beside the featured ones. */
  includeWalletIds?: string[]
  /** Lists wallets over WalletConnect only, and begins with its code; default false. */
  basic?: boolean
  /** Shows alerts for developers in the modal, beside the console's; default false. */
  debug?: boolean
  /** Whether to show the row All wallets; default `SHOW`. */
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  /** Wallets that the directory lacks, after the featured ones. */
  customWallets?: CustomWallet[]
  /** Wallets of the host's own, as objects of the Wallet Standard; they are listed as installed ones. */
  connectors?: object[]
  /** On phones, whether wallets' universal links for messages come before their apps' own links; default false. */
  preferUniversalLinks?: boolean
  /** Whether the modal offers to save a recording of this log, without personal values; default `HIDE`. */
  recording?: 'SHOW' | 'HIDE'
  /** Features to show; what this version lacks can only be turned off. */
  features?: FeaturesConfig
  /** First word on a feature that `features` sets and the project's configuration service lists; default `host`. */
  remoteFeatures?: 'host' | 'service'
  /** Links under the list of wallets; without both the line is absent. */
  termsUrl?: string
  privacyUrl?: string
  /** Services to call instead of those the build knows. */
  addresses?: Partial<Omit<Addresses, 'projectId'>>
  /** The sale whose terms are accepted, by its authority's address and its id; without it no terms are read. */
  sale?: { authority: string; id: string }
  /**
   * Networks to choose from beside that of `addresses.solanaRpcUrl`, at most 10; default: no choice. A public one is read by
   * its `rpcUrls`, then by the platform's node.
   */
  networks?: NetworkChoice[]
  /**
   * How calls of the chain share a request: `waitMs` in which later ones may join, 0 to 1000, default 0 (those of one turn), and
   * how many at `most`, 1 to 1000, default 1000.
   */
  rpcBatch?: { waitMs?: number; most?: number }
  /**
   * Analytics, for a build or a host that names a service. `consent`: `later` when the host asks the visitor first, default
   * `given`; `events` and `errorReports`: default true.
   */
  analytics?: AnalyticsChoice
  /** Options that only some hosts use, for wallets reached over WalletConnect. */
  walletConnect?: WalletConnectConfig
}

/** A checked config in the page's own terms. */
export type HostSettings = PageSettings & {
  host: HostChoice
  themeMode: 'light' | 'dark' | 'system'
  /** custom properties to set on the element, with their values */
  themeProperties: [string, string][]
  embedded: HTMLElement | undefined
  /** the host's features, where it names any */
  live: ShownFeatures | undefined
  /** the keys that hold */
  read: ModalConfig
  shadowRoot: 'open' | 'closed'
}

const addressNames = ['relayUrl', 'solanaRpcUrl', 'apiUrl', 'configUrl', 'termsUrl', 'analyticsUrl'] as const

const metadataChecks: Record<keyof ModalConfig['metadata'], ConfigCheck> = {
  name: boundedText(1, 200),
  description: boundedText(0, 1000),
  url: address,
  icons: listOf(address, 10),
}
const walletIds = listOf(boundedText(1, 200), 50)
const customNames = [
  'id',
  'name',
  'homepage',
  'mobile_link',
  'desktop_link',
  'webapp_link',
  'app_store',
  'play_store',
  'chrome_store',
  'rdns',
]
const customFields: Record<string, ConfigCheck> = {
  ...Object.fromEntries(customNames.map(name => [name, boundedText(1, 2000)])),
  image_url: address,
}
const onOrOff = oneOf(true, false)
const saleChecks: Record<string, ConfigCheck> = { authority: solanaKey, id: saleId }
const checks: Record<keyof ModalConfig, ConfigCheck> = {
  projectId: boundedText(1, 200),
  metadata: (value, key) => {
    known(value, key, metadataChecks)
    for (const name of ['name', 'description', 'url', 'icons']) present(value as object, name, `${key}.${name}`)
  },
  themeMode: oneOf('light', 'dark', 'system'),
  language: languageTag,
  themeVariables: (value, key) => known(value, key, themeVariableChecks),
  zIndex: wholeBetween(0, 2_147_483_647),
  embedded: elementCheck,
  shadowRoot: oneOf('open', 'closed'),
  featuredWalletIds: walletIds,
  excludeWalletIds: walletIds,
  includeWalletIds: walletIds,
  basic: onOrOff,
  debug: onOrOff,
  allWallets: oneOf('SHOW', 'HIDE', 'ONLY_MOBILE'),
  customWallets: listOf((value, key) => {
    known(value, key, customFields)
    for (const name of ['id', 'name']) present(value as object, name, `${key}.${name}`)
  }, 20),
  // The page reads them like any announced wallet, and says which it refuses
  connectors: listOf(() => undefined, 20),
  preferUniversalLinks: onOrOff,
  recording: oneOf('SHOW', 'HIDE'),
  features: (value, key) => known(value, key, featureChecks),
  remoteFeatures: oneOf('host', 'service'),
  termsUrl: address,
  privacyUrl: address,
  addresses: (value, key) => known(value, key, Object.fromEntries(addressNames.map(name => [name, service]))),
  sale: (value, key) => {
    known(value, key, saleChecks)
    for (const name of ['authority', 'id']) present(value as object, name, `${key}.${name}`)
  },
  networks: networksCheck,
  rpcBatch: (value, key) => known(value, key, { waitMs: wholeBetween(0, 1000), most: wholeBetween(1, 1000) }),
  analytics: (value, key) =>
    known(value, key, { consent: oneOf('given', 'later'), events: onOrOff, errorReports: onOrOff }),
  walletConnect: walletConnectCheck,
}

/** Keys that decide which project, which sale and which services are meant, and whether data may leave: never guessed. */
const strict: readonly string[] = [
  'projectId',
  'metadata',
  'sale',
  'addresses',
  'analytics',
  'walletConnect',
] satisfies (keyof ModalConfig)[]

/** Objects whose fields are judged one by one. */
const inParts: Record<string, Record<string, ConfigCheck>> = {
  features: featureChecks,
  themeVariables: themeVariableChecks,
}

/**
 * Checks a config and puts it in the page's terms. Any other key than the strict ones is left out when it is unknown or invalid.
 *
 * @param built the addresses of this build, for what the config leaves open
 * @param tell gets one sentence for each key that is left out
 * @throws Fault `bad_input` naming a strict key, what was expected and what came; the first one found
 */
export function readModalConfig(config: unknown, built: Addresses, tell: (sentence: string) => void): HostSettings {
  const read = fitting(config, 'config', { checks, strict, inParts }, tell) as ModalConfig
  for (const key of ['projectId', 'metadata']) present(read, key, key)
  const { metadata, projectId, featuredWalletIds = [], excludeWalletIds, includeWalletIds, customWallets = [] } = read
  const featured = [...featuredWalletIds, ...customWallets.map(({ id }) => id)]
  const { features, remoteFeatures, themeMode } = read
  const networks = read.networks && networksChoice(read.networks)
  const addresses: Addresses = { ...built, ...read.addresses, projectId }
  return {
    addresses,
    ...(read.language !== undefined && { language: read.language }),
    ui: {
      appName: metadata.name,
      termsUrl: read.termsUrl ?? '',
      privacyUrl: read.privacyUrl ?? '',
      solanaRpcUrl: listedUrls(addresses.solanaRpcUrl)[0] ?? '',
      allWallets: features?.allWallets === false ? 'HIDE' : (read.allWallets ?? 'SHOW'),
      featured,
      ...(features?.connectorTypeOrder && { order: rowOrder(read, features.connectorTypeOrder) }),
      ...networks?.ui,
      host: {
        recording: read.recording === 'SHOW',
        ...(read.embedded && { embedded: true }),
        ...(read.basic && { basic: true }),
        ...(read.debug && { debug: true }),
        ...(read.connectors && { connectors: [...read.connectors] }),
      },
    },
    host: {
      featured,
      ...(customWallets.length > 0 && { customWallets: customWallets.map(wallet => ({ ...wallet })) }),
      ...(excludeWalletIds && { excluded: [...excludeWalletIds] }),
      ...(read.preferUniversalLinks && { preferUniversalLinks: true }),
      ...(includeWalletIds && { included: [...includeWalletIds] }),
      metadata: { ...metadata, icons: [...metadata.icons] },
      ...(read.sale && { sale: { authority: read.sale.authority, id: read.sale.id } }),
      ...(networks && { networks: networks.host }),
      ...(read.rpcBatch && { rpcBatch: { ...read.rpcBatch } }),
      features: featuresChoice(features, remoteFeatures),
      ...(remoteFeatures && { remoteFeatures }),
      ...(read.basic && { basic: true }),
      ...((read.analytics ?? themeMode) && { analytics: { ...read.analytics, ...(themeMode && { themeMode }) } }),
      ...walletConnectChoice(read.walletConnect),
    },
    themeMode: themeMode ?? 'system',
    themeProperties: themeProperties(read.themeVariables, read.zIndex),
    embedded: read.embedded,
    live: features && liveChoice(features),
    read,
    shadowRoot: read.shadowRoot ?? 'open',
  }
}

/** The whole order of rows, the kinds that the host leaves out last, and which wallets are the host's own. */
function rowOrder(
  { customWallets = [], connectors = [] }: ModalConfig,
  types: NonNullable<FeaturesConfig['connectorTypeOrder']>,
): NonNullable<UiConfig['order']> {
  return {
    types: [...new Set([...types, ...connectorTypes])],
    custom: customWallets.map(({ id }) => id),
    // Unless the host places them, they stand among the installed wallets
    external: types.includes('external') ? connectors.flatMap(nameOf) : [],
  }
}

/** @returns the name of a host's connector; none where it has no text for it, or its getter throws */
function nameOf(connector: unknown): string[] {
  try {
    const name: unknown = Reflect.get(Object(connector), 'name')
    return typeof name === 'string' ? [name] : []
  } catch {
    return []
  }
}
