import { expect, type Page } from '@playwright/test'

/** Of a gallery opened with ?bare. */
type Gallery = { gallery: { states: string[]; show(name: string, language?: string): Promise<void> | void } }

/** Opens a gallery without a state. @returns the names of its states */
export async function openGallery(page: Page, url: string): Promise<string[]> {
  await page.goto(`${url}?bare`)
  const states = await page.evaluate(() => (window as unknown as Gallery).gallery.states)
  expect(states.length).toBeGreaterThan(20)
  return states
}

/** Shows a state of the open gallery in place of the last one, and waits until it stands still. */
export async function showState(page: Page, name: string, language?: string): Promise<void> {
  await page.evaluate(([name, language]) => (window as unknown as Gallery).gallery.show(name, language), [
    name,
    language,
  ] as const)
  await expect(page.locator('main, [data-testid="modal"]').first()).toBeVisible()
  // Parts of a screen come in microtasks after its frame
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
}
