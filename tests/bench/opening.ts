/** Time from the press on connect to the painted list of wallets, beside the same page with an empty modal. */
import type { Browser, Page } from 'playwright'
import { mark, startTrace, stopTrace } from './trace.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

type Condition = { name: string; throttle: number; holdWorker: boolean }

const conditions: Condition[] = [
  { name: 'at full speed', throttle: 1, holdWorker: false },
  { name: 'at a quarter of the speed', throttle: 4, holdWorker: false },
  { name: 'worker not up yet', throttle: 1, holdWorker: true },
  { name: 'worker not up yet, at a quarter of the speed', throttle: 4, holdWorker: true },
]
/** First presses per page and condition, alternating, each in a fresh page. */
const presses = 5
const throttleSettleMs = 300

/** The median of a few first presses. */
export async function opening(world: World): Promise<Row[]> {
  const browser = await world.browser()
  const ours = { url: (await world.published()).url, shows: '[data-testid="wallet-row"]' }
  const empty = { url: (await world.empty()).url, shows: '[data-testid="nothing"]' }
  const rows: Row[] = []
  for (const condition of conditions) {
    const times: [Press[], Press[]] = [[], []]
    for (let turn = 0; turn < presses; turn++) {
      times[0].push(await firstPress(browser, ours, condition))
      times[1].push(await firstPress(browser, empty, condition))
    }
    const of = (page: 0 | 1, figure: keyof Press) => median(times[page].map(press => press[figure]))
    rows.push({
      name: `press → wallet list painted, ${condition.name}`,
      unit: 'ms',
      ours: of(0, 'wallMs'),
      comparison: { what: 'an empty modal in the same page', value: of(1, 'wallMs') },
      goal: { of: 'ratio', atMost: 1.5 },
    })
    // Shows, for a row above its goal, whether the page works too much or the machine was busy
    rows.push({
      name: '    of which the page’s thread was at work',
      unit: 'ms',
      ours: of(0, 'busyMs'),
      comparison: { what: 'an empty modal in the same page', value: of(1, 'busyMs') },
    })
  }
  return rows
}

/** `wallMs`: elapsed time; `busyMs`: CPU time of the page's main thread in it. */
type Press = { wallMs: number; busyMs: number }
type Target = { url: string; shows: string }

async function firstPress(browser: Browser, { url, shows }: Target, condition: Condition): Promise<Press> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    let held = 0
    if (condition.holdWorker) {
      // Never answered: the page lacks its worker for the whole visit
      await page.route(/\/worker-[^/]*\.js$/, () => void (held += 1))
    }
    await page.addInitScript(watchPress, shows)
    await page.goto(url)
    const button = page.getByTestId('connect-button')
    await button.waitFor()
    await modalIsHere(page)
    if (condition.holdWorker && held === 0) throw new Error('the page expected to ask for its worker, it did not')
    if (!condition.holdWorker) await page.getByText('Live').first().waitFor()
    if (condition.throttle > 1) {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: condition.throttle })
      await page.evaluate(ms => new Promise(done => setTimeout(done, ms)), throttleSettleMs)
    }
    await startTrace(browser, page)
    await mark(page, 'pressing')
    await button.click()
    const wallMs = await page.evaluate(
      () => window.benchPainted ?? Promise.reject(new Error('nobody watched the press')),
    )
    await mark(page, 'painted')
    const tasks = (await stopTrace(browser))('pressing', 'painted')
    return { wallMs, busyMs: tasks.reduce((sum, task) => sum + task.busyMs, 0) }
  } catch (problem) {
    // An unfinished trace would block the next one
    await browser.stopTracing().catch(() => undefined)
    throw problem
  } finally {
    await context.close()
  }
}

/** Waits for the modal's code, loaded when idle; an earlier press would measure the network. */
async function modalIsHere(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/(?:Modal|EmptyModal)-[^/]*\.js$/.test(name)),
  )
  await page.evaluate(() => new Promise<void>(done => requestIdleCallback(() => done(), { timeout: 3000 })))
}

declare global {
  interface Window {
    /** ms from the press to the frame that showed what was waited for */
    benchPainted?: Promise<number>
  }
}

/** Runs in the page, before its own scripts. */
function watchPress(shows: string): void {
  window.benchPainted = new Promise(resolve => {
    let pressedAt: number | undefined
    addEventListener('click', event => (pressedAt ??= event.timeStamp), { capture: true })
    const changes = new MutationObserver(() => {
      const from = pressedAt
      if (from === undefined || !document.querySelector(shows)) return
      changes.disconnect()
      requestAnimationFrame(() => {
        // a message posted in a frame arrives once that frame is painted
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => resolve(performance.now() - from)
        port2.postMessage(0)
      })
    })
    changes.observe(document, { childList: true, subtree: true })
  })
}
