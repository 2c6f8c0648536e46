/** Every state of the modal in the gallery: no fault that axe knows, nothing wider than the smallest phone, at large text, too. */
import { expect, test, type Page } from '@playwright/test'
import { faultsOf } from '../journeys/reach.ts'
import { serveGallery } from './gallery.ts'
import { shown } from './shown.ts'

/** The smallest phone, or a desk window of 1280 px at 400 %; and the same at 200 %. */
const widths = [320, 640]

let gallery: Awaited<ReturnType<typeof serveGallery>>
let page: Page

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  gallery = await serveGallery()
  page = await (await browser.newContext()).newPage()
})
test.afterAll(() => gallery.close())

/** Runs in the page. @returns what is wider than its place, or cut by it */
function tooWide(): string[] {
  const sheet = document.querySelector('[data-testid="modal"]')
  if (!sheet) return ['no modal']
  const place = sheet.getBoundingClientRect()
  const found = document.documentElement.scrollWidth > innerWidth ? ['the page'] : []
  for (const one of sheet.querySelectorAll<HTMLElement>('*')) {
    if (!one.checkVisibility() || one.closest('.text-hidden, svg')) continue
    const { left, right, width } = one.getBoundingClientRect()
    const isOut = width > 0 && (left < place.left - 1 || right > place.right + 1)
    if (isOut) found.push(`${one.tagName} ${one.className} ${one.dataset.testid ?? ''}: ${left}–${right}`)
  }
  return found
}

test('no state has a fault that axe knows, or is wider than its window', async () => {
  test.setTimeout(400_000)
  const faults: string[] = []
  await page.goto(`${gallery.url}?names`)
  const states = await page.evaluate(() => (window as unknown as { states: string[] }).states)
  for (const [nth, state] of states.entries()) {
    const language = nth % 2 === 0 ? 'de' : 'ar'
    await shown(page, `${gallery.url}?state=${state}&lang=${language}`)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 })
      for (const found of await page.evaluate(tooWide)) faults.push(`${state}, ${width} px: ${found}`)
    }
    await page.setViewportSize({ width: 320, height: 800 })
    // Content of a body without height is not on screen for axe, which then judges no colour
    await page.addStyleTag({ content: 'body { min-height: 100vh }' })
    faults.push(...(await faultsOf(page)).map(fault => `${state}, ${fault}`))
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'))
    for (const found of await page.evaluate(tooWide)) faults.push(`${state}, text at 200 %: ${found}`)
  }
  expect(faults).toEqual([])
})
