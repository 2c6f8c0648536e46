/** Controls for conditions a journey cannot wait for: clocks of page and worker, the worker's disk, sleep, and its end. */
import type { Page } from '@playwright/test'
import type { Door, Steering } from '../../src/worker/drivers/door.ts'

declare global {
  var door: Door
}

/** A worker ended in the middle of a loop may still be listed. */
const newest = (page: Page) => page.workers().at(-1)

/** Changes the given settings in the running worker and in every later one of this page. */
export async function wish(page: Page, changes: Steering): Promise<void> {
  await page.evaluate(more => {
    const wishes = new URLSearchParams(sessionStorage.getItem('door') ?? '')
    for (const [what, value] of Object.entries(more)) wishes.set(what, String(value))
    sessionStorage.setItem('door', wishes.toString())
  }, changes)
  await newest(page)?.evaluate(more => globalThis.door.wish(more), changes)
}

/**
 * Makes inputs of this type deadly: their careful step freezes this worker and every later one; `core.boot` crashes each worker
 * that starts a core. `''` ends that.
 */
export async function makeDeadly(page: Page, type: string): Promise<void> {
  await page.evaluate(deadly => {
    const wishes = new URLSearchParams(sessionStorage.getItem('door') ?? '')
    wishes.set('deadly', deadly)
    sessionStorage.setItem('door', wishes.toString())
  }, type)
  await newest(page)?.evaluate(deadly => void (globalThis.door.deadly = deadly), type)
}

/**
 * Sets this device's clock, for page and worker alike.
 *
 * @param passedMs time that also passed on the worker's monotonic clock
 */
export async function setClock(page: Page, clockOffsetMs: number, passedMs?: number): Promise<void> {
  await page.evaluate(offset => {
    const real = performance.timeOrigin
    Date.now = () => Math.floor(real + performance.now()) + offset
  }, clockOffsetMs)
  await wish(page, { clockOffsetMs, ...(passedMs === undefined ? {} : { passedMs }) })
}

/** Makes the page's worker stop answering. */
export function freezeWorker(page: Page): void {
  newest(page)
    ?.evaluate(() => globalThis.door.freeze())
    .catch(() => undefined)
}

/** Hides or shows the tab, as reported by the browser. */
export async function look(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(isVisible => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isVisible ? 'visible' : 'hidden'),
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visible)
}

/** Freezes the whole tab like a power-saving browser. @returns wakes the tab */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  return async () => {
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await session.detach()
  }
}
