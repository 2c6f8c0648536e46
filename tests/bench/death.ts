/** Time until a page notices a dead worker, tells the person, works again, and carries out the press that the worker took along. */
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
    benchSeen?: { lost: number; again: number; code: number }
  }
}

type Run = { noticedMs: number; attachedMs: number; answeredMs: number }

/** The page says that it reconnects; then a new core serves it, and gets the press that was under way. */
export async function death(world: World): Promise<Row[]> {
  const [browser, { url }] = [await world.browser(), await world.steered()]
  const inAll = (how: 'error' | 'freeze') => Promise.all(Array.from({ length: runs }, () => dieOnce(browser, url, how)))
  const errors = await inAll('error')
  const freezes = await inAll('freeze')
  const of = (found: Run[], figure: keyof Run) => found.map(run => run[figure])
  return [
    {
      name: 'worker’s error → the page says so, the slowest',
      unit: 'ms',
      ours: Math.max(...of(errors, 'noticedMs')),
      comparison: { what: 'a call without a supervisor: its own deadline', value: 10_000 },
      goal: { of: 'ours', atMost: 100 },
    },
    {
      name: 'worker’s silent freeze → the page says so, the slowest',
      unit: 'ms',
      ours: Math.max(...of(freezes, 'noticedMs')),
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
    {
      name: 'worker’s error → the press under way is answered by the next core',
      unit: 'ms',
      ours: median(of(errors, 'answeredMs')),
      comparison: { what: 'a call without a supervisor: its own deadline', value: 10_000 },
      goal: { of: 'ours', atMost: 2000 },
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
    await page.waitForFunction(() => Object.values(window.benchSeen ?? {}).every(at => at > 0))
    const { lost, again, code } = (await page.evaluate(() => window.benchSeen)) ?? { lost: 0, again: 0, code: 0 }
    const attachedMs = again - (how === 'error' ? endsAt : lost)
    return { noticedMs: lost - endsAt, attachedMs, answeredMs: code - endsAt }
  } finally {
    await context.close()
  }
}

/** Records the times at which the page reports that it reconnects, that it has, and the code that was asked for. */
function watch(page: Page): Promise<void> {
  return page.evaluate(() => {
    const seen = { lost: 0, again: 0, code: 0 }
    window.benchSeen = seen
    // Inline: a named function would need helpers of the bench's own process
    new MutationObserver(() => {
      const text = document.body.textContent ?? ''
      const isLost = text.includes('Reconnecting')
      if (seen.code === 0 && text.includes('New code in')) seen.code = Date.now()
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
