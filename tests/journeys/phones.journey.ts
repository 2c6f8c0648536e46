/** Wallets that open the page in their own browser on a phone: the drafted purchase goes along in the address. */
import type { Page } from '@playwright/test'
import { account as accountOf } from '../main/drivers/smallWallet.ts'
import { confirmWindow, connectedAddress, fund, payments, settle } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { noteOpened } from './openedLinks.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const phone = {
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
}

test('a visitor on a phone goes on in Phantom’s browser with the amount, and buys there @long', async ({
  visit,
  stack,
}) => {
  const outside = await visit({ wallets: [], context: phone })
  const opened = await noteOpened(outside.context)
  const requested: string[] = []
  outside.context.on('request', request => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  const page = await outside.open()
  await page.getByTestId('pay-amount').fill('2.5')
  for (const statement of ['terms', 'region', 'risk']) await page.getByTestId(`acknowledge-${statement}`).check()
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Phantom"]').click()
  await expect(page.getByTestId('modal')).toContainText('Continue in Phantom')
  await expect.poll(() => opened).toHaveLength(1)
  const address = new URL(opened[0] ?? '')
  expect(`${address.origin}${address.pathname.slice(0, 11)}`).toBe('https://phantom.app/ul/browse/')
  const carried = decodeURIComponent(address.pathname.slice('/ul/browse/'.length))
  expect(carried).toMatch(/#asset=SOL&units=2500000000&min=[1-9]\d+$/)
  await page.getByTestId('modal-close').click()
  await saveRecording(page, 'phone-to-phantom')

  const inside = await visit({ wallets: [{ name: 'Phantom', word: 'inside' }], context: phone })
  await inside.context.addInitScript(() => void Object.assign(window, { phantom: {} }))
  inside.context.on('request', request => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  const there = await inside.context.newPage()
  await there.goto(carried)
  await expect(there.getByTestId('carried')).toContainText('2.5 SOL for at least')
  expect(new URL(there.url()).hash).toBe('')
  await expect(there.getByTestId('pay-amount')).toHaveValue('2.5')
  await expect(there.getByTestId('acknowledge-terms')).not.toBeChecked()
  await there.getByTestId('connect-button').click()
  await there.locator('[data-testid="wallet-row"][data-wallet="Phantom"]').click()
  await confirmWindow(there).getByTestId('confirm-approve').click()
  const account = await connectedAddress(there)
  await fund(stack, there, account)
  for (const statement of ['terms', 'region', 'risk']) await there.getByTestId(`acknowledge-${statement}`).check()
  await there.getByTestId('buy-button').click()
  await confirmWindow(there).getByTestId('confirm-approve').click()
  await settle(stack, there)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_500_000_000n }])
  expect(requested.filter(text => text.includes('units=2500000000'))).toEqual([])
  await saveRecording(there, 'in-phantoms-browser')
})

type OwnBrowser = {
  name: string
  /** Object that the wallet's browser puts into its pages. */
  provider: string
  opens: RegExp
  /** The page's address in the wallet's link. */
  carried(link: URL): string | null
}

const ownBrowsers: readonly OwnBrowser[] = [
  {
    name: 'Solflare',
    provider: 'solflare',
    opens: /^https:\/\/solflare\.com\/ul\/v1\/browse\//,
    carried: ({ pathname }) => decodeURIComponent(pathname.slice('/ul/v1/browse/'.length)),
  },
  {
    name: 'Coinbase Wallet',
    provider: 'coinbaseSolana',
    opens: /^https:\/\/go\.cb-w\.com\/dapp\?cb_url=/,
    carried: ({ searchParams }) => searchParams.get('cb_url'),
  },
  {
    name: 'Binance Wallet',
    provider: 'binancew3w',
    opens: /^https:\/\/app\.binance\.com\/en\/download\?_dp=/,
    carried(link) {
      const app = atob(link.href.split('_dp=')[1] ?? '')
      expect(app).toMatch(/^bnc:\/\/app\.binance\.com\/mp\/app\?appId=yFK5FCqYprrXDiVFbhyRx7&/)
      return new URLSearchParams(atob(app.split('startPageQuery=')[1] ?? '')).get('url')
    },
  },
]

/** Injects Coinbase's provider, which knows its account once it is connected; no wallet announces itself there. */
const injectCoinbase = (page: Page) =>
  page.addInitScript(address => {
    const coinbaseSolana = {
      publicKey: null as string | null,
      connect: async () => void (coinbaseSolana.publicKey = address),
      disconnect: async () => void (coinbaseSolana.publicKey = null),
      signTransaction: (given: unknown) => Promise.resolve(given),
    }
    Object.assign(window, { coinbaseSolana })
  }, accountOf(21).address)

for (const { name, provider, opens, carried } of ownBrowsers) {
  const word = name.split(' ')[0]?.toLowerCase() ?? ''
  test(`a visitor on a phone goes on in the browser of ${name}, where the amount is and the wallet connects @long`, async ({
    visit,
  }) => {
    const outside = await visit({ wallets: [], context: phone })
    const opened = await noteOpened(outside.context)
    const page = await outside.open()
    await page.getByTestId('pay-amount').fill('1.5')
    await page.getByTestId('connect-button').click()
    await page.getByTestId('all-wallets-row').click()
    await page.getByTestId('wallet-search').fill(name)
    await page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
    await expect(page.getByTestId('modal')).toContainText(`Continue in ${name}`)
    await expect.poll(() => opened).toEqual([expect.stringMatching(opens)])
    const address = carried(new URL(opened[0] ?? '')) ?? ''
    expect(address).toMatch(/#asset=SOL&units=1500000000&min=[1-9]\d+$/)
    await page.getByTestId('modal-close').click()
    await saveRecording(page, `phone-to-${word}`)

    const isInjected = provider === 'coinbaseSolana'
    const inside = await visit({ wallets: isInjected ? [] : [{ name, word: 'inside' }], context: phone })
    const there = await inside.context.newPage()
    if (isInjected) await injectCoinbase(there)
    else await there.addInitScript(key => void Object.assign(window, { [key]: {} }), provider)
    await there.goto(address)
    await expect(there.getByTestId('carried')).toContainText('1.5 SOL for at least')
    await there.getByTestId('connect-button').click()
    await there.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
    if (!isInjected) await confirmWindow(there).getByTestId('confirm-approve').click()
    const account = await connectedAddress(there)
    if (isInjected) expect(account).toBe(accountOf(21).address)
    await expect(there.getByTestId('pay-amount')).toHaveValue('1.5')
    await saveRecording(there, `in-${word}s-browser`)
  })
}

test('two connected wallets leave at once @long', async ({ visit }, testInfo) => {
  const wallets = ['Quill', 'Heron'].map(name => ({ name, word: `${testInfo.testId} ${name}` }))
  const page = await (await visit({ wallets })).open()
  for (const name of ['Quill', 'Heron']) {
    if (name === 'Quill') await page.getByTestId('connect-button').click()
    else {
      await page.getByTestId('account-button').click()
      await page.getByTestId('wallets').click()
      await page.getByTestId('another-wallet').click()
    }
    await page.locator(`[data-testid="wallet-row"][data-wallet="${name}"]`).click()
    await confirmWindow(page).getByTestId('confirm-approve').click()
    if (name === 'Quill') await expect(page.getByTestId('account-button')).toBeVisible()
  }
  await expect(page.getByRole('list', { name: 'Connected wallets' }).getByRole('listitem')).toHaveCount(2)
  await page.getByTestId('disconnect-all').click()
  await expect(page.getByTestId('connect-button')).toBeVisible()
})
