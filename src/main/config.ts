/** Where the outside services are: set when the page was built, the same names as in the environment. */
import type { CoreConfig } from '../events/wire.ts'

/** Every address the page and its worker may call. */
export type Addresses = {
  projectId: string
  relayUrl: string
  solanaRpcUrl: string
  apiUrl: string
  configUrl: string
  analyticsUrl: string
  secureSiteUrl: string
  termsUrl: string
}

/** @returns the addresses of this build; relative ones are made absolute */
export function builtAddresses(): Addresses {
  const env = import.meta.env as Record<string, string | undefined>
  const absolute = (value: string | undefined) => (value ? new URL(value, document.baseURI).href : '')
  return {
    projectId: env.VITE_PROJECT_ID ?? '',
    relayUrl: env.VITE_RELAY_URL ?? '',
    solanaRpcUrl: absolute(env.VITE_SOLANA_RPC_URL),
    apiUrl: absolute(env.VITE_API_URL),
    configUrl: absolute(env.VITE_CONFIG_URL),
    analyticsUrl: absolute(env.VITE_ANALYTICS_URL),
    secureSiteUrl: absolute(env.VITE_SECURE_SITE_URL),
    termsUrl: absolute(env.VITE_TERMS_URL),
  }
}

/** @returns what the core must be told to begin */
export function coreConfig(addresses: Addresses, host: Pick<CoreConfig, 'featured' | 'metadata'>): CoreConfig {
  const env = import.meta.env as Record<string, string | undefined>
  return {
    appBuild: env.VITE_APP_BUILD ?? '',
    coreBuild: env.VITE_CORE_BUILD ?? '',
    projectId: addresses.projectId,
    relayUrls: [addresses.relayUrl],
    solanaRpcUrl: addresses.solanaRpcUrl,
    apiUrl: addresses.configUrl,
    termsUrl: addresses.termsUrl,
    ...host,
  }
}
