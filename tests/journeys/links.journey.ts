/** Wallets on the visitor's own device, with link mode. */
import type { Page } from '@playwright/test'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { openChannel } from '../interop/channel.ts'
import { startAuthWallet } from '../stack/wallet/authWallet.ts'
import { connectedAddress, fund, order, payments, settle } from './buying.ts'
import { expect, test, type Visit } from './fixtures.ts'
import { asked, openHost, signIns } from './hosting.ts'
import { approve, pair } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const theirs = 'https://wallet.example/app'

/** Catches the links the page opens, in place of a device with wallets. Its browser does not report whether a press counts. */
async function catchLinks({ context }: Visit, hear: (url: string) => void): Promise<void> {
  await context.exposeBinding('__opened', (_, url: string) => hear(url))
  await context.addInitScript(() => {
    const tell = (window as unknown as { __opened(url: string): void }).__opened
    window.open = url => {
      tell(String(url))
      return { opener: null } as Window
    }
    Object.defineProperty(navigator, 'userActivation', { get: () => undefined })
    addEventListener('click', event => {
      const [link] = event.composedPath().filter(one => one instanceof HTMLAnchorElement)
      if (!link?.href.startsWith('backpack:')) return
      event.preventDefault()
      tell(link.href)
    })
  })
}

test('a visitor on a phone opens a wallet by its link, and the payment opens it again', async ({
  visit,
  openWallet,
  stack,
}) => {
  const visitor = await visit({ context: { hasTouch: true, isMobile: true } })
  const opened: string[] = []
  await catchLinks(visitor, url => opened.push(url))
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await page.getByTestId('connect-button').click()
  await opensItsOwnBrowser(page, opened)
  const row = page.locator('[data-testid="wallet-row"][data-wallet="Backpack"]')
  await expect(row).toBeVisible()
  await expect(page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]')).toHaveCount(0)
  await row.click()
  await expect(page.getByTestId('modal')).toContainText('Continue in Backpack')
  await expect.poll(() => opened).toHaveLength(1)
  await page.getByRole('link', { name: 'Open Backpack' }).click()
  await expect.poll(() => opened).toHaveLength(2)
  const [[app, uri] = [], [, again] = []] = opened.splice(0).map(url => url.split('wc?uri='))
  expect(app).toBe('backpack://')
  expect(again).toBe(uri)
  expect(await chosenLink(page)).toBeNull()
  await pair(wallet, decodeURIComponent(uri ?? ''))
  await approve(wallet, 'proposal')
  const account = await connectedAddress(page)
  await expect.poll(() => chosenLink(page)).toContain('backpack://')
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '1' })
  await approve(wallet, 'request')
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 1_000_000_000n }])
  expect(opened).toEqual([expect.stringMatching(/^backpack:\/\/wc\?requestId=\d+&sessionTopic=[0-9a-f]{64}$/)])
  await saveRecording(page, 'connect-by-link')
})

/** A wallet that takes no code is found on a phone, and opens the page in its own browser; it sees no code. */
async function opensItsOwnBrowser(page: Page, opened: string[]): Promise<void> {
  await page.getByTestId('all-wallets-row').click()
  await page.getByRole('searchbox').fill('Coinbase')
  await page.locator('[data-wallet="Coinbase Wallet"]').click()
  await expect.poll(() => opened.splice(0)).toEqual([expect.stringMatching(/^https:\/\/go\.cb-w\.com\/dapp\?cb_url=/)])
  await page.getByTestId('modal-back').click()
  await page.getByTestId('modal-back').click()
}

/** The link that other wallet libraries of the page open the wallet by. */
function chosenLink(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('WALLETCONNECT_DEEPLINK_CHOICE'))
}

test('a host’s visitor signs in and answers a request by links alone; one that nobody can read is told', {
  tag: '@long',
}, async ({ visit, stack, site }) => {
  const visitor = await visit()
  const page = await visitor.context.newPage()
  const universalLink = `${site.url}host.html`
  const receive = (url: string) => page.evaluate(link => window.modal.receiveLink(link), url)
  const channel = openChannel('none', url => void receive(url))
  await catchLinks(visitor, channel.toWallet)
  const wallet = await startAuthWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: new Uint8Array(32).fill(33),
    redirect: { universal: theirs, linkMode: true },
  })
  try {
    const before = { ...stack.relay.state().tags }
    await openHost(page, site.url, {
      walletConnect: { universalLink, linkModeApps: [theirs] },
      request: { ...asked, walletLink: theirs },
    })
    await page.locator('#sign-in').click()
    await expect.poll(() => signIns(page)).toEqual([`eip155:1:${wallet.address}`])

    const words = `0x${bytesToHex(utf8ToBytes('hello wallet'))}`
    const signature = await sign(page, [words, wallet.address])
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
    expect(channel.opened.map(({ by }) => by)).toEqual(['page', 'wallet', 'page', 'wallet'])
    expect(stack.relay.state().tags).toEqual(before)

    await receive(`${universalLink}?wc_ev=AAAA&topic=${'0'.repeat(64)}`)
    await expect(page.getByTestId('toast')).toContainText('with a message it cannot read. Nothing has changed.')
    await page.evaluate(() => void window.modal.open('Connect'))
    await saveRecording(page, 'messages-by-links')
  } finally {
    await wallet.close()
    channel.close()
  }
})

/** Requests a signature through the host's provider. */
function sign(page: Page, params: string[]): Promise<unknown> {
  return page.evaluate(async given => {
    const provider = await window.modal.provider()
    return provider.request({ method: 'personal_sign', params: given }, 'eip155:1')
  }, params)
}
