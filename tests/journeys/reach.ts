/** Faults of accessibility, and the keyboard. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/**
 * Checks every rule in the light theme, then the colours of the dark one. A frame in the page is the verify service's alone, so
 * axe needs no second page for frames; details of passed rules are left out.
 *
 * @param part a selector; absent: the whole page
 */
export async function faultsOf(page: Page, part = 'html'): Promise<string[]> {
  const faults: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = new AxeBuilder({ page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
      .include(part)
    const { violations } = await (colorScheme === 'dark' ? axe.withRules(['color-contrast']) : axe).analyze()
    for (const { id, nodes } of violations)
      faults.push(...nodes.map(node => `${colorScheme}, ${id}: ${node.target.join(' ')}`))
  }
  return faults
}

/** Presses Tab until `selector` has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  const target = page.locator(selector).first()
  for (let presses = 0; presses < 30; presses++) {
    // In a shadow root its own focus counts
    if (await target.evaluate(element => (element.getRootNode() as ShadowRoot).activeElement === element)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab expected to reach ${selector} within 30 presses, it did not`)
}
