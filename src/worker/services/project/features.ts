/**
 * Features of the modal: the host's options, the project configuration service, and defaults, in this order of rank unless the
 * host gives the service the first word.
 * @see reference "HTTP APIs", §4.1
 */
import type { ServiceFeature, ServiceFeatures } from './serviceFeatures.ts'

const socials = ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook'] as const
const swapProviders = ['1inch'] as const
const onrampProviders = ['meld'] as const
type Social = (typeof socials)[number]
type SwapProvider = (typeof swapProviders)[number]
type OnrampProvider = (typeof onrampProviders)[number]

const walletFeatures = ['onramp', 'swaps', 'receive', 'send'] as const
const connectorTypes = ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'] as const

/** Features that the service may decide. A list that is off is empty. */
type RemoteFeatures = {
  email: boolean
  socials: readonly Social[]
  swaps: readonly SwapProvider[]
  onramp: readonly OnrampProvider[]
  activity: boolean
  reownBranding: boolean
  multiWallet: boolean
  emailCapture: readonly 'required'[] | false
}

/** Features that only the host decides. */
type LocalOnlyFeatures = {
  receive: boolean
  send: boolean
  allWallets: boolean
  analytics: boolean
  legalCheckbox: boolean
  smartSessions: boolean
  collapseWallets: boolean
  pay: boolean
  emailShowWallets: boolean
  walletFeaturesOrder: readonly (typeof walletFeatures)[number][]
  /** null: wallets first where one is installed, else last */
  connectMethodsOrder: readonly ('wallet' | 'email' | 'social')[] | null
  connectorTypeOrder: readonly (typeof connectorTypes)[number][]
}

export type Features = RemoteFeatures & LocalOnlyFeatures

/** The host's options; `true` for a list means all of it. `history` is the option's old name for `activity`. */
export type LocalFeatures = Partial<LocalOnlyFeatures> & {
  email?: boolean
  socials?: readonly Social[] | boolean
  swaps?: readonly SwapProvider[] | boolean
  onramp?: readonly OnrampProvider[] | boolean
  history?: boolean
  reownBranding?: boolean
}

const localOnly: LocalOnlyFeatures = {
  receive: true,
  send: true,
  allWallets: true,
  analytics: true,
  legalCheckbox: false,
  smartSessions: false,
  collapseWallets: false,
  pay: false,
  emailShowWallets: true,
  walletFeaturesOrder: walletFeatures,
  connectMethodsOrder: null,
  connectorTypeOrder: connectorTypes,
}

/** One feature: its id at the service, the host's option, its value when nobody sets it, when off, and as the service sets it. */
type Row<V> = {
  id: string
  option?: Exclude<keyof LocalFeatures, keyof LocalOnlyFeatures>
  unset: V
  off: V
  ofHost: (value: unknown) => V
  ofService: (feature: Deciding) => V
}

/** A feature that the service decides. */
type Deciding = ServiceFeature & { config: readonly string[] }

/** Features that the service may decide. */
const rows: { readonly [F in keyof RemoteFeatures]: Row<RemoteFeatures[F]> } = {
  email: {
    ...flag('social_login', 'email', true),
    ofService: ({ isEnabled, config }) => isEnabled && config.includes('email'),
  },
  socials: listed('social_login', 'socials', socials),
  swaps: listed('swap', 'swaps', swapProviders),
  onramp: listed('onramp', 'onramp', onrampProviders),
  activity: flag('activity', 'history', true),
  reownBranding: flag('reown_branding', 'reownBranding', true),
  multiWallet: flag('multi_wallet', undefined, false),
  emailCapture: {
    id: 'email_capture',
    unset: false,
    off: false,
    ofHost: () => false,
    ofService: ({ isEnabled, config }) => isEnabled && config.filter(word => word === 'required'),
  },
}

function flag(id: string, option: Row<boolean>['option'], unset: boolean): Row<boolean> {
  return {
    id,
    ...(option && { option }),
    unset,
    off: false,
    ofHost: value => value === true,
    ofService: ({ isEnabled }) => isEnabled,
  }
}

/** An order that the host or the service wrote stays; words that the modal does not know are left out. */
function listed<T extends string>(id: string, option: Row<T>['option'], all: readonly T[]): Row<readonly T[]> {
  const known = (words: readonly unknown[]) => all.filter(word => words.includes(word)).sort(by(words))
  return {
    id,
    ...(option && { option }),
    unset: all,
    off: [],
    ofHost: value => (Array.isArray(value) ? known(value) : value === true ? all : []),
    ofService: ({ isEnabled, config }) => (isEnabled ? known(config) : []),
  }
}

function by(words: readonly unknown[]): (a: unknown, b: unknown) => number {
  return (a, b) => words.indexOf(a) - words.indexOf(b)
}

/** An answer of the service, its failure, or none asked, because the modal runs in basic mode. */
export type Remote = ServiceFeatures | 'failed' | 'basic'

type Resolved = {
  features: Features
  /** names of the host's options that the service overrides */
  ignored: string[]
  /** a sentence for the console, when the host should know */
  warning?: string
}

/** First word on a feature that the host sets and the service lists. */
type Rule = 'host' | 'service'

const failedWarning = 'Failed to fetch remote project configuration. Using local/default values.'

/**
 * @param remoteFeatures `host` (default): an option that the host set stays, whatever the service lists or leaves out;
 * `service`: the service overrides it
 */
export function resolveFeatures(local: LocalFeatures, remote: Remote, remoteFeatures: Rule = 'host'): Resolved {
  const resolve = <F extends keyof RemoteFeatures>(name: F): RemoteFeatures[F] => {
    const row: Row<RemoteFeatures[F]> = rows[name]
    const option = optionOf(row, local)
    const source = sourceOf(row.id, option, remote, remoteFeatures)
    if (source === 'off') return row.off
    if (source === 'host') return option === undefined ? row.unset : row.ofHost(option)
    return row.ofService(source)
  }
  const own = { ...localOnly, ...setOf(local) }
  const features: Features = {
    ...own,
    email: resolve('email') && !own.pay,
    socials: own.pay ? [] : resolve('socials'),
    swaps: resolve('swaps'),
    onramp: resolve('onramp'),
    activity: resolve('activity'),
    reownBranding: resolve('reownBranding'),
    multiWallet: resolve('multiWallet'),
    emailCapture: resolve('emailCapture'),
  }
  const ignored = ignoredOf(local, remote, remoteFeatures)
  if (remote === 'failed') return { features, ignored, warning: failedWarning }
  return ignored.length === 0 ? { features, ignored } : { features, ignored, warning: warningOf(ignored) }
}

/** The cases of a feature, of which the first that fits counts. A host's option or its default is `host`. */
function sourceOf(id: string, option: unknown, remote: Remote, rule: Rule): 'off' | 'host' | Deciding {
  if (remote === 'basic') return 'off'
  if (remote === 'failed' || (rule === 'host' && option !== undefined)) return 'host'
  const found = remote.get(id)
  if (!found) return 'off'
  return found.config === null ? 'host' : { ...found, config: found.config }
}

function ignoredOf(local: LocalFeatures, remote: Remote, rule: Rule): string[] {
  return Object.values(rows).flatMap(row => {
    const option = optionOf(row, local)
    const isIgnored = option !== undefined && typeof sourceOf(row.id, option, remote, rule) === 'object'
    return isIgnored && row.option ? [row.option] : []
  })
}

function optionOf({ option }: Pick<Row<unknown>, 'option'>, local: LocalFeatures): unknown {
  return option && local[option]
}

/** Options of the host alone that it set. */
function setOf(local: LocalFeatures): Partial<LocalOnlyFeatures> {
  const isSet = ([name, value]: [string, unknown]) => Object.hasOwn(localOnly, name) && value !== undefined
  return Object.fromEntries(Object.entries(local).filter(isSet))
}

function warningOf(ignored: readonly string[]): string {
  const names = ignored.join(', ')
  return `The project configuration service decides these features: ${names}. Their local options have no effect.`
}
