import { expect, type Page } from '@playwright/test'

/** Opens a state of the gallery, and waits until it stands still. */
export async function shown(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.getByTestId('modal')).toBeVisible()
  await atRest(page)
}

/** Opens a state of the page's gallery, and waits until it stands still. */
export async function shownPage(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.locator('main')).toBeVisible()
  await atRest(page)
}

async function atRest(page: Page): Promise<void> {
  // Parts of a screen come in microtasks after its frame
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
}
