/** A host's choices for the modal, checked before anything starts. */
import type { HostChoice, NetworkChoice } from '../../events/wire.ts'
import type { Addresses } from '../config.ts'
import {
  type ConfigCheck,
  address,
  known,
  listOf,
  oneOf,
  present,
  saleId,
  service,
  solanaKey,
  style,
  boundedText,
} from './configChecks.ts'
import { type FeaturesConfig, featuresCheck, featuresChoice } from './featuresConfig.ts'
import { networksCheck, networksChoice } from './networksChoice.ts'
import { listedUrls } from '../page/integrity/listedUrls.ts'
import type { AnalyticsChoice } from '../../events/wire.ts'
import type { PageSettings } from '../page/pageSettings.ts'
import { type WalletConnectConfig, walletConnectCheck, walletConnectChoice } from './walletConnectConfig.ts'

/** Custom properties a host may set; all other design tokens derive from them. */
const themeVariableNames = [
  '--mai-accent',
  '--mai-background',
  '--mai-color-mix',
  '--mai-color-mix-strength',
  '--mai-font-family',
  '--mai-font-size-master',
  '--mai-border-radius-master',
  '--mai-z-index',
] as const
type ThemeVariable = (typeof themeVariableNames)[number]

/** The argument of `createModal`. Only `projectId` and `metadata` are required. */
export type ModalConfig = {
  /** Public id the wallet services know the host by. */
  projectId: string
  /** The host as wallets show it; `url` and `icons` are http(s) addresses. */
  metadata: { name: string; description: string; url: string; icons: string[] }
  /** Default `system`. */
  themeMode?: 'light' | 'dark' | 'system'
  themeVariables?: Partial<Record<ThemeVariable, string | number>>
  /** Ids of listed wallets that stand first, in this order. */
  featuredWalletIds?: string[]
  /** Ids of listed wallets that are left out, also when they are installed. */
  excludeWalletIds?: string[]
  /** Ids of listed wallets that the list is limited to, beside the featured ones. */
  includeWalletIds?: string[]
  /** Whether to show the row All wallets; default `SHOW`. */
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
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
   * Networks to choose from beside that of `addresses.solanaRpcUrl`: by default mainnet, testnet and devnet, by the platform's
   * nodes. `[]`: no choice.
   */
  networks?: NetworkChoice[]
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
  themeVariables: [ThemeVariable, string][]
}

const addressNames = ['relayUrl', 'solanaRpcUrl', 'apiUrl', 'configUrl', 'termsUrl', 'analyticsUrl'] as const

const metadataChecks: Record<keyof ModalConfig['metadata'], ConfigCheck> = {
  name: boundedText(1, 200),
  description: boundedText(0, 1000),
  url: address,
  icons: listOf(address, 10),
}
const walletIds = listOf(boundedText(1, 200), 50)
const onOrOff = oneOf(true, false)
const saleChecks: Record<string, ConfigCheck> = { authority: solanaKey, id: saleId }
const checks: Record<keyof ModalConfig, ConfigCheck> = {
  projectId: boundedText(1, 200),
  metadata: (value, key) => {
    known(value, key, metadataChecks)
    for (const name of ['name', 'description', 'url', 'icons']) present(value as object, name, `${key}.${name}`)
  },
  themeMode: oneOf('light', 'dark', 'system'),
  themeVariables: (value, key) => known(value, key, Object.fromEntries(themeVariableNames.map(name => [name, style]))),
  featuredWalletIds: walletIds,
  excludeWalletIds: walletIds,
  includeWalletIds: walletIds,
  allWallets: oneOf('SHOW', 'HIDE', 'ONLY_MOBILE'),
  recording: oneOf('SHOW', 'HIDE'),
  features: featuresCheck,
  remoteFeatures: oneOf('host', 'service'),
  termsUrl: address,
  privacyUrl: address,
  addresses: (value, key) => known(value, key, Object.fromEntries(addressNames.map(name => [name, service]))),
  sale: (value, key) => {
    known(value, key, saleChecks)
    for (const name of ['authority', 'id']) present(value as object, name, `${key}.${name}`)
  },
  networks: networksCheck,
  analytics: (value, key) =>
    known(value, key, { consent: oneOf('given', 'later'), events: onOrOff, errorReports: onOrOff }),
  walletConnect: walletConnectCheck,
}

/**
 * Checks a config and puts it in the page's terms.
 *
 * @param built the addresses of this build, for what the config leaves open
 * @throws Fault `bad_input` naming the key, what was expected and what came; the first one found
 */
export function readModalConfig(config: unknown, built: Addresses): HostSettings {
  known(config, 'config', checks)
  for (const key of ['projectId', 'metadata']) present(config as object, key, key)
  const read = config as ModalConfig
  const { metadata, projectId, featuredWalletIds = [], excludeWalletIds, includeWalletIds } = read
  const { features, remoteFeatures } = read
  const networks = read.networks && networksChoice(read.networks)
  const addresses: Addresses = { ...built, ...read.addresses, projectId }
  return {
    addresses,
    ui: {
      appName: metadata.name,
      termsUrl: read.termsUrl ?? '',
      privacyUrl: read.privacyUrl ?? '',
      solanaRpcUrl: listedUrls(addresses.solanaRpcUrl)[0] ?? '',
      allWallets: features?.allWallets === false ? 'HIDE' : (read.allWallets ?? 'SHOW'),
      featured: [...featuredWalletIds],
      ...networks?.ui,
      host: { recording: read.recording === 'SHOW' },
    },
    host: {
      featured: [...featuredWalletIds],
      ...(excludeWalletIds && { excluded: [...excludeWalletIds] }),
      ...(includeWalletIds && { included: [...includeWalletIds] }),
      metadata: { ...metadata, icons: [...metadata.icons] },
      ...(read.sale && { sale: { authority: read.sale.authority, id: read.sale.id } }),
      ...(networks && { networks: networks.host }),
      features: featuresChoice(features, remoteFeatures),
      ...(remoteFeatures && { remoteFeatures }),
      ...(read.analytics && { analytics: { ...read.analytics } }),
      ...walletConnectChoice(read.walletConnect),
    },
    themeMode: read.themeMode ?? 'system',
    themeVariables: Object.entries(read.themeVariables ?? {}).map(([name, value]) => [
      name as ThemeVariable,
      name === '--mai-color-mix-strength' && typeof value === 'number' ? `${value}%` : String(value),
    ]),
  }
}
