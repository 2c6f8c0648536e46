/** Every state of the modal and of the page under a finger at 390 px: each control is reached on 44 × 44 px. */
import { expect, test, type Page } from '@playwright/test'
import { smallTargets } from '../journeys/reach.ts'
import { serveGallery } from './gallery.ts'
import { shown, shownPage } from './shown.ts'

let galleries: Awaited<ReturnType<typeof serveGallery>>[]
let page: Page

test.beforeAll(async ({ browser }) => {
  galleries = [await serveGallery('modal'), await serveGallery('page')]
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  page = await (await browser.newContext(phone)).newPage()
})
test.afterAll(async () => {
  for (const gallery of galleries) await gallery.close()
})

const urlOf = (at: 0 | 1) => galleries[at]?.url ?? ''

const namesAt = async (url: string): Promise<string[]> => {
  await page.goto(`${url}?names`)
  return page.evaluate(() => (window as unknown as { states: string[] }).states)
}

test('no control of the modal is smaller', async () => {
  const found: string[] = []
  for (const state of await namesAt(urlOf(0))) {
    await shown(page, `${urlOf(0)}?state=${state}`)
    expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
    found.push(...(await smallTargets(page)).map(target => `${state}, ${target}`))
  }
  expect(found).toEqual([])
})

test('no control of the page is smaller', async () => {
  const found: string[] = []
  for (const state of await namesAt(urlOf(1))) {
    await shownPage(page, `${urlOf(1)}?show=${state}`)
    await page.evaluate(() =>
      document.querySelectorAll<HTMLDetailsElement>('main details').forEach(one => (one.open = true)),
    )
    found.push(...(await smallTargets(page)).map(target => `${state}, ${target}`))
  }
  await page.getByTestId('erase-record').click()
  found.push(...(await smallTargets(page, 'dialog')).map(target => `erase, ${target}`))
  expect(found).toEqual([])
})
