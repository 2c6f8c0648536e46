/** Kills the worker in the middle of its work, and holds the network at a chosen point. */
import type { BrowserContext, Page, Worker } from '@playwright/test'
import type { Stack } from '../stack/start.ts'

/** @returns the page's worker; the page renders, with working buttons, before it has one */
export async function workerOf(page: Page): Promise<Worker> {
  return page.workers()[0] ?? (await page.waitForEvent('worker', { timeout: 20_000 }))
}

/**
 * Ends the page's worker from inside: its work is lost, and the page gets no event.
 *
 * @returns when it is gone; the page has to detect that itself
 */
export async function killWorker(page: Page): Promise<void> {
  const worker = await workerOf(page)
  const gone = worker.waitForEvent('close')
  // The answer to this call may die with the worker.
  worker.evaluate(() => self.close()).catch(() => undefined)
  await gone
}

/** A request held in flight. */
export type Held = { reached: Promise<void>; release(): Promise<void> }

/**
 * Holds the next request to the chain with `method`, and every later one, until released.
 *
 * @param how `before`: it has not left the browser; `after`: the chain carried it out, but the answer is held back
 */
export async function holdCall(
  context: BrowserContext,
  { solana }: Stack,
  method: string,
  how: 'before' | 'after' = 'before',
): Promise<Held> {
  let arrive = () => {}
  let free = () => {}
  const reached = new Promise<void>(resolve => {
    arrive = resolve
  })
  const released = new Promise<void>(resolve => {
    free = resolve
  })
  const pattern = `${solana.url}/**`
  await context.route(pattern, async route => {
    if (!(route.request().postData() ?? '').includes(`"${method}"`)) return route.continue()
    const answer = how === 'after' ? await route.fetch() : undefined
    arrive()
    await released
    // The requesting worker may be gone: then the answer has no receiver.
    await (answer ? route.fulfill({ response: answer }) : route.continue()).catch(() => undefined)
  })
  return {
    reached,
    async release() {
      free()
      await context.unroute(pattern)
    },
  }
}
