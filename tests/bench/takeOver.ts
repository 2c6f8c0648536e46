/** Time until the remaining tabs have the next core, after the leader's worker ends and after its tab freezes. */
import type { Browser, BrowserContext, Page } from 'playwright'
import type { Door } from '../../src/worker/drivers/door.ts'
import { percentile, type Row } from './verdict.ts'
import type { World } from './world.ts'

const takeOvers = 20
const freezes = 3

declare global {
  interface Window {
    /** this page's workers; time of its last reattach; time of the first facts after it, ms since the epoch */
    benchTabs?: { workers: Worker[]; told: number; fact: number }
  }
}

/** Three tabs: one leads, one takes over, one keeps following. The slower of the remaining two counts. */
export async function takeOver(world: World): Promise<Row[]> {
  const [browser, { url }] = [await world.browser(), await world.steered()]
  const firstFacts = await inContext(browser, async context => {
    const tabs = [await open(context, url), await open(context, url), await open(context, url)]
    const found: number[] = []
    while (found.length < takeOvers) {
      const endedAt = await endWorker(tabs[0] as Page)
      const seen = await Promise.all(tabs.slice(1).map(tab => next(tab, 'fact')))
      found.push(Math.max(...seen) - endedAt)
      await tabs.shift()?.close()
      tabs.push(await open(context, url))
    }
    return found
  })
  const noticed: number[] = []
  while (noticed.length < freezes)
    noticed.push(
      await inContext(browser, async context => {
        const [leader, follower] = [await open(context, url), await open(context, url)]
        await mark(follower)
        const frozenAt = await freeze(context, leader)
        return (await next(follower, 'told')) - frozenAt
      }),
    )
  return [
    {
      name: 'leading tab gone → first fact of the next core in each other, p95',
      unit: 'ms',
      ours: percentile(firstFacts, 0.95),
      comparison: { what: 'the same, the fastest', value: Math.min(...firstFacts) },
      goal: { of: 'ours', atMost: 500 },
    },
    {
      name: 'leading tab frozen → noticed by one that is looked at, the slowest',
      unit: 'ms',
      ours: Math.max(...noticed),
      comparison: { what: 'a call without it: its own deadline', value: 10_000 },
      goal: { of: 'ours', atMost: 7000 },
    },
  ]
}

async function inContext<T>(browser: Browser, run: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  context.setDefaultTimeout(30_000)
  await context.addInitScript(listen)
  try {
    return await run(context)
  } finally {
    await context.close()
  }
}

/** Records the core's messages to this page. Runs in the page before any other script, so it can use nothing of this file. */
function listen(): void {
  const seen = { workers: [] as Worker[], told: 0, fact: 0 }
  window.benchTabs = seen
  window.Worker = class extends Worker {
    constructor(...given: ConstructorParameters<typeof Worker>) {
      super(...given)
      seen.workers.push(this)
    }
  }
  const { start } = MessagePort.prototype
  MessagePort.prototype.start = function (this: MessagePort) {
    this.addEventListener('message', ({ data }: MessageEvent<{ path?: string[] }>) => {
      const called = data.path?.join()
      if (called === 'detached') seen.told = Date.now()
      if (called === 'facts' && seen.told > 0 && seen.fact === 0) seen.fact = Date.now()
    })
    start.call(this)
  }
}

/** Opens a tab and waits until it has joined the core. */
async function open(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await page
    .getByTestId('buy-button')
    .filter({ hasText: /Connect|Enter/ })
    .waitFor()
  return page
}

const mark = (page: Page) =>
  page.evaluate(() => {
    if (window.benchTabs) Object.assign(window.benchTabs, { told: 0, fact: 0 })
  })

/** Ends the worker like closing its tab: at once and without notice. @returns the time, ms since the Unix epoch */
async function endWorker(page: Page): Promise<number> {
  for (const other of page.context().pages()) if (other !== page) await mark(other)
  return page.evaluate(() => {
    const at = Date.now()
    for (const worker of window.benchTabs?.workers ?? []) worker.terminate()
    return at
  })
}

/** Freezes the page and its worker, unnoticeably from inside. @returns the time, ms since the Unix epoch */
async function freeze(context: BrowserContext, page: Page): Promise<number> {
  const worker = page.workers()[0]
  if (!worker) throw new Error('the page expected to have a worker, it has none')
  const session = await context.newCDPSession(page)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  return worker.evaluate(() => {
    setTimeout(() => (globalThis as unknown as { door: Door }).door.freeze(), 0)
    return Date.now()
  })
}

/** Resolves with the time of that event since the mark. */
async function next(page: Page, what: 'told' | 'fact'): Promise<number> {
  const found = await page.waitForFunction(of => window.benchTabs?.[of], what)
  return Number(await found.jsonValue())
}
