/** Ways to steer what a journey cannot wait for: the clock of page and worker, the worker's disk, sleep, and its end. */
import type { Page } from '@playwright/test'
import type { Door, Wish } from '../../src/worker/drivers/door.ts'

declare global {
  var door: Door
}

/** One that was ended in the middle of a loop may still be listed. */
const newest = (page: Page) => page.workers().at(-1)

/** Changes what is named, in the worker that runs and in every later one of this page. */
export async function wish(page: Page, changes: Wish): Promise<void> {
  await page.evaluate(more => {
    const wishes = new URLSearchParams(sessionStorage.getItem('door') ?? '')
    for (const [what, value] of Object.entries(more)) wishes.set(what, String(value))
    sessionStorage.setItem('door', wishes.toString())
  }, changes)
  await newest(page)?.evaluate(more => globalThis.door.wish(more), changes)
}

/**
 * From now on the careful step of such an input freezes the worker, and every later one; `core.boot` crashes each worker
 * that is to begin a core. `''` takes that back.
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
 * @param passedMs so much time also went by, which the worker measures without the clock
 */
export async function setClock(page: Page, clockOffsetMs: number, passedMs?: number): Promise<void> {
  await page.evaluate(offset => {
    const real = performance.timeOrigin
    Date.now = () => Math.floor(real + performance.now()) + offset
  }, clockOffsetMs)
  await wish(page, { clockOffsetMs, ...(passedMs === undefined ? {} : { passedMs }) })
}

/** Has the page's worker stop answering, without a word. */
export function freezeWorker(page: Page): void {
  newest(page)
    ?.evaluate(() => globalThis.door.freeze())
    .catch(() => undefined)
}

/** The tab goes out of sight, or comes back: the browser says so to the page. */
export async function look(page: Page, visible: boolean): Promise<void> {
  await page.evaluate(isVisible => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (isVisible ? 'visible' : 'hidden'),
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, visible)
}

/** Freezes the whole tab as a browser does that saves power; the function it gives wakes the tab. */
export async function freezeTab(page: Page): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  return async () => {
    await session.send('Page.setWebLifecycleState', { state: 'active' })
    await session.detach()
  }
}
