import type { Page } from '@playwright/test'
import { connectInstalled } from './buying.ts'
import { expect, test } from './fixtures.ts'
import { faultsOf, tabTo } from './reach.ts'
import { saveRecording } from './saveRecording.ts'

test.describe.configure({ mode: 'parallel' })

const ready = (page: Page) => expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')

test('a wallet is found, looked at and left with the keyboard alone, and everything fits the window @long', async ({
  visit,
}) => {
  const visitor = await visit()
  const page = await visitor.open()
  await ready(page)
  const opener = page.getByTestId('connect-button')
  await opener.focus()
  await page.keyboard.press('Enter')
  const modal = page.getByTestId('modal')
  await expect(modal).toBeVisible()
  await expect(page.getByTestId('wallet-row').first()).toBeVisible()
  await tabTo(page, '[data-wallet="WalletConnect"]')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('qr')).toBeVisible()
  await tabTo(page, '[data-testid="modal-back"]')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('all-wallets-row')).toBeVisible()
  await tabTo(page, '[data-testid="all-wallets-row"]')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('wallet-search')).toBeVisible()
  await tabTo(page, '[data-testid="wallet-search"]')
  await page.keyboard.type('phantom')
  await expect(modal.locator('[data-wallet]').first()).toContainText(/phantom/i)
  await page.keyboard.press('Escape')
  if (await modal.isVisible()) await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(opener).toBeFocused()

  await test.step('nothing is wider than the window, from the smallest phone to a wide screen', () => fits(page))
})

/** Checks page and modal at the widths of phones, tablets and desks. */
async function fits(page: Page): Promise<void> {
  const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  for (const width of [320, 360, 390, 430, 431, 600, 768, 1024, 1280, 1640]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await tooWide(), `the page at ${width} px`).toBeLessThanOrEqual(0)
    await page.getByTestId('connect-button').click()
    await expect(page.getByTestId('wallet-row').first()).toBeVisible()
    expect(await tooWide(), `with the modal at ${width} px`).toBeLessThanOrEqual(0)
    const box = await page.getByTestId('modal').boundingBox()
    const bottom = (box?.y ?? 0) + (box?.height ?? 0)
    if (width <= 430) expect({ width: box?.width, bottom }).toEqual({ width, bottom: 800 })
    else expect(bottom).toBeLessThan(800)
    await page.getByTestId('modal-close').click()
    await expect(page.getByTestId('modal')).toBeHidden()
  }
}

test('page and modal have no fault that axe knows, in light and dark', async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  const modal = '[data-testid="modal"]'
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('wallet-row').nth(3)).toBeVisible()
  expect(await faultsOf(page)).toEqual([])
  await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
  await expect(page.getByTestId('qr')).toBeVisible()
  expect(await faultsOf(page, modal)).toEqual([])
  await page.getByTestId('modal-close').click()
  await connectInstalled(page)
  expect(await faultsOf(page)).toEqual([])
  await page.getByTestId('account-button').click()
  await expect(page.getByTestId('account-address')).toBeVisible()
  expect(await faultsOf(page, modal)).toEqual([])
})

test('the wallets of the directory come to where their places were kept: no row moves from under a press', async ({
  visit,
}) => {
  const visitor = await visit()
  let answer: () => void = () => undefined
  const mayAnswer = new Promise<void>(resolve => (answer = resolve))
  await visitor.context.route(/\/getWallets/, async route => {
    await mayAnswer
    await route.continue()
  })
  const page = await visitor.open()
  await page.getByTestId('connect-button').click()
  const places = () =>
    page.getByTestId('wallet-row').evaluateAll(rows => rows.map(row => row.getBoundingClientRect().y))
  await expect(page.locator('[data-wallet="Quill"]')).toBeVisible()
  const before = await places()
  expect(before).toHaveLength(2)
  answer()
  await expect(page.getByTestId('wallet-row')).toHaveCount(6)
  expect((await places()).slice(0, 2)).toEqual(before)
})

test('a visitor verifies the sale, and looks again after a reload', async ({ visit }) => {
  const visitor = await visit()
  const page = await visitor.open()
  await ready(page)
  const verify = page.getByTestId('verification')
  await verify.getByRole('button', { name: 'Verify' }).click()
  await expect(verify).toContainText('It matches')
  await expect(verify.getByRole('row', { name: /^Ledger hash [0-9a-f]{64}/ })).toBeVisible()
  expect(await faultsOf(page, '[data-testid="verification"]')).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await page.reload()
  await ready(page)
  await expect(verify).toContainText('It matches')
  await saveRecording(page, 'sale-verified')
})
