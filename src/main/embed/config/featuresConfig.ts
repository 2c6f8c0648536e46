/** A host's features of the modal. */
import { type HostFeatures, connectorTypes } from '../../../events/subjects/service/project.ts'
import { type ConfigCheck, listOf, oneOf, wrong } from './configChecks.ts'

/** Features that are off in this version may be set to `false` only. */
export type FeaturesConfig = {
  /** The row All wallets; default true. */
  allWallets?: boolean
  /** A box that agrees to `termsUrl` and `privacyUrl`, before any wallet can be chosen; default false. */
  legalCheckbox?: boolean
  /** One row that leads to the list of wallets; default false. */
  collapseWallets?: boolean
  /** Default true. */
  analytics?: boolean
  /** The row Send of the account; default true. */
  send?: boolean
  /** The row Receive of the account; default true. */
  receive?: boolean
  /** The activity of the account; default true. */
  history?: boolean
  /** The order of the account's rows. */
  walletFeaturesOrder?: (typeof builtWalletFeatures)[number][]
  connectorTypeOrder?: (typeof connectorTypes)[number][]
} & { [feature in Unbuilt | 'connectMethodsOrder']?: false | [] }
const builtWalletFeatures = ['receive', 'send'] as const
const shownNames = ['allWallets', 'legalCheckbox', 'collapseWallets'] as const
/** Features that can change while the modal is in use. */
export const liveFeatureNames = [...shownNames, 'send', 'receive', 'history'] as const
export type LiveFeatures = Pick<FeaturesConfig, (typeof liveFeatureNames)[number]>
/** Those that the page alone decides, from its start. */
export type ShownFeatures = Pick<FeaturesConfig, (typeof shownNames)[number]>
type Unbuilt = keyof typeof unbuilt

/** Off in this version, whatever their default is. */
const unbuilt = {
  smartSessions: false,
  pay: false,
  emailShowWallets: false,
  email: false,
  socials: [],
  swaps: [],
  onramp: [],
  reownBranding: false,
} satisfies HostFeatures

const lacks = 'as this version lacks the feature'
/** Refuses to turn on what this version lacks. */
const off: ConfigCheck = (value, key) => {
  if (value !== false && !(Array.isArray(value) && value.length === 0)) throw wrong(key, `false, ${lacks}`, value)
}
const walletFeature: ConfigCheck = (value, key) => {
  if (value === 'onramp' || value === 'swaps') throw wrong(key, `receive or send, ${lacks}`, value)
  oneOf(...builtWalletFeatures)(value, key)
}
const flag: ConfigCheck = (value, key) => {
  if (typeof value !== 'boolean') throw wrong(key, 'true or false', value)
}
/** Checks of each feature; one that this version lacks can be turned off only. */
export const featureChecks: Record<string, ConfigCheck> = {
  ...Object.fromEntries(Object.keys(unbuilt).map(name => [name, off])),
  allWallets: flag,
  legalCheckbox: flag,
  collapseWallets: flag,
  analytics: flag,
  send: flag,
  receive: flag,
  history: flag,
  walletFeaturesOrder: listOf(walletFeature, builtWalletFeatures.length),
  connectMethodsOrder: off,
  connectorTypeOrder: listOf(oneOf(...connectorTypes), connectorTypes.length),
}

/**
 * @param rule whose word counts first; the service's overrides also what this version lacks
 * @returns checked features in the core's terms
 */
export function featuresChoice(config: FeaturesConfig = {}, rule: 'host' | 'service' = 'host'): HostFeatures {
  const { history, connectMethodsOrder: _, ...own } = config
  const set = Object.entries({ ...own, activity: history }).filter(([, value]) => value !== undefined)
  const lists = set.map(([name, value]) => [name, name in unbuilt ? unbuilt[name as keyof typeof unbuilt] : value])
  return { ...(rule === 'host' && unbuilt), ...Object.fromEntries(lists) }
}

/** @returns what the page alone decides, as far as the host names it */
export function liveChoice(config: FeaturesConfig): ShownFeatures {
  return Object.fromEntries(shownNames.flatMap(name => (config[name] === undefined ? [] : [[name, config[name]]])))
}
