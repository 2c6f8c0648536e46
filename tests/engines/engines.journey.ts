/** A visitor's first and last steps in engines other than Chromium, on the published build. */
import { savedEngines } from '../../scripts/savedEngines.ts'
import { payments } from '../journeys/buying.ts'
import { expect, test as base } from '../journeys/fixtures.ts'
import { approve, pair } from '../journeys/pocket.ts'
import { type JourneySite, startSite } from '../stack/site.ts'
import { openFirefox } from './firefox.ts'
import { press, type Tab, until } from './tab.ts'
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

const on = (testid: string) => `[data-testid="${testid}"]`
const textOf = (tab: Tab, css: string, words: string) =>
  until(
    tab,
    `“${words}” in ${css}`,
    (one, wanted) => document.querySelector(one)?.textContent?.includes(wanted),
    css,
    words,
  )

/** Records the page's policy violations and errors. */
function watch(): void {
  const wrong: string[] = []
  Object.assign(window, { wrong })
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    wrong.push(`${effectiveDirective} ${blockedURI}`),
  )
  addEventListener('error', ({ message }) => wrong.push(message))
  addEventListener('unhandledrejection', ({ reason }) => wrong.push(String(reason)))
}
const wrongIn = (tab: Tab) => tab.run(() => (window as unknown as { wrong: string[] }).wrong)

async function copiedCode(tab: Tab): Promise<string> {
  await press(tab, on('connect-button'))
  await press(tab, `${on('wallet-row')}[data-wallet="WalletConnect"]`)
  await until(tab, 'a code', css => document.querySelector(css) !== null, on('qr'))
  // Not every engine lets a page read the clipboard
  await tab.run(() => {
    const writeText = async (copied: string) => void Object.assign(window, { copied })
    Object.defineProperty(navigator.clipboard, 'writeText', { value: writeText })
  })
  await press(tab, on('copy-uri'))
  return until(tab, 'a copied link', () => (window as unknown as { copied?: string }).copied)
}

const connected = (tab: Tab): Promise<string> =>
  until(
    tab,
    'a connected account',
    (button, modal) =>
      document.querySelector(modal) ? null : document.querySelector(button)?.getAttribute('data-address'),
    on('account-button'),
    on('modal'),
  )

const phase = (tab: Tab, ...wanted: string[]) =>
  until(
    tab,
    `an order that is ${wanted.join(' or ')}`,
    (css, phases) => phases.includes(document.querySelector(css)?.getAttribute('data-phase') ?? ''),
    on('order-status'),
    wanted,
  )

for (const [name, openBrowser] of engines) {
  test(`${name}: a visitor connects by code, buys, reloads and finds all as it was`, async ({
    published,
    stack,
    openWallet,
    closing,
  }) => {
    const [tab, wallet] = await Promise.all([openBrowser().then(closing), openWallet()])
    await tab.open(published.url)
    await tab.run(watch)
    await pair(wallet, await copiedCode(tab))
    await approve(wallet, 'proposal')
    const account = await connected(tab)

    stack.solana.give(account, { sol: '20', usdc: '1000' })
    stack.solana.chain.advance(40)
    // The page reads the chain when the browser is online again
    await until(tab, 'the balance', () => {
      dispatchEvent(new Event('online'))
      return document.querySelector('#buy')?.textContent?.includes('Balance 20')
    })
    await tab.type(on('pay-amount'), '2')
    for (const statement of ['terms', 'region', 'risk']) await press(tab, on(`acknowledge-${statement}`))
    await textOf(tab, on('buy-button'), 'Pay 2 SOL')
    await press(tab, on('buy-button'))
    await approve(wallet, 'request')
    await phase(tab, 'seen', 'confirmed')
    stack.solana.chain.advance(2)
    await phase(tab, 'confirmed')
    stack.solana.chain.advance(40)
    await phase(tab, 'finalised')
    expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
    expect(await wrongIn(tab)).toEqual([])

    await tab.reload()
    await tab.run(watch)
    expect(await connected(tab)).toBe(account)
    await phase(tab, 'finalised')
    expect(await wrongIn(tab)).toEqual([])
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
}
