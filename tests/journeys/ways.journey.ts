/** Ways to a wallet that only some visitors or hosts use: web and desktop links, Telegram, a host's own wallets, other accounts. */
import type { Page } from '@playwright/test'
import { account, icon } from '../main/drivers/smallWallet.ts'
import { confirmWindow } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { openModalHost } from './hosting.ts'
import { noteOpened } from './openedLinks.ts'
import { approve, pair } from './pocket.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

type Listed = { name: string; webapp_link: string | null; mobile_link: string | null }

/** Opens a listed wallet from All wallets. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByTestId('connect-button').click()
  await page.getByTestId('all-wallets-row').click()
  await page.getByTestId('wallet-search').fill(name)
  await page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
}

/** The code in a wallet's link, decoded as often as the way there does it. */
function codeIn(link: string, times = 1): string {
  let uri = link.slice(link.indexOf('wc?uri=') + 'wc?uri='.length)
  for (let time = 0; time < times; time += 1) uri = decodeURIComponent(uri)
  expect(uri).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  return uri
}

const openLink = (page: Page) => page.getByTestId('open-app')
const connected = (page: Page) => expect(page.getByTestId('account-button')).toBeVisible()

test('a visitor connects a web wallet by its link, in a window of its own @long', async ({
  visit,
  openWallet,
  stack,
}) => {
  const query = `projectId=${stack.addresses.VITE_PROJECT_ID}&st=appkit&sv=html-solana-1.7.19&page=1&entries=100`
  const { data } = (await (await fetch(`${stack.services.url}/getWallets?${query}`)).json()) as { data: Listed[] }
  const listed = data.find(({ webapp_link, mobile_link }) => webapp_link !== null && mobile_link !== null)
  if (!listed?.webapp_link) throw new Error('the directory expected a wallet with a web application')
  const visitor = await visit({ wallets: [] })
  await visitor.context.route(`${listed.webapp_link}/**`, route =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Web wallet</title>' }),
  )
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await choose(page, listed.name)
  await page.getByRole('group', { name: 'Ways to connect' }).getByRole('button', { name: 'Web' }).click()
  await expect(openLink(page)).toHaveAttribute('target', '_blank')
  const [opened] = await Promise.all([visitor.context.waitForEvent('page'), openLink(page).click()])
  await opened.waitForURL(`${listed.webapp_link}/wc?**`)
  expect(await opened.evaluate(() => window.opener === null)).toBe(true)
  await pair(wallet, codeIn(opened.url()))
  await approve(wallet, 'proposal')
  await connected(page)
  await saveRecording(page, 'connect-by-web-link')
})

test('in Telegram a wallet’s link opens once, by the press, encoded for the window that decodes it @long', async ({
  visit,
  openWallet,
}) => {
  const visitor = await visit({
    wallets: [],
    context: {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
      userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36',
    },
  })
  const opened = await noteOpened(visitor.context)
  await visitor.context.addInitScript(() => {
    Object.assign(window, { TelegramWebviewProxy: {} })
    // A browser without the app opens nothing by its scheme
    addEventListener('click', event => {
      const isToApp = (one: EventTarget) => one instanceof HTMLAnchorElement && one.protocol === 'okex:'
      if (event.composedPath().some(isToApp)) event.preventDefault()
    })
  })
  const [page, wallet] = await Promise.all([visitor.open(), openWallet()])
  await choose(page, 'OKX Wallet')
  await expect(openLink(page)).toHaveAttribute('href', /^okex:\/\/main\/wc\?uri=wc%253A/)
  await expect(openLink(page)).toHaveAttribute('target', '_blank')
  // Within the press on its row, and not once more by itself
  const href = (await openLink(page).getAttribute('href')) ?? ''
  expect(opened).toEqual([href])
  await openLink(page).click()
  await pair(wallet, codeIn(href, 2))
  await approve(wallet, 'proposal')
  await connected(page)
  await saveRecording(page, 'connect-in-telegram')
})

test('a host’s custom wallet has its own picture, and its application opens by itself @long', async ({
  visit,
  openWallet,
  site,
  stack,
}) => {
  const visitor = await visit({ wallets: [] })
  await visitor.context.route('https://desk.example/**', route =>
    route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      contentType: 'image/png',
      body: Buffer.from(icon.slice(icon.indexOf(',') + 1), 'base64'),
    }),
  )
  const opened = await noteOpened(visitor.context)
  const page = await visitor.context.newPage()
  const desk = { id: 'desk', name: 'Desk', desktop_link: 'desk://', image_url: 'https://desk.example/desk.png' }
  await openModalHost(page, site.url, { projectId: stack.addresses.VITE_PROJECT_ID, customWallets: [desk] })
  const row = page.locator('[data-testid="wallet-row"][data-wallet="Desk"]')
  await expect(row.locator('img')).toHaveAttribute('src', /^blob:/)
  const wallet = await openWallet()
  await row.click()
  await expect.poll(() => opened).toHaveLength(1)
  expect(opened[0]).toMatch(/^desk:\/\/wc\?uri=/)
  await pair(wallet, codeIn(opened[0] ?? ''))
  await approve(wallet, 'proposal')
  await expect.poll(() => page.evaluate(() => window.modal.getAccount()?.address)).toBeDefined()
  await page.evaluate(() => void window.modal.open())
  await saveRecording(page, 'connect-custom-wallet')
})

test('on a phone a wallet’s universal link opens within the press, and that wallet connects @long', async ({
  visit,
  openWallet,
  site,
  stack,
}) => {
  const visitor = await visit({
    wallets: [],
    context: {
      hasTouch: true,
      isMobile: true,
      viewport: { width: 390, height: 844 },
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
    },
  })
  const opened = await noteOpened(visitor.context)
  const [page, wallet] = await Promise.all([visitor.context.newPage(), openWallet()])
  const harbour = { id: 'harbour', name: 'Harbour', mobile_link: 'https://harbour.example/app' }
  await openModalHost(page, site.url, { projectId: stack.addresses.VITE_PROJECT_ID, customWallets: [harbour] })
  await page.locator('[data-testid="wallet-row"][data-wallet="Harbour"]').click()
  await expect.poll(() => opened).toEqual([expect.stringMatching(/^https:\/\/harbour\.example\/app\/wc\?uri=wc%3A/)])
  await pair(wallet, codeIn(opened[0] ?? ''))
  await approve(wallet, 'proposal')
  await expect.poll(() => page.evaluate(() => window.modal.getAccount().isConnected)).toBe(true)
  await page.evaluate(() => void window.modal.open())
  await saveRecording(page, 'connect-by-universal-link')
})

test('a host’s connector shares two accounts: the visitor takes the second, connects Quill too, leaves and forgets it @long', async ({
  visit,
  site,
  stack,
}, testInfo) => {
  const visitor = await visit({ wallets: [{ name: 'Quill', word: testInfo.testId }] })
  const [first, second] = [account(11), account(12)]
  await visitor.context.addInitScript(
    ([picture, ...addresses]) => {
      const accounts = addresses.map(([address, byte]) => ({
        address,
        publicKey: new Uint8Array(32).fill(Number(byte)),
        chains: ['solana:devnet', 'solana:localnet'],
        features: ['solana:signTransaction'],
      }))
      let shared: typeof accounts = []
      const house = {
        version: '1.0.0',
        name: 'House',
        icon: picture?.[0],
        chains: ['solana:mainnet', 'solana:devnet', 'solana:localnet'],
        get accounts() {
          return shared
        },
        features: {
          'standard:connect': {
            version: '1.0.0',
            connect: async () => {
              shared = accounts
              return { accounts }
            },
          },
          'standard:events': { version: '1.0.0', on: () => () => undefined },
          'solana:signTransaction': {
            version: '1.0.0',
            supportedTransactionVersions: ['legacy', 0],
            signTransaction: async () => [],
          },
        },
      }
      Object.assign(window, { hostConnectors: [house] })
    },
    [[icon], [first.address, '11'], [second.address, '12']],
  )
  const page = await visitor.context.newPage()
  await openModalHost(page, site.url, { projectId: stack.addresses.VITE_PROJECT_ID })
  const address = () => page.evaluate(() => window.modal.getAccount()?.address)
  await page.locator('[data-testid="wallet-row"][data-wallet="House"]').click()
  await expect.poll(address).toBe(first.address)

  await page.evaluate(() => void window.modal.open({ view: 'ProfileWallets' }))
  await page.locator(`[data-testid="choose-account"][data-address="${second.address}"]`).click()
  await expect.poll(address).toBe(second.address)

  await page.getByTestId('another-wallet').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Quill"]').click()
  await confirmWindow(page).getByTestId('confirm-approve').click()
  const wallets = page.getByRole('list', { name: 'Connected wallets' }).getByRole('listitem')
  await expect(wallets).toHaveCount(2)
  await wallets.filter({ hasText: 'Quill' }).getByTestId('leave-wallet').click()
  await expect(page.locator('[data-testid="recent-wallet"][data-wallet="Quill"]')).toBeVisible()
  await page.getByTestId('forget-wallet').click()
  await expect(page.getByTestId('recent-wallet')).toHaveCount(0)
  expect(await address()).toBe(second.address)
  await page.reload()
  await openModalHost(page, site.url, { projectId: stack.addresses.VITE_PROJECT_ID })
  await expect.poll(address).toBe(second.address)
  await page.evaluate(() => void window.modal.open())
  await saveRecording(page, 'account-chosen-wallet-forgotten')
})
