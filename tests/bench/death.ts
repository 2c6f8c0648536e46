/** Time until a page notices a dead worker, tells the person, and works again. */
import type { Browser, Page } from 'playwright'
import type { Door } from '../../src/worker/drivers/door.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

const runs = 3
/** A worker of this age is replaced at once, ms. */
const livedMs = 10_500
const busyMs = 1000

declare global {
  interface Window {
    benchSeen?: { toast: number; lost: number; again: number }
  }
}

type Run = { rejectedMs: number; attachedMs: number }

/** A pending call of a dead worker is rejected with a notice; then a new core serves the page. */
export async function death(world: World): Promise<Row[]> {
  const [browser, { url }] = [await world.browser(), await world.steered()]
  const inAll = (how: 'error' | 'freeze') => Promise.all(Array.from({ length: runs }, () => dieOnce(browser, url, how)))
  const errors = await inAll('error')
  const freezes = await inAll('freeze')
  const of = (found: Run[], figure: keyof Run) => found.map(run => run[figure])
  return [
    {
      name: 'worker’s error → open call rejected, the slowest',
      unit: 'ms',
      ours: Math.max(...of(errors, 'rejectedMs')),
      comparison: { what: 'a call without a supervisor: its own deadline', value: 10_000 },
      goal: { of: 'ours', atMost: 100 },
    },
    {
      name: 'worker’s silent freeze → open call rejected, the slowest',
      unit: 'ms',
      ours: Math.max(...of(freezes, 'rejectedMs')),
      comparison: { what: 'a call without a supervisor: its own deadline', value: 10_000 },
      goal: { of: 'ours', atMost: 7000 },
    },
    {
      name: 'worker’s error → new core attached and painted',
      unit: 'ms',
      ours: median(of(errors, 'attachedMs')),
      comparison: { what: 'worker given up after a freeze → the same', value: median(of(freezes, 'attachedMs')) },
      goal: { of: 'ours', atMost: 1000 },
    },
  ]
}

async function dieOnce(browser: Browser, url: string, how: 'error' | 'freeze'): Promise<Run> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(url)
    await page
      .getByTestId('buy-button')
      .filter({ hasText: /Connect|Enter/ })
      .waitFor()
    await page.waitForTimeout(livedMs)
    await page.getByTestId('connect-button').click()
    await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').waitFor()
    await watch(page)
    const endsAt = await endWorker(page, how)
    // A press on a busy, then dead worker is a call without an answer
    await page.locator('[data-testid="wallet-row"][data-wallet="WalletConnect"]').click()
    await page.waitForFunction(() => (window.benchSeen?.toast ?? 0) > 0 && (window.benchSeen?.again ?? 0) > 0)
    const { toast, lost, again } = (await page.evaluate(() => window.benchSeen)) ?? { toast: 0, lost: 0, again: 0 }
    return { rejectedMs: toast - endsAt, attachedMs: again - (how === 'error' ? endsAt : lost) }
  } finally {
    await context.close()
  }
}

/** Records the times at which the page reports a failed press, a reconnection, and its end. */
function watch(page: Page): Promise<void> {
  return page.evaluate(() => {
    const seen = { toast: 0, lost: 0, again: 0 }
    window.benchSeen = seen
    // Inline: a named function would need helpers of the bench's own process
    new MutationObserver(() => {
      const text = document.body.textContent ?? ''
      const isLost = text.includes('Reconnecting')
      if (seen.toast === 0 && text.includes('did not get through')) seen.toast = Date.now()
      if (seen.lost === 0 && isLost) seen.lost = Date.now()
      if (seen.lost > 0 && seen.again === 0 && !isLost) seen.again = Date.now()
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
}

/** Makes the worker busy for a while and then ends it. @returns its end, ms since the Unix epoch */
async function endWorker(page: Page, how: 'error' | 'freeze'): Promise<number> {
  const worker = page.workers()[0]
  if (!worker) throw new Error('the page expected to have a worker, it has none')
  return worker.evaluate(
    ([way, forMs]) => {
      const endsAt = Date.now() + forMs
      setTimeout(() => {
        while (Date.now() < endsAt);
        if (way === 'freeze') (globalThis as unknown as { door: Door }).door.freeze()
        throw new Error('the bench ended this worker')
      }, 10)
      return endsAt
    },
    [how, busyMs] as const,
  )
}
