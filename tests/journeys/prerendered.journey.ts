/** The presale page before its script runs, and how the script takes it over. */
import type { Page } from '@playwright/test'
import { expect, test, type Visit } from './fixtures.ts'

test.describe.configure({ mode: 'parallel' })

const phone = { width: 390, height: 844 }
const desk = { width: 1280, height: 900 }

const entry = /\/assets\/index-[^/]*\.js$/

/** Opens the page with a script of it held back until `release`; by default its entry. */
async function openHeld(visitor: Visit, url: string, script = entry): Promise<{ page: Page; release(): void }> {
  const page = await visitor.context.newPage()
  let release = () => {}
  const held = new Promise<void>(resolve => (release = resolve))
  await page.route(script, async route => {
    await held
    await route.continue()
  })
  await page.goto(url, { waitUntil: 'commit' })
  return { page, release }
}

for (const viewport of [phone, desk])
  test(`without JavaScript the page can be read at ${viewport.width} px, and shows nothing that waits or cannot be pressed`, async ({
    visit,
    site,
  }) => {
    const visitor = await visit({ context: { viewport, javaScriptEnabled: false } })
    const page = await visitor.context.newPage()
    await page.goto(site.url)
    await expect(page.locator('noscript p')).toHaveText(/^This page needs JavaScript\./)
    await expect(page.getByRole('heading', { name: 'Who holds the money' })).toBeVisible()
    await expect(page.locator('#trust')).toContainText('the team holds its keys')
    // The document is linked once its hash was compared, which takes a script
    await expect(page.getByRole('link', { name: 'Terms' })).toHaveCount(0)
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.locator('.hero')).toBeHidden()
    expect(await page.locator('html').evaluate(html => html.scrollWidth - html.clientWidth)).toBe(0)
  })

for (const viewport of [phone, desk])
  test(`before its script the page stands at ${viewport.width} px, and keeps its place, what was typed and the press${viewport === desk ? ' @long' : ''}`, async ({
    visit,
    site,
  }) => {
    const visitor = await visit({ context: { viewport } })
    const { page, release } = await openHeld(visitor, site.url)
    const heading = page.getByRole('heading', { name: 'Raised in the MAI presale' })
    await expect(heading).toBeVisible()
    await heading.evaluate(element => element.setAttribute('data-kept', ''))
    const places = () =>
      page
        .locator('h1, .top-bar, #buy, #trust h2')
        .evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().top + scrollY)))
    const [top, bar] = await places()
    await page.getByTestId('pay-amount').fill('2')
    await page.evaluate(() => scrollTo(0, 0))
    await page.getByTestId('connect-button').click()
    expect(await page.getByTestId('modal').count()).toBe(0)
    release()
    await expect(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
    await expect(page.getByText('Live').first()).toBeAttached()
    await expect(page.getByTestId('pay-amount')).toHaveValue('2')
    await expect(page.locator('h1')).toHaveAttribute('data-kept', '')
    expect((await places()).slice(0, 2)).toEqual([top, bar])
  })

test('before its script nothing of the page moves, and no text needs a font beyond Latin @long', async ({
  visit,
  site,
}) => {
  const visitor = await visit({ context: { viewport: desk } })
  const { page, release } = await openHeld(visitor, site.url)
  const options = page.getByTestId('language').locator('option')
  await expect(page.locator('#buy .skeleton').first()).toBeVisible()
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  await expect(options).toHaveText(['English'])
  release()
  await expect(options).toHaveCount(5)
})

test('the first frame ends with the headline, and the next one has the rest', async ({ visit, site }) => {
  const visitor = await visit({ context: { viewport: desk } })
  await visitor.context.addInitScript(() => {
    addEventListener('animationend', ({ animationName, target }) => {
      if (animationName === 'after-first-frame' && target instanceof HTMLElement) target.dataset.late = ''
    })
  })
  const { page, release } = await openHeld(visitor, site.url)
  const late = page.locator('[data-late]')
  const parts = page.locator('.hero-story > *')
  await expect(page.locator('.hero-side')).toHaveAttribute('data-late')
  await expect(late).toHaveCount((await parts.count()) - 1)
  await expect(page.locator('.status[data-late], h1[data-late]')).toHaveCount(0)
  await expect(page.locator('.hero-side')).toBeVisible()
  release()
  await expect(page.getByText('Live').first()).toBeAttached()
})

test('the page’s script is fetched once, early, and runs after the first paint', async ({ visit, site }) => {
  const html = await (await fetch(site.url)).text()
  const places = ['<script type="importmap"', '<link rel="stylesheet"', '<script type="module"', '<link rel="preload"']
  expect(places.map(text => html.indexOf(text)).sort((a, b) => a - b)).toEqual(places.map(text => html.indexOf(text)))
  expect(html).toMatch(/<link rel="preload" as="script" [^>]*href="\.\/assets\/app-/)

  const visitor = await visit()
  const page = await visitor.context.newPage()
  const asked: string[] = []
  page.on('request', request => asked.push(new URL(request.url()).pathname))
  await page.addInitScript(() => {
    // The script of the page is the one that offers the modal
    Object.defineProperty(window, 'MaiModal', {
      configurable: true,
      set(modal: unknown) {
        const paints = performance.getEntriesByName('first-contentful-paint').length
        document.documentElement.dataset.paintsBefore = String(paints)
        Object.defineProperty(window, 'MaiModal', { value: modal })
      },
    })
  })
  await page.goto(site.url)
  await expect(page.locator('html')).toHaveAttribute('data-paints-before', '1')
  await expect(page.getByText('Live').first()).toBeAttached()
  expect(asked.filter(path => path.startsWith('/assets/app-'))).toHaveLength(1)
})

test('a press before any script runs opens the wallets, and leaves nothing behind', async ({ visit, site }) => {
  const visitor = await visit({ context: { viewport: phone } })
  const { page, release } = await openHeld(visitor, site.url, /\/baseline\.js$/)
  const button = page.getByTestId('connect-button')
  // The page arrives in pieces: a button that comes before its target does nothing
  const html = await (await fetch(site.url)).text()
  expect(html.indexOf('id="pressed-early"')).toBeGreaterThan(0)
  expect(html.indexOf('id="pressed-early"')).toBeLessThan(html.indexOf('popovertarget="pressed-early"'))
  await button.click()
  await expect(page.locator('html')).not.toHaveAttribute('data-baseline')
  await expect(page.locator('#pressed-early')).toBeHidden()
  await button.click()
  release()
  await expect(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  await expect(page.locator('#pressed-early')).toHaveCount(0)
  await expect(button).not.toHaveAttribute('popovertarget')
  await page.getByTestId('modal-close').click()
  await expect(page.getByTestId('modal')).toBeHidden()
})

test('what was typed is kept when wallets open while the page below the top bar still loads', async ({
  visit,
  site,
}) => {
  const visitor = await visit()
  const { page, release } = await openHeld(visitor, site.url, /\/assets\/SaleBody-[^/]*\.js$/)
  await page.getByTestId('pay-amount').fill('2')
  await page.locator('html[data-drawn]').waitFor()
  await page.getByTestId('connect-button').click()
  await expect(page.getByRole('dialog', { name: 'Connect wallet' })).toBeVisible()
  release()
  await expect(page.getByText('Live').first()).toBeAttached()
  await expect(page.getByTestId('pay-amount')).toHaveValue('2')
})

test('in another language the prerendered page gives way to that language @long', async ({ visit, site }) => {
  const visitor = await visit({ context: { locale: 'de-AT' } })
  const { page, release } = await openHeld(visitor, site.url)
  await expect(page.getByTestId('connect-button')).toHaveText('Connect wallet')
  release()
  await expect(page.getByTestId('connect-button')).toHaveText('Wallet verbinden')
  await expect(page.locator('#root > main')).toHaveCount(1)
})

test('a press while the texts of another language load opens the wallets in that language', async ({ visit, site }) => {
  const visitor = await visit({ context: { locale: 'de-AT' } })
  const { page, release } = await openHeld(visitor, site.url, /\/assets\/de-[^/]*\.js$/)
  await expect(page.locator('html')).toHaveAttribute('data-begun', '')
  await page.getByTestId('connect-button').click()
  await expect(page.getByTestId('connect-button')).toHaveText('Connect wallet')
  release()
  await expect(page.getByRole('dialog', { name: 'Wallet verbinden' })).toBeVisible()
})
