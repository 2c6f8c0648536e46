/** A host's features of the modal. */
import { type HostFeatures, connectMethods, connectorTypes, walletFeatures } from '../../events/subjects/project.ts'
import { type ConfigCheck, listOf, oneOf, wrong } from './configChecks.ts'

/** Features that are off in this version may be set to `false` only. */
export type FeaturesConfig = {
  /** The row All wallets; default true. */
  allWallets?: boolean
  /** Default true. */
  analytics?: boolean
  walletFeaturesOrder?: (typeof walletFeatures)[number][]
  /** Absent: wallets first where one is installed, else last. */
  connectMethodsOrder?: (typeof connectMethods)[number][]
  connectorTypeOrder?: (typeof connectorTypes)[number][]
} & { [feature in Unbuilt]?: false | [] }
type Unbuilt = Exclude<keyof typeof unbuilt, 'activity'> | 'history'

/** Off in this version, whatever their default is. */
const unbuilt = {
  receive: false,
  send: false,
  legalCheckbox: false,
  smartSessions: false,
  collapseWallets: false,
  pay: false,
  emailShowWallets: false,
  email: false,
  socials: [],
  swaps: [],
  onramp: [],
  activity: false,
  reownBranding: false,
} satisfies HostFeatures

/** Refuses to turn on what this version lacks. */
const off: ConfigCheck = (value, key) => {
  if (value !== false && !(Array.isArray(value) && value.length === 0))
    throw wrong(key, 'false, as this version lacks the feature', value)
}
const flag: ConfigCheck = (value, key) => {
  if (typeof value !== 'boolean') throw wrong(key, 'true or false', value)
}
const order = (words: readonly string[]) => listOf(oneOf(...words), words.length)
/** Checks of each feature; one that this version lacks can be turned off only. */
export const featureChecks: Record<string, ConfigCheck> = {
  ...Object.fromEntries(Object.keys(unbuilt).map(name => [name === 'activity' ? 'history' : name, off])),
  allWallets: flag,
  analytics: flag,
  walletFeaturesOrder: order(walletFeatures),
  connectMethodsOrder: order(connectMethods),
  connectorTypeOrder: order(connectorTypes),
}

/**
 * @param rule whose word counts first; the service's overrides also what this version lacks
 * @returns checked features in the core's terms
 */
export function featuresChoice(config: FeaturesConfig = {}, rule: 'host' | 'service' = 'host'): HostFeatures {
  const { history, ...own } = config
  const set = Object.entries({ ...own, activity: history }).filter(([, value]) => value !== undefined)
  const lists = set.map(([name, value]) => [name, name in unbuilt ? unbuilt[name as keyof typeof unbuilt] : value])
  return { ...(rule === 'host' && unbuilt), ...Object.fromEntries(lists) }
}
