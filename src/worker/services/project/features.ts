/**
 * Features of the modal: the host's options, the project configuration service, and defaults, in this order of rank unless the
 * host gives the service the first word.
 * @see reference "HTTP APIs", §4.1
 */
import {
  connectorTypes,
  type Features,
  type HostFeatures,
  socials,
  walletFeatures,
} from '../../../events/subjects/service/project.ts'

/** A feature as the service lists it: a `config` decides it, without one the host does. */
export type ServiceFeature = { id: string; isEnabled: boolean; config?: string[] }
type Deciding = Pick<ServiceFeature, 'isEnabled'> & { config: string[] }

/** Options that the host alone decides, and their values when it sets none. */
const ofHost = {
  receive: true,
  send: true,
  allWallets: true,
  analytics: true,
  legalCheckbox: false,
  smartSessions: false,
  collapseWallets: false,
  pay: false,
  emailShowWallets: true,
  walletFeaturesOrder: [...walletFeatures],
  connectorTypeOrder: [...connectorTypes],
}

type Row<V> = {
  id: string
  /** its value when it is not set, and when it is off */
  unset: V
  off: V
  /** the host's name of it, where it is another */
  option?: string
  listed(feature: Deciding): V
}
type Listed = Omit<Features, keyof typeof ofHost | 'connectMethodsOrder'>

/** Features that the service may decide. */
const rows: { readonly [F in keyof Listed]: Row<Listed[F]> } = {
  email: {
    id: 'social_login',
    unset: true,
    off: false,
    listed: ({ isEnabled, config }) => isEnabled && config.includes('email'),
  },
  socials: listOf('social_login', socials),
  swaps: listOf('swap', ['1inch']),
  onramp: listOf('onramp', ['meld']),
  activity: { ...flagOf('activity', true), option: 'history' },
  reownBranding: flagOf('reown_branding', true),
  multiWallet: flagOf('multi_wallet', false),
  emailCapture: {
    id: 'email_capture',
    unset: 'off',
    off: 'off',
    listed: ({ isEnabled, config }) => (isEnabled ? (config.includes('required') ? 'required' : 'optional') : 'off'),
  },
}

function flagOf(id: string, unset: boolean): Row<boolean> {
  return { id, unset, off: false, listed: ({ isEnabled }) => isEnabled }
}

/** The service's order stays; words that the modal does not know are left out. */
function listOf<const T extends string>(id: string, all: readonly T[]): Row<T[]> {
  const isKnown = (word: string): word is T => all.includes(word as T)
  const listed = ({ isEnabled, config }: Deciding) => (isEnabled ? [...new Set(config)].filter(isKnown) : [])
  return { id, unset: [...all], off: [], listed }
}

/** An answer of the service, its failure, or none asked: because the modal runs in basic mode, or not yet. */
export type Remote = readonly ServiceFeature[] | 'failed' | 'basic' | 'unasked'

type Resolved = {
  features: Features
  /** names of the host's options that the service overrides */
  ignored: string[]
  /** a sentence for the console, when the host should know */
  warning?: string
}

/**
 * @param rule `host` (default): an option that the host set stays, whatever the service lists or leaves out; `service`: the
 *   service overrides it
 */
export function resolveFeatures(local: HostFeatures, remote: Remote, rule: 'host' | 'service' = 'host'): Resolved {
  const ignored: string[] = []
  // The cases of a feature, of which the first that fits counts
  const resolve = <F extends keyof Listed>(name: F): Listed[F] => {
    const { id, unset, off, option = name, listed }: Row<Listed[F]> = rows[name]
    const set = (local as Partial<Listed>)[name]
    if (remote === 'basic') return off
    if (typeof remote === 'string' || (rule === 'host' && set !== undefined)) return set ?? unset
    const found = remote.find(one => one.id === id)
    if (!found) return off
    if (!found.config) return set ?? unset
    if (set !== undefined) ignored.push(option)
    return listed({ ...found, config: found.config })
  }
  const own = { ...ofHost, ...local }
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
  const warning = remote === 'failed' ? failedWarning : ignored.length > 0 ? warningOf(ignored) : undefined
  return { features, ignored, ...(warning !== undefined && { warning }) }
}

const failedWarning = 'Failed to fetch remote project configuration. Using local/default values.'

function warningOf(ignored: readonly string[]): string {
  return `The project configuration service decides these features: ${ignored.join(', ')}. Their local options have no effect.`
}
