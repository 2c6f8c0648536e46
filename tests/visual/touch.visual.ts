/** Every state of the page under a finger at 390 px: each control is reached on 44 × 44 px. */
import { expect, test } from '@playwright/test'
import { everyCase } from '../everyCase.ts'
import { smallTargets } from '../journeys/reach.ts'
import { serveGallery } from './gallery.ts'
import { openGallery, showState } from './shown.ts'

test('no control of the page is smaller', async ({ browser }) => {
  test.setTimeout(120_000)
  const gallery = await serveGallery('page')
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await (await browser.newContext(phone)).newPage()
  const found: string[] = []
  for (const [nth, state] of (await openGallery(page, gallery.url)).entries()) {
    if (!everyCase && nth % 2 > 0) continue
    await showState(page, state)
    expect(await page.evaluate(() => matchMedia('(pointer: coarse)').matches)).toBe(true)
    await page.evaluate(() =>
      document.querySelectorAll<HTMLDetailsElement>('main details').forEach(one => (one.open = true)),
    )
    found.push(...(await smallTargets(page)).map(target => `${state}, ${target}`))
  }
  await page.getByTestId('erase-record').click()
  found.push(...(await smallTargets(page, 'dialog')).map(target => `erase, ${target}`))
  await gallery.close()
  expect(found).toEqual([])
})
