import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** Every value `data-phase` of the order took in this page, in order. */
    __phases: string[]
  }
}

/** Runs in the page before anything else: keeps every phase the order showed, however short. */
export function notePhases(): void {
  window.__phases = []
  const note = () => {
    const phase = document.querySelector('[data-testid="order-status"]')?.getAttribute('data-phase')
    if (phase && window.__phases.at(-1) !== phase) window.__phases.push(phase)
  }
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ['data-phase'] })
}

/** The phases the order went through on screen since the page was loaded. */
export function shownPhases(page: Page): Promise<string[]> {
  return page.evaluate(() => window.__phases)
}
