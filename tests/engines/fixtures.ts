/** Fixtures of the journeys in other engines: the published build, and a visitor with a browser and a wallet. */
import type { Page } from '@playwright/test'
import { savedEngines } from '../../scripts/savedEngines.ts'
import { test as base } from '../journeys/fixtures.ts'
import { type JourneySite, startSite } from '../stack/site.ts'
import { openFirefox, type Prefs } from './firefox.ts'
import type { Device, Tab } from './tab.ts'
import { openWebKit } from './webkit.ts'

export { expect } from '../journeys/fixtures.ts'

export type Engine = 'Firefox' | 'WebKit'

const { firefox, webkit } = savedEngines()

/** The engines of this machine. */
export const engines: readonly Engine[] = [
  ...(firefox ? ['Firefox' as const] : []),
  ...(webkit ? ['WebKit' as const] : []),
]

type Options = {
  engine: Engine
  device: Device
  /** Settings of Firefox. WebKitGTK has none. */
  prefs: Prefs
}
type Fixtures = {
  /** The visitor's tab; its browser ends with the test. */
  tab: Tab
  /** The wallet's page, in Chromium. */
  wallet: Page
}

export const test = base.extend<Options & Fixtures, { published: JourneySite }>({
  engine: ['Firefox', { option: true }],
  device: ['desktop', { option: true }],
  prefs: [{}, { option: true }],

  published: [
    async ({ stack }, provide) => {
      const site = await startSite({ addresses: stack.addresses, door: false })
      await provide(site)
      await site.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  tab: async ({ engine, device, prefs }, provide) => {
    const tab = await (engine === 'Firefox' ? openFirefox(firefox ?? '', device, prefs) : openWebKit(device))
    await provide(tab)
    await tab.close()
  },

  wallet: async ({ openWallet }, provide) => {
    await provide(await openWallet())
  },
})
