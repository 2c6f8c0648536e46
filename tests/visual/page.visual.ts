/** Pictures of the page in every status of a sale, and of the lists of payouts and newest payments: two themes, two widths. */
import { expect, test, type Page } from '@playwright/test'
import { saleStatuses } from '../../src/ui/presale/sale/status.ts'
import { everyCase } from '../everyCase.ts'
import { serveGallery } from './gallery.ts'
import { openGallery, showState } from './shown.ts'

const wide = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
const looks = [
  { theme: 'light', viewport: wide },
  { theme: 'dark', viewport: phone },
  { theme: 'dark', viewport: wide },
  { theme: 'light', viewport: phone },
]
/** Looks of the nth picture; `npm test` alone takes one of every fourth. */
const looksOf = (nth: number) =>
  everyCase ? looks : nth % 4 > 0 ? [] : looks.slice((nth / 4) % 4, ((nth / 4) % 4) + 1)

/** Sections, as selectors, in the states that fill them. */
const sections = [
  ['distributing', '#payouts'],
  ['distributing', '#allocation'],
  ['refunding', '#payouts'],
  ['refunding', '#purchases'],
  ['repaid', '#purchases'],
  ['published', '.verification'],
  ['verified', '.verification'],
  ['feed', '#feed'],
  ['feedRefused', '#feed'],
] as const

let gallery: Awaited<ReturnType<typeof serveGallery>>
let page: Page

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  gallery = await serveGallery('page')
  page = await browser.newPage()
  await openGallery(page, gallery.url)
})
test.afterAll(() => gallery.close())

/** Shows the state in each look, from its top. */
async function inLooks(state: string, nth: number, compare: (look: string) => Promise<void>): Promise<void> {
  if (looksOf(nth).length > 0) await showState(page, state)
  for (const { theme, viewport } of looksOf(nth)) {
    await page.setViewportSize(viewport)
    await page.evaluate(name => {
      document.documentElement.dataset.theme = name
      scrollTo(0, 0)
    }, theme)
    await compare(`${theme}-${viewport.width}`)
  }
}

test('every status looks as it did', async () => {
  test.setTimeout(300_000)
  for (const [nth, status] of [...saleStatuses, 'refundsDue'].entries())
    await inLooks(status, nth, async look => {
      const name = `status-${status}-${look}.png`
      await expect.soft(page, name).toHaveScreenshot(name, { maxDiffPixels: 40 })
    })
})

test('payouts and the newest payments look as they did', async () => {
  test.setTimeout(300_000)
  for (const [nth, [state, section]] of sections.entries())
    await inLooks(state, nth, async look => {
      const name = `section-${section.slice(1)}-${state}-${look}.png`
      await expect.soft(page.locator(section), name).toHaveScreenshot(name, { maxDiffPixels: 40 })
    })
})
