import { describe, expect, test } from 'vitest'
import type { Features, HostFeatures } from '../../../../src/events/subjects/service/project.ts'
import { type Remote, resolveFeatures } from '../../../../src/worker/services/project/features.ts'
import { readServiceFeatures } from '../../../../src/worker/services/project/serviceFeatures.ts'

type Entry = { id: string; isEnabled: boolean; config?: string[] | null }
const entry = (id: string, isEnabled: boolean, config: string[] | null = null): Entry => ({ id, isEnabled, config })
const service = (...features: Entry[]): Remote => readServiceFeatures({ features }).features

/** An answer as a project of the reference has it. */
const real = [
  entry('multi_wallet', false),
  entry('activity', true),
  entry('swap', true),
  entry('event_tracking', true),
  entry('onramp', true),
  entry('social_login', true, ['email', 'google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook']),
  entry('payments', true, []),
  entry('reown_branding', false),
]
const allSocials = ['google', 'x', 'farcaster', 'discord', 'apple', 'github', 'facebook']
const unset: Partial<Features> = {
  email: true,
  socials: allSocials as never,
  swaps: ['1inch'],
  onramp: ['meld'],
  activity: true,
  reownBranding: true,
  multiWallet: false,
  emailCapture: 'off',
}
const off: Partial<Features> = {
  email: false,
  socials: [],
  swaps: [],
  onramp: [],
  activity: false,
  reownBranding: false,
  multiWallet: false,
  emailCapture: 'off',
}
/** This product's own options. */
const product: HostFeatures = { email: false, socials: [], onramp: [] }
const failed = 'Failed to fetch remote project configuration. Using local/default values.'
const nulls = ['social_login', 'swap', 'onramp', 'activity', 'reown_branding', 'multi_wallet', 'email_capture'].map(
  id => entry(id, false),
)
const lists = [
  entry('social_login', true, ['email', 'x']),
  entry('swap', true, []),
  entry('onramp', true, ['meld', 'other']),
  entry('activity', false, []),
  entry('reown_branding', true, []),
  entry('multi_wallet', true, []),
  entry('email_capture', true, ['required', 'other']),
]
const asListed: Partial<Features> = {
  email: true,
  socials: ['x'],
  swaps: [],
  onramp: ['meld'],
  activity: false,
  reownBranding: true,
  multiWallet: true,
  emailCapture: 'required',
}

describe('features', () => {
  test.each<[string, HostFeatures, Remote, 'host' | 'service', Partial<Features>]>([
    ['basic mode turns all of them off', { email: true }, 'basic', 'service', off],
    ['a failed service leaves the defaults', {}, 'failed', 'service', unset],
    [
      'a failed service leaves the host’s options',
      product,
      'failed',
      'service',
      { ...unset, email: false, socials: [], onramp: [] },
    ],
    ['null leaves the defaults, enabled or not', {}, service(...nulls), 'service', unset],
    [
      'null leaves the host’s options',
      { activity: false },
      service(...nulls),
      'service',
      { ...unset, activity: false },
    ],
    ['an empty answer turns all of them off', { email: true }, service(), 'service', off],
    ['a list decides', {}, service(...lists), 'service', asListed],
    [
      'a list decides over the host that opts in',
      { email: false, activity: true },
      service(...lists),
      'service',
      asListed,
    ],
    ['a list decides where the host sets nothing', {}, service(...lists), 'host', asListed],
    [
      'the host wins over a list',
      { email: false, activity: true },
      service(...lists),
      'host',
      { ...asListed, email: false, activity: true },
    ],
    [
      'the host wins over an empty answer',
      { email: true, swaps: ['1inch'] },
      service(),
      'host',
      { ...off, email: true, swaps: ['1inch'] },
    ],
    [
      'an answer of the reference',
      product,
      service(...real),
      'host',
      { ...unset, email: false, socials: [], onramp: [], emailCapture: 'off' },
    ],
    [
      'before the service is asked the host’s options and the defaults hold',
      product,
      'unasked',
      'service',
      { ...unset, email: false, socials: [], onramp: [] },
    ],
    [
      'a captured address need not be required',
      {},
      service(entry('email_capture', true, [])),
      'service',
      { ...off, emailCapture: 'optional' },
    ],
    ['a list that is not enabled is off', {}, service(entry('social_login', false, ['email', 'x'])), 'service', off],
    [
      'a list keeps its order',
      {},
      service(entry('social_login', true, ['x', 'google', 'myspace'])),
      'service',
      { ...off, socials: ['x', 'google'] },
    ],
  ])('%s', (_name, local, remote, rule, wanted) => {
    expect(resolveFeatures(local, remote, rule).features).toMatchObject(wanted)
  })

  test('the host wins unless it opts in', () => {
    const local: HostFeatures = { onramp: [] }
    expect(resolveFeatures(local, service(...lists)).features.onramp).toEqual([])
    expect(resolveFeatures(local, service(...lists), 'service').features.onramp).toEqual(['meld'])
  })

  test('options without effect are named once, in one warning', () => {
    const local: HostFeatures = { email: false, socials: ['x'], activity: true }
    const { ignored, warning } = resolveFeatures(local, service(...lists), 'service')
    expect(ignored).toEqual(['email', 'socials', 'history'])
    expect(warning).toContain('email, socials, history')
  })

  test.each<[string, HostFeatures, Remote, 'host' | 'service', string | undefined]>([
    ['nothing was set', {}, service(...lists), 'service', undefined],
    ['the host wins', product, service(...lists), 'host', undefined],
    ['the service leaves them to the host', product, service(...nulls), 'service', undefined],
    ['the service lists none', product, service(), 'service', undefined],
    ['in basic mode', product, 'basic', 'service', undefined],
    ['the service failed', product, 'failed', 'service', failed],
  ])('options are not called ignored when %s', (_name, local, remote, rule, warning) => {
    const resolved = resolveFeatures(local, remote, rule)
    expect([resolved.ignored, resolved.warning]).toEqual([[], warning])
  })

  test('of the host alone have their defaults, also in basic mode', () => {
    expect(resolveFeatures({ legalCheckbox: true, send: false }, 'basic').features).toMatchObject({
      receive: true,
      send: false,
      allWallets: true,
      analytics: true,
      legalCheckbox: true,
      smartSessions: false,
      collapseWallets: false,
      pay: false,
      emailShowWallets: true,
      walletFeaturesOrder: ['onramp', 'swaps', 'receive', 'send'],
      connectorTypeOrder: ['walletConnect', 'recent', 'injected', 'featured', 'custom', 'external', 'recommended'],
    })
  })

  test('pay turns email and social login off, host and service alike', () => {
    for (const rule of ['host', 'service'] as const) {
      const { features } = resolveFeatures({ pay: true, email: true, socials: ['x'] }, service(...lists), rule)
      expect(features).toMatchObject({ pay: true, email: false, socials: [] })
    }
  })
})
