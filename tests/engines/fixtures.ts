/** Fixtures of the journeys in other engines: the published build, and a visitor with a browser and a wallet. */
import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { savedEngines } from '../../scripts/savedEngines.ts'
import { test as base } from '../journeys/fixtures.ts'
import { pocketLog } from '../journeys/pocket.ts'
import { installedWalletScript } from '../stack/installed/bundle.ts'
import { type Stack, tokenNames } from '../stack/start.ts'
import { type JourneySite, startSite } from '../stack/site.ts'
import { openFirefox, type Prefs } from './firefox.ts'
import { recordingText } from './recordingText.ts'
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
  /** The visitor's tab; its browser ends with the test. A failed one leaves its recording beside the report. */
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

  tab: async ({ engine, device, prefs }, provide, testInfo) => {
    const tab = await (engine === 'Firefox' ? openFirefox(firefox ?? '', device, prefs) : openWebKit(device))
    await provide(tab)
    if (testInfo.status !== testInfo.expectedStatus)
      await recordingText(tab).then(
        text => writeFile(testInfo.outputPath('recording.jsonl'), text),
        () => undefined,
      )
    await tab.close()
  },

  wallet: async ({ openWallet }, provide, testInfo) => {
    const wallet = await openWallet()
    await provide(wallet)
    if (testInfo.status !== testInfo.expectedStatus)
      await writeFile(testInfo.outputPath('wallet.txt'), (await pocketLog(wallet).textContent()) ?? '')
  },
})

/** @param word tells this wallet's keys from those of other tests @returns a script that installs Quill in a page */
export async function installedQuill({ solana }: Stack, word: string): Promise<string> {
  const wallets = [{ name: 'Quill', word }]
  const script = await installedWalletScript({ rpcUrl: solana.url, wallets, tokens: tokenNames(solana) })
  return `if (globalThis.document) ${script}`
}
