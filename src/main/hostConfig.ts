/** What a host page may decide about the modal, checked before anything is started. */
import { Fault } from '../events/failure.ts'
import type { Addresses } from './config.ts'
import type { PageSettings } from './page.tsx'

/** Custom properties a host may set; the rest of the look derives from them. */
export const themeVariableNames = [
  '--mai-accent',
  '--mai-background',
  '--mai-color-mix',
  '--mai-color-mix-strength',
  '--mai-font-family',
  '--mai-font-size-master',
  '--mai-border-radius-master',
  '--mai-z-index',
] as const
export type ThemeVariable = (typeof themeVariableNames)[number]

/** What this modal can do; the first four can be switched, the others exist elsewhere and can only be off. */
const offered = ['analytics', 'send', 'receive', 'activity'] as const
const absent = [
  'email',
  'socials',
  'onramp',
  'swaps',
  'legalCheckbox',
  'smartSessions',
  'collapseWallets',
  'pay',
] as const

export type ModalConfig = {
  /** Public id the wallet services know the host by. */
  projectId: string
  /** How the host is shown in wallets; `url` and `icons` are http(s) addresses. */
  metadata: { name: string; description: string; url: string; icons: string[] }
  /** Default `system`. */
  themeMode?: 'light' | 'dark' | 'system'
  themeVariables?: Partial<Record<ThemeVariable, string | number>>
  /** Ids of listed wallets that stand first, in this order. */
  featuredWalletIds?: string[]
  /** Whether the row All wallets is there; default `SHOW`. */
  allWallets?: 'SHOW' | 'HIDE' | 'ONLY_MOBILE'
  features?: Partial<Record<(typeof offered)[number], boolean> & Record<(typeof absent)[number], false>>
  /** Addresses in the line under the list of wallets; without them the line is not there. */
  termsUrl?: string
  privacyUrl?: string
  /** Services to call instead of those the build knows. */
  addresses?: Partial<Omit<Addresses, 'projectId'>>
}

/** A checked config in the page's own terms. */
export type HostSettings = PageSettings & {
  themeMode: 'light' | 'dark' | 'system'
  themeVariables: [ThemeVariable, string][]
}

type Check = (value: unknown, key: string) => void

const addressNames = [
  'relayUrl',
  'solanaRpcUrl',
  'apiUrl',
  'configUrl',
  'analyticsUrl',
  'secureSiteUrl',
  'termsUrl',
] as const

const metadataChecks: Record<keyof ModalConfig['metadata'], Check> = {
  name: words(1, 200),
  description: words(0, 1000),
  url: address,
  icons: listOf(address, 10),
}
const checks: Record<keyof ModalConfig, Check> = {
  projectId: words(1, 200),
  metadata: (value, key) => {
    known(value, key, metadataChecks)
    for (const name of ['name', 'description', 'url', 'icons']) present(value as object, name, `${key}.${name}`)
  },
  themeMode: oneOf('light', 'dark', 'system'),
  themeVariables: (value, key) => known(value, key, Object.fromEntries(themeVariableNames.map(name => [name, style]))),
  featuredWalletIds: listOf(words(1, 200), 50),
  allWallets: oneOf('SHOW', 'HIDE', 'ONLY_MOBILE'),
  features: (value, key) =>
    known(value, key, {
      ...Object.fromEntries(offered.map(name => [name, flag])),
      ...Object.fromEntries(absent.map(name => [name, off])),
    }),
  termsUrl: address,
  privacyUrl: address,
  addresses: (value, key) => known(value, key, Object.fromEntries(addressNames.map(name => [name, service]))),
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
  const { metadata, projectId, featuredWalletIds = [] } = read
  const addresses: Addresses = { ...built, ...read.addresses, projectId }
  return {
    addresses,
    ui: {
      appName: metadata.name,
      termsUrl: read.termsUrl ?? '',
      privacyUrl: read.privacyUrl ?? '',
      solanaRpcUrl: addresses.solanaRpcUrl,
      allWallets: read.allWallets ?? 'SHOW',
      featured: [...featuredWalletIds],
    },
    host: {
      featured: [...featuredWalletIds],
      metadata: { ...metadata, icons: [...metadata.icons] },
    },
    themeMode: read.themeMode ?? 'system',
    themeVariables: Object.entries(read.themeVariables ?? {}).map(([name, value]) => [
      name as ThemeVariable,
      name === '--mai-color-mix-strength' && typeof value === 'number' ? `${value}%` : String(value),
    ]),
  }
}

function wrong(key: string, expected: string, got: unknown): Fault {
  const came =
    typeof got === 'string'
      ? // What belongs to a service may carry a key
        /^(?:addresses\.|projectId)/.test(key)
        ? `text of ${got.length} characters`
        : `"${got.slice(0, 60)}"`
      : got === null
        ? 'null'
        : Array.isArray(got)
          ? 'a list'
          : typeof got
  const plain = typeof got === 'number' || typeof got === 'boolean' ? String(got) : came
  return new Fault('bad_input', `createModal: ${key} expected ${expected}, got ${plain}`)
}

/** An object with none but these keys, each of which fits. A key that is undefined counts as left out. */
function known(value: unknown, key: string, table: Record<string, Check>): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(key, 'an object', value)
  for (const [name, part] of Object.entries(value)) {
    const path = key === 'config' ? name : `${key}.${name}`
    const check = Object.hasOwn(table, name) ? table[name] : undefined
    if (!check) {
      const names = Object.keys(table).join(', ')
      throw new Fault('bad_input', `createModal: ${key} expected none but the keys ${names}, got ${name.slice(0, 60)}`)
    }
    if (part !== undefined) check(part, path)
  }
}

function present(value: object, name: string, key: string): void {
  if ((value as Record<string, unknown>)[name] === undefined) throw wrong(key, 'a value', undefined)
}

function words(least: number, most: number): Check {
  return (value, key) => {
    if (typeof value !== 'string' || value.length < least || value.length > most)
      throw wrong(key, `text of ${least} to ${most} characters`, value)
  }
}

function oneOf(...allowed: string[]): Check {
  return (value, key) => {
    if (!allowed.includes(value as string)) throw wrong(key, allowed.join(' or '), value)
  }
}

function listOf(member: Check, most: number): Check {
  return (value, key) => {
    if (!Array.isArray(value) || value.length > most) throw wrong(key, `a list of at most ${most}`, value)
    for (const [at, one] of value.entries()) member(one, `${key}[${at}]`)
  }
}

function flag(value: unknown, key: string): void {
  if (typeof value !== 'boolean') throw wrong(key, 'true or false', value)
}

function off(value: unknown, key: string): void {
  if (value !== false) throw wrong(key, 'false, as this modal does not have it', value)
}

/** An http(s) address: what may become a link, or what a wallet shows. */
function address(value: unknown, key: string): void {
  if (!hasProtocol(value, ['https:', 'http:'])) throw wrong(key, 'an address that begins with https: or http:', value)
}

function service(value: unknown, key: string): void {
  const allowed = key.endsWith('relayUrl') ? ['wss:', 'ws:'] : ['https:', 'http:']
  if (!hasProtocol(value, allowed)) throw wrong(key, `an address that begins with ${allowed.join(' or ')}`, value)
}

function hasProtocol(value: unknown, allowed: string[]): boolean {
  return (
    typeof value === 'string' &&
    value.length <= 2000 &&
    URL.canParse(value) &&
    allowed.includes(new URL(value).protocol)
  )
}

/** The value of a custom property. It is set through the CSSOM, so it cannot leave its place; it may not fetch. */
function style(value: unknown, key: string): void {
  const fits = typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && plainStyle.test(value)
  if (!fits) throw wrong(key, 'a number or a CSS value without url() of at most 200 characters', value)
}
const plainStyle = /^(?!.*(?:url|image|src)\s*\()[^;{}<>\\@]{1,200}$/i
