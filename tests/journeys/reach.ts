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

/** Smallest target of a finger, CSS px (WCAG 2.2, 2.5.5). */
const touchPx = 44

/**
 * Measures how far a finger may be off each control that is on show: the stretch through its middle, across and down, where a press
 * still reaches it or its label. Exempt is a link or a button within a sentence, whose height is that of its line (2.5.5, Inline).
 *
 * @param part a selector; absent: the whole page
 * @returns the controls whose stretch is under 44 px, with both lengths
 */
export function smallTargets(page: Page, part = 'html'): Promise<string[]> {
  const given = { least: touchPx, part }
  return page.evaluate(({ least, part }) => {
    const controls = 'a[href], button, input, select, textarea, summary, [role="button"], [role="tab"], [tabindex="0"]'

    function isInline(control: Element): boolean {
      if (!getComputedStyle(control).display.startsWith('inline')) return false
      const lengthOf = (one: Element | null) => one?.textContent?.trim().length ?? 0
      const own = lengthOf(control)
      return control.matches('a, button') && own > 0 && lengthOf(control.parentElement) > own
    }
    function reached(root: Document | ShadowRoot, control: Element, x: number, y: number): boolean {
      const hit = root.elementFromPoint(x, y)
      if (hit === null) return false
      return control.contains(hit) || hit.closest('label')?.control === control
    }
    /** px from the middle in one direction, the first pixel left out */
    function reach(at: (px: number) => boolean): number {
      let px = 0
      while (px < least && at(px + 1)) px += 1
      return px
    }
    function lengthsOf(root: Document | ShadowRoot, control: Element): [number, number] | undefined {
      control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
      const { left, top, width, height } = control.getBoundingClientRect()
      if (width <= 1 || height <= 1) return undefined
      const [x, y] = [left + width / 2, top + height / 2]
      const [near, far] = [-least / 2, least / 2 - 0.5]
      const isReached = (dx: number, dy: number) => reached(root, control, x + dx, y + dy)
      if (isReached(near, 0) && isReached(far, 0) && isReached(0, near) && isReached(0, far)) return [least, least]
      const stretch = (dx: number, dy: number) => reach(px => isReached(dx * px, dy * px))
      if (!isReached(0, 0)) return [0, 0]
      return [stretch(-1, 0) + stretch(1, 0) + 1, stretch(0, -1) + stretch(0, 1) + 1]
    }
    function found(root: Document | ShadowRoot, within: ParentNode | null): string[] {
      const small: string[] = []
      for (const { shadowRoot } of within?.querySelectorAll('*') ?? [])
        if (shadowRoot) small.push(...found(shadowRoot, shadowRoot))
      for (const control of within?.querySelectorAll<HTMLElement>(controls) ?? []) {
        if (!control.checkVisibility({ visibilityProperty: true }) || control.closest('[inert], .text-hidden')) continue
        if (isInline(control)) continue
        const [width, height] = lengthsOf(root, control) ?? [least, least]
        if (width >= least && height >= least) continue
        const name =
          control.dataset.testid ?? control.getAttribute('aria-label') ?? control.textContent?.trim().slice(0, 40)
        small.push(`${control.localName}.${control.className} “${name}”: ${width} × ${height}`)
      }
      return small
    }
    return found(document, document.querySelector(part))
  }, given)
}
