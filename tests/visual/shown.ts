import { expect, type Locator, type Page } from '@playwright/test'

/** Of a gallery opened with ?bare. */
type Gallery = { gallery: { states: string[]; show(name: string, language?: string): Promise<void> | void } }

/** The modal, a sheet beside it, or the parts in a host's page. */
export const part = '[data-testid="modal"], [data-testid="host"]'

/** Opens a gallery without a state. @returns the names of its states */
export async function openGallery(page: Page, url: string): Promise<string[]> {
  await page.goto(`${url}?bare`)
  const states = await page.evaluate(() => (window as unknown as Gallery).gallery.states)
  expect(states.length).toBeGreaterThan(20)
  return states
}

/** Shows a state of the open gallery in place of the last one, and waits until it stands still. @returns what is on show */
export async function showState(page: Page, name: string, language?: string): Promise<Locator> {
  await page.evaluate(([name, language]) => (window as unknown as Gallery).gallery.show(name, language), [
    name,
    language,
  ] as const)
  await expect(page.locator(`main > *, ${part}`).first()).toBeVisible()
  // Parts of a screen come in microtasks after its frame
  await page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
  return page.locator(part)
}

/** How many states of the modal `npm test` looks at; they change with each new one. */
const sampled = 7

/** @returns whether `npm test` alone looks at the nth state */
export function isSampled(nth: number, states: readonly string[]): boolean {
  return nth % Math.ceil(states.length / sampled) === 0
}
