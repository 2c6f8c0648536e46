/** A wallet app on an Android phone, reached by the Mobile Wallet Adapter protocol. */
import { createMobileApp, type MobileApp } from '../stack/mobileWallet/app.ts'
import { connectedAddress, fund, order, orderCard, payments, phase, settle } from './buying.ts'
import { expect, test, type Visit } from './fixtures.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const pixel = {
  hasTouch: true,
  isMobile: true,
  viewport: { width: 412, height: 915 },
  userAgent:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
}

/** Opens the app by the page's links, in place of Android, while the device has it. */
async function install({ context }: Visit, app: MobileApp, isHere = () => true): Promise<void> {
  await context.exposeBinding('__opened', (_, url: string) => (isHere() ? app.open(url) : undefined))
  await context.addInitScript(() => {
    window.open = url => {
      void (window as unknown as { __opened(url: string): Promise<void> }).__opened(String(url))
      return null
    }
  })
}

test('a visitor on Android connects a wallet app, buys, comes back, and a declined payment costs nothing @long', async ({
  visit,
  stack,
}, testInfo) => {
  const visitor = await visit({ wallets: [], context: pixel })
  // Until the app listens, the browser tells of each attempt to reach it
  visitor.expectTrouble(/WebSocket connection to 'ws:\/\/localhost:\d+\/solana-wallet' failed/)
  const app = createMobileApp({ word: testInfo.testId, rpcUrl: stack.solana.url })
  await install(visitor, app)
  const page = await visitor.open()
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Mobile Wallet Adapter"]').click()
  const account = await connectedAddress(page)
  expect(account).toBe(app.address)
  await fund(stack, page, account)

  await order(page, { asset: 'SOL', amount: '2' })
  await settle(stack, page)
  expect(payments(stack, account)).toMatchObject([{ asset: 'SOL', units: 2_000_000_000n }])
  expect(app.calls.map(({ method }) => method)).toEqual(['authorize', 'authorize', 'sign_transactions'])
  expect(app.calls[0]?.params).toMatchObject({ chain: expect.stringMatching(/^solana:/) })
  await saveRecording(page, 'connect-wallet-app')

  await page.reload()
  await expect(page.getByTestId('account-button')).toHaveAttribute('data-address', account)
  await page.getByTestId('buy-button').click()
  await expect(orderCard(page)).toHaveCount(0)
  app.options.declines = ['sign_transactions']
  await order(page, { asset: 'SOL', amount: '1' })
  await phase(page, 'rejected')
  expect(payments(stack, account)).toHaveLength(1)
  // The app knows this page by its token, which no local storage holds
  const token = String(app.calls[3]?.params.auth_token)
  expect(token).toBe(app.calls[1]?.params.auth_token)
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(token)
  await app.close()
})

test('an app that refuses, one that is too new, and a device without any are each told as that, and then one connects @long', async ({
  visit,
  stack,
}, testInfo) => {
  const visitor = await visit({ wallets: [], context: pixel })
  visitor.expectTrouble(/WebSocket connection to 'ws:\/\/localhost:\d+\/solana-wallet' failed/)
  const app = createMobileApp({ word: testInfo.testId, rpcUrl: stack.solana.url })
  let isHere = true
  await install(visitor, app, () => isHere)
  const page = await visitor.open()
  const modal = page.getByTestId('modal')
  app.options.declines = ['authorize']
  await page.getByTestId('connect-button').click()
  await page.locator('[data-testid="wallet-row"][data-wallet="Mobile Wallet Adapter"]').click()
  await expect(modal).toContainText('You declined')

  app.options.declines = []
  app.options.says = { hello: '{"v":"2"}' }
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Mobile Wallet Adapter cannot be used here')

  app.options.says = {}
  isHere = false
  await page.getByTestId('try-again').click()
  await expect(modal).toContainText('Continue in Mobile Wallet Adapter')
  // The page looks for the app for half a minute
  await expect(modal).toContainText('Mobile Wallet Adapter has not answered')

  isHere = true
  await page.getByTestId('try-again').click()
  expect(await connectedAddress(page)).toBe(app.address)
  await saveRecording(page, 'wallet-app-fails')
  await app.close()
})
