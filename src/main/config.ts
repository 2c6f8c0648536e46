/** Addresses of the outside services, from the build's environment variables. */
import type { CoreConfig, HostChoice } from '../events/wire.ts'
import { listedUrls } from './page/integrity/listedUrls.ts'

/** Every address the page and its worker may call. */
export type Addresses = {
  projectId: string
  /** one, or several with commas between them, tried in order */
  relayUrl: string
  /** one, or several with commas between them: the first names the log of this device */
  solanaRpcUrl: string
  /** Blockchain API, and the EIP-1193 provider's fallback node */
  apiUrl: string
  /** wallet directory, wallet images and the project's configuration */
  configUrl: string
  termsUrl: string
  /** analytics and error reports; absent or empty: none */
  analyticsUrl?: string
}

/** @param base where relative addresses begin @returns the addresses of this build, absolute */
export function builtAddresses(base = document.baseURI): Addresses {
  const absolute = (value: string | undefined) => (value ? new URL(value, base).href : '')
  return {
    projectId: import.meta.env.VITE_PROJECT_ID ?? '',
    relayUrl: import.meta.env.VITE_RELAY_URL ?? '',
    solanaRpcUrl: listedUrls(import.meta.env.VITE_SOLANA_RPC_URL ?? '')
      .map(absolute)
      .join(),
    apiUrl: absolute(import.meta.env.VITE_API_URL),
    configUrl: absolute(import.meta.env.VITE_CONFIG_URL),
    termsUrl: absolute(import.meta.env.VITE_TERMS_URL),
    analyticsUrl: absolute(import.meta.env.VITE_ANALYTICS_URL),
  }
}

/** @returns the sale of this build; undefined when it was built without one */
export function builtSale(): CoreConfig['sale'] {
  const authority = import.meta.env.VITE_SALE_AUTHORITY ?? ''
  const id = import.meta.env.VITE_SALE_ID ?? ''
  const socketUrl = import.meta.env.VITE_SOLANA_WS_URL
  const guard = import.meta.env.VITE_SALE_GUARD === 'on'
  if (authority === '' || id === '') return undefined
  return { authority, id, ...(socketUrl && { socketUrl }), ...(guard && { guard }) }
}

/** @returns everything the core needs to start */
export function coreConfig(addresses: Addresses, host: Omit<HostChoice, 'analytics' | 'networks'>): CoreConfig {
  const [solanaRpcUrl = '', ...moreRpcUrls] = listedUrls(addresses.solanaRpcUrl)
  return {
    appBuild: import.meta.env.VITE_APP_BUILD ?? '',
    coreBuild: import.meta.env.VITE_CORE_BUILD ?? '',
    projectId: addresses.projectId,
    relayUrls: listedUrls(addresses.relayUrl),
    solanaRpcUrl,
    ...(moreRpcUrls.length > 0 && { moreRpcUrls }),
    apiUrl: addresses.apiUrl,
    configUrl: addresses.configUrl,
    termsUrl: addresses.termsUrl,
    ...host,
  }
}
