/** Pictures of every state of the modal in the gallery: two themes, two widths, Arabic from right to left, and a person's own colours. */
import { expect, test, type Page } from '@playwright/test'
import { everyCase } from '../everyCase.ts'
import { serveGallery } from './gallery.ts'
import { isSampled, openGallery, showState } from './shown.ts'

const wide = { width: 1280, height: 900 }
const phone = { width: 390, height: 844 }
const lightPhone = { theme: 'light', viewport: phone }
const darkWide = { theme: 'dark', viewport: wide }
const looks = [lightPhone, { theme: 'light', viewport: wide }, { theme: 'dark', viewport: phone }, darkWide]
const all = [
  { language: 'en', looks: [...looks, { theme: 'forced', viewport: phone }] },
  { language: 'ar', looks },
]
/** States that differ from another one in their words and marks alone: two looks of each are enough. */
const differsInWords =
  /^(?:connecting(?!Quiet)|code(?:Expired|Unfit|Away|Unauthorized|Declined)|signIn(?:[ADNOCU]\w+|Copied)|accountFrom\w+|account(?:Fraud|NoPage|OtherLook|Shared|AwayOffline)|send(?:No\w+|Own|Too\w+|NamedAlike|Seen|MayArrive|Changed|AskedAgain)|switch(?:No\w+)|notice(?:Busy|Done)|toast(?:Done|Failed)|activityOffline|partMissingOffline|twinKnown|allOffline)$/
/** The first state in the one, the next in the other. */
const inTurn = [{ language: 'en', looks: [lightPhone] }] as const
const otherTurn = [{ language: 'ar', looks: [darkWide] }] as const
/** @returns the looks of the nth state; `npm test` alone takes one of a few states */
function viewsOf(
  nth: number,
  states: readonly string[],
): readonly { language: string; looks: readonly (typeof lightPhone)[] }[] {
  if (everyCase) return differsInWords.test(states[nth] ?? '') ? [...inTurn, ...otherTurn] : all
  if (!isSampled(nth, states)) return []
  return nth % 2 === 0 ? inTurn : otherTurn
}

let gallery: Awaited<ReturnType<typeof serveGallery>>
let page: Page

test.describe.configure({ mode: 'serial' })
test.beforeAll(async ({ browser }) => {
  gallery = await serveGallery()
  page = await browser.newPage()
})
test.afterAll(() => gallery.close())

test('every state looks as it did', async () => {
  // Some 1,300 pictures in all
  test.setTimeout(1_500_000)
  const states = await openGallery(page, gallery.url)
  for (const [nth, state] of states.entries()) {
    for (const { language, looks } of viewsOf(nth, states)) {
      const sheet = await showState(page, state, language)
      for (const { theme, viewport } of looks) {
        await page.setViewportSize(viewport)
        const isForced = theme === 'forced'
        await page.emulateMedia({ forcedColors: isForced ? 'active' : 'none' })
        await page.evaluate(name => void (document.documentElement.dataset.theme = name), isForced ? 'light' : theme)
        const name = `${state}-${theme}-${viewport.width}-${language}.png`
        await expect.soft(sheet, name).toHaveScreenshot(name, { maxDiffPixels: 40 })
      }
    }
  }
})
