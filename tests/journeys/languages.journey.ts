/** The page and the modal in other languages than English, on narrow and wide screens. */
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

/** How far the page is wider than its window, px. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

for (const viewport of [phone, desk])
  test(
    `languages: Arabic runs from right to left at ${viewport.width} px`,
    { tag: '@long' },
    async ({ visit }, info) => {
      const visitor = await visit({ context: { viewport, locale: 'ar-EG' } })
      const page = await visitor.open()
      await expect(page.getByTestId('buy-button')).toHaveText('ربط المحفظة')
      await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
      await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
      await expect(page.getByTestId('status')).toContainText('جارٍ')
      expect(await overflow(page)).toBe(0)
      await page.screenshot({ path: info.outputPath('page.png'), fullPage: true })
      await page.getByTestId('connect-button').click()
      await expect(page.getByTestId('modal-title')).toHaveText('ربط المحفظة')
      await page.getByTestId('all-wallets-row').click()
      await expect(page.getByTestId('modal-back')).toHaveAccessibleName('رجوع')
      const [back, close] = await Promise.all(
        ['modal-back', 'modal-close'].map(id => page.getByTestId(id).boundingBox()),
      )
      expect(back?.x).toBeGreaterThan(close?.x ?? 0)
      expect(await overflow(page)).toBe(0)
      await page.screenshot({ path: info.outputPath('modal.png') })
    },
  )

test('languages: a choice in the foot changes all at once, and a reload keeps it @long', async ({ visit }, info) => {
  const visitor = await visit({ context: { viewport: phone } })
  const page = await visitor.open()
  await expect(page.getByTestId('buy-button')).toHaveText('Connect wallet')
  await page.getByTestId('pay-amount').fill('1.5')
  await page.getByTestId('language').selectOption('de')
  await expect(page.getByTestId('buy-button')).toHaveText('Wallet verbinden')
  await expect(page.getByTestId('pay-amount')).toHaveValue('1.5')
  await expect(page).toHaveTitle('MAI-Vorverkauf')
  expect(await overflow(page)).toBe(0)
  await page.reload()
  await expect(page.getByTestId('connect-button')).toHaveText('Wallet verbinden')
  await expect(page.getByTestId('status')).toContainText('Läuft')
  await page.screenshot({ path: info.outputPath('page.png'), fullPage: true })
})
