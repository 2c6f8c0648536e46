/** A visitor's first and last steps in engines other than Chromium, on the published build. */
import { savedEngines } from '../../scripts/savedEngines.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { payments } from '../journeys/buying.ts'
import { expect, test as base } from '../journeys/fixtures.ts'
import { timesAsked } from '../journeys/pocket.ts'
import { type JourneySite, startSite } from '../stack/site.ts'
import { openFirefox } from './firefox.ts'
import { press, type Tab, until } from './tab.ts'
import {
  connectByCode,
  connectByLink,
  connected,
  draft,
  drafted,
  harm,
  on,
  pay,
  phase,
  replay,
  savedRecording,
  textOf,
  watch,
  wrongIn,
} from './visitor.ts'
import { openWebKit } from './webkit.ts'

const test = base.extend<{ closing: (tab: Tab) => Tab }, { published: JourneySite }>({
  published: [
    async ({ stack }, provide) => {
      const site = await startSite({ addresses: stack.addresses, door: false })
      await provide(site)
      await site.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what is wanted from this pattern
  closing: async ({}, provide) => {
    const tabs: Tab[] = []
    await provide(tab => {
      tabs.push(tab)
      return tab
    })
    for (const tab of tabs) await tab.close()
  },
})

test.describe.configure({ timeout: 300_000 })

const { firefox, webkit } = savedEngines()
const engines: [string, () => Promise<Tab>][] = [
  ...(firefox ? [['Firefox', () => openFirefox(firefox)] as [string, () => Promise<Tab>]] : []),
  ...(webkit ? [['WebKit', () => openWebKit(webkit)] as [string, () => Promise<Tab>]] : []),
]

for (const [name, openBrowser] of engines) {
  test(`${name}: a visitor connects by code, buys though the worker ends, reloads, and the recording repeats it`, async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openBrowser().then(closing), openWallet()])
    const account = await drafted(tab, stack, wallet, published.url)
    await pay(tab, stack, wallet, () => harm(tab, 'killed'))
    expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
    expect(await timesAsked(wallet)).toBe(1)
    expect(await wrongIn(tab)).toEqual([])

    await tab.reload()
    await tab.run(watch)
    expect(await connected(tab)).toBe(account)
    await phase(tab, 'finalised')
    const recording = await savedRecording(tab)
    expect(await wrongIn(tab)).toEqual([])
    await replay(tab, published.url, recording)
  })

  test(`${name}: a worker that nothing reaches is replaced while the wallet asks @long`, async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openBrowser().then(closing), openWallet()])
    const account = await drafted(tab, stack, wallet, published.url)
    await pay(tab, stack, wallet, () => harm(tab, 'silent'))
    expect(payments(stack, account)).toHaveLength(1)
    expect(await timesAsked(wallet)).toBe(1)
  })

  test(`${name}: a second tab has the account, takes the lead when the first closes, and buys @long`, async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openBrowser().then(closing), openWallet()])
    await tab.open(published.url)
    const account = await connectByCode(tab, wallet)
    await tab.another()
    await tab.open(published.url)
    expect(await connected(tab)).toBe(account)
    await tab.closeOthers()
    await draft(tab, stack, account)
    await pay(tab, stack, wallet)
    expect(payments(stack, account)).toHaveLength(1)
  })
}

if (firefox) {
  test("Firefox: the replayer takes its worker's file as published, and no other", async ({ published, closing }) => {
    const tab = closing(await openFirefox(firefox))
    await tab.open(`${published.url}replayer.html`)
    await tab.run(() => {
      const map = document.querySelector('script[type="importmap"]')?.textContent ?? '{}'
      const { integrity = {} } = JSON.parse(map) as { integrity?: Record<string, string> }
      const [path = '', hash = ''] = Object.entries(integrity).find(([one]) => one.includes('replayReader')) ?? []
      const heard: string[] = []
      Object.assign(window, { heard })
      // An engine remembers a refused script under its address
      for (const [href, integrityOf] of [
        [path, hash],
        [`${path}?altered`, `${hash.slice(0, -3)}AA=`],
      ] as const) {
        const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', integrity: integrityOf })
        link.onload = () => heard.push(`${integrityOf === hash} load`)
        link.onerror = () => heard.push(`${integrityOf === hash} error`)
        document.head.append(Object.assign(link, { crossOrigin: '', href }))
      }
    })
    const heard = await until(tab, 'two answers', () => {
      const { heard: all } = window as unknown as { heard: string[] }
      return all.length === 2 && all
    })
    expect([...(heard as string[])].sort()).toEqual(['false error', 'true load'])
  })

  test('Firefox with site data blocked: the page shows the sale and says that nothing is kept', async ({
    published,
    closing,
  }) => {
    const tab = closing(await openFirefox(firefox, { 'network.cookie.cookieBehavior': 2 }))
    await tab.open(published.url)
    await textOf(tab, '#buy', 'This browser cannot keep a record.')
    await textOf(tab, 'body', 'Nothing is saved on this device')
  })

  test('Firefox: at 390 px a visitor buys, and nothing is wider than the page @long', async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openFirefox(firefox, {}, 390).then(closing), openWallet()])
    await tab.open(published.url)
    const account = await connectByCode(tab, wallet)
    await draft(tab, stack, account)
    await pay(tab, stack, wallet)
    const widths = await tab.run(() => [document.documentElement.scrollWidth, innerWidth])
    expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0)
  })
}

if (webkit) {
  test('WebKit: a wallet that the browser does not open is opened by its link, and the log says so', async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openWebKit(webkit).then(closing), openWallet()])
    await tab.open(published.url)
    const account = await connectByLink(tab, wallet, 'Coinbase Wallet')
    await draft(tab, stack, account)
    await pay(tab, stack, wallet, async () => {
      const link = on('open-wallet')
      await until(tab, 'the link', css => document.querySelector(css)?.getAttribute('href'), link)
      // WebKit opens no window for a script that answers a worker
      const before = await tab.windows()
      expect(before).toBe(1)
      await press(tab, link)
      await expect.poll(() => tab.windows()).toBe(before + 1)
    })
    const { records } = await readRecordingFile(new Blob([await savedRecording(tab)]))
    const links = records.flatMap(({ record }) =>
      record.k === 'f' && record.type.startsWith('link.') ? [`${record.type} ${String(record.data.why ?? '')}`] : [],
    )
    expect(links).toEqual(['link.chosen ', 'link.skipped noPress'])
  })
}
