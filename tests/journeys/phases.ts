import type { Page } from '@playwright/test'

declare global {
  interface Window {
    /** All values of the order's `data-phase` in this page, in order. */
    __phases: string[]
  }
}

/** Runs in the page before any other script: records every phase of the order, however short. */
export function notePhases(): void {
  window.__phases = []
  const note = () => {
    const phase = document.querySelector('[data-testid="order-status"]')?.getAttribute('data-phase')
    if (phase && window.__phases.at(-1) !== phase) window.__phases.push(phase)
  }
  new MutationObserver(note).observe(document, { subtree: true, childList: true, attributeFilter: ['data-phase'] })
}

/** Phases the order has shown since the page was loaded. */
export function shownPhases(page: Page): Promise<string[]> {
  return page.evaluate(() => window.__phases)
}
