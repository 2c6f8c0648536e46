/** One feature of the project's remote configuration; `config: null` defers to the page's own settings. */
export type Feature = { id: string; isEnabled: boolean; config?: string[] | null }

/** Behaviour of the services that is no fault. */
export type Settings = {
  /** `chain`: the local chain's time, or the machine's without one; `machine`: this machine's; or Unix ms, standing still */
  clock: 'chain' | 'machine' | number
  /** Answer of `/appkit/v1/config`. */
  features: Feature[]
  /** Answer of `/projects/v1/origins`. */
  origins: string[]
  /** Answer of `/getAnalyticsConfig`. */
  analytics: boolean
  /** Origins that the configuration service and the analytics refuse with 403. */
  refusedOrigins: string[]
  /** Project ids whose balances are empty. */
  deniedProjects: string[]
  /** Further accounts with the fixtures' long history and tokens. */
  fixtureAccounts: string[]
}

const featureIds = ['social_login', 'swap', 'onramp', 'activity', 'multi_wallet', 'reown_branding']

/** Every feature is left to the page, loopback pages are allowed. */
export const defaultSettings: Settings = {
  clock: 'chain',
  features: featureIds.map(id => ({ id, isEnabled: true, config: null })),
  origins: ['http://localhost:*', 'http://127.0.0.1:*'],
  analytics: true,
  refusedOrigins: [],
  deniedProjects: [],
  fixtureAccounts: [],
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(one => typeof one === 'string')

const forms: Record<keyof Settings, { is(value: unknown): boolean; form: string }> = {
  clock: {
    is: value => value === 'chain' || value === 'machine' || (Number.isSafeInteger(value) && (value as number) >= 0),
    form: 'chain, machine or Unix ms',
  },
  features: { is: value => Array.isArray(value) && value.every(isFeature), form: 'a list of {id, isEnabled, config?}' },
  origins: { is: isTexts, form: 'a list of strings' },
  analytics: { is: value => typeof value === 'boolean', form: 'a boolean' },
  refusedOrigins: { is: isTexts, form: 'a list of strings' },
  deniedProjects: { is: isTexts, form: 'a list of strings' },
  fixtureAccounts: { is: isTexts, form: 'a list of strings' },
}

function isFeature(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false
  const { id, isEnabled, config } = value as Record<string, unknown>
  const isConfig = config === undefined || config === null || isTexts(config)
  return typeof id === 'string' && typeof isEnabled === 'boolean' && isConfig
}

/** @returns the rest of a sentence; undefined for a setting that can be made */
export function settingProblem(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(forms, name)) return `set knows ${Object.keys(forms).join(', ')}, got ${name}`
  const { is, form } = forms[name as keyof Settings]
  return is(value) ? undefined : `expected ${name} as ${form}, got ${JSON.stringify(value)}`
}
