// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { analyticsConfig } from '../../../src/main/drivers/analytics/analyticsConfig.ts'

const url = 'https://pulse.example'
const ui = { allWallets: 'SHOW' } as const
const termsOf = (...[host]: [Parameters<typeof analyticsConfig>[1]]) => analyticsConfig(url, host, ui).analytics?.terms

test('analytics: a host without a choice sends events and reports', () => {
  expect(termsOf({})).toEqual({ consent: 'given', tracks: true, reports: true })
})

test('analytics: the feature switched off leaves reports alone', () => {
  expect(termsOf({ features: { analytics: false } })).toEqual({ consent: 'given', reports: true })
})

test('analytics: the host’s choice counts within the feature', () => {
  const analytics = { consent: 'later', events: true, errorReports: false } as const
  expect(termsOf({ analytics, features: { analytics: true } })).toEqual({ consent: 'later', tracks: true })
  expect(termsOf({ analytics, features: { analytics: false } })).toEqual({ consent: 'later' })
})

test('analytics: INITIALIZE tells the host’s networks, theme and features', () => {
  const [devnet, former] = ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:8E9rvCKLFQia2Y35HXjjpWzj8weVo44K']
  const features = { activity: true, send: false, socials: [], swaps: ['1inch' as const], walletFeaturesOrder: [] }
  const host = { networks: [{ caip2: former }], analytics: { themeMode: 'dark' }, features } as const
  expect(analyticsConfig(url, host as never, ui).analytics?.options).toEqual({
    networks: [devnet],
    themeMode: 'dark',
    allWallets: 'SHOW',
    features: { history: true, send: false, socials: false, swaps: true, analytics: true },
  })
  expect(analyticsConfig(url, {}, ui).analytics?.options).toMatchObject({ networks: [], features: { analytics: true } })
})

test('analytics: none without the address of a service', () => {
  expect(analyticsConfig('', {}, ui)).toEqual({})
})
