/**
 * Time from the press on connect to the painted list of wallets, beside the floor: a small page of React that shows an empty box.
 * The embed is measured on that same small page, the presale page as it is.
 */
import type { Browser, Page } from 'playwright'
import { mark, startTrace, stopTrace, type Task } from './trace.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

type Speed = { name: string; throttle: number }

const speeds: Speed[] = [
  { name: 'at full speed', throttle: 1 },
  { name: 'at a quarter of the speed', throttle: 4 },
]
/** First presses per page and speed, alternating, each in a fresh page. */
const presses = 5
const throttleSettleMs = 300
/** After the list is painted, until the directory has come and is folded. */
const directoryMs = 1500
/** Work of the worker for an opening, ms. */
const workerGoalMs = 60

type Target = {
  name: string
  url: string
  /** the element that ends the time; `>>>` enters a shadow root */
  shows: string
  /** waits until nothing more of the page loads */
  settled: (page: Page) => Promise<void>
  /** its worker's script never comes */
  holdWorker?: boolean
  /** of the floor's time to the painted list, and of its work */
  goals?: { wall: number; busy: number }
}

/** The median of a few first presses. */
export async function opening(world: World): Promise<Row[]> {
  const browser = await world.browser()
  const hosts = (await world.benchPages()).url
  const page = (await world.published()).url
  const row = '[data-testid="wallet-row"]'
  const idle = (one: Page) => one.waitForLoadState('networkidle')
  const floor: Target = { name: 'floor', url: `${hosts}boxHost.html`, shows: '[data-testid="nothing"]', settled: idle }
  const targets: Target[] = [
    {
      name: 'embed',
      url: `${hosts}embedHost.html`,
      shows: `mai-modal >>> ${row}`,
      settled: idle,
      goals: { wall: 1.5, busy: 2 },
    },
    { name: 'presale page', url: page, shows: row, settled: live },
    { name: 'presale page without its worker', url: page, shows: row, settled: modalIsHere, holdWorker: true },
  ]
  const rows: Row[] = []
  for (const speed of speeds) {
    const times = new Map<Target, Press[]>()
    for (let turn = 0; turn < presses; turn++)
      for (const target of [floor, ...targets])
        times.set(target, [...(times.get(target) ?? []), await firstPress(browser, target, speed)])
    const of = (target: Target, figure: keyof Press) => median((times.get(target) ?? []).map(press => press[figure]))
    const what = 'an empty box on a small page of React'
    for (const target of targets) {
      const { name, goals } = target
      rows.push({
        name: `press → wallet list painted, ${name}, ${speed.name}`,
        unit: 'ms',
        ours: of(target, 'wallMs'),
        comparison: { what, value: of(floor, 'wallMs') },
        ...(goals && { goal: { of: 'ratio' as const, atMost: goals.wall } }),
      })
      rows.push({
        name: '    of which the page’s thread was at work',
        unit: 'ms',
        ours: of(target, 'busyMs'),
        comparison: { what, value: of(floor, 'busyMs') },
        ...(goals && { goal: { of: 'ratio' as const, atMost: goals.busy } }),
      })
      if (target.holdWorker) continue
      rows.push({
        name: '    and its worker, until the directory is read',
        unit: 'ms',
        ours: of(target, 'workerMs'),
        comparison: { what: 'the limit', value: workerGoalMs },
        ...(speed.throttle === 1 && { goal: { of: 'ours' as const, atMost: workerGoalMs } }),
      })
    }
  }
  return rows
}

/**
 * `wallMs`: elapsed time; `busyMs`: CPU time of the page's main thread in it; `workerMs`: CPU time of the worker until the
 * directory is read.
 */
type Press = { wallMs: number; busyMs: number; workerMs: number }

async function firstPress(browser: Browser, target: Target, { throttle }: Speed): Promise<Press> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    let held = 0
    if (target.holdWorker) {
      // Never answered: the page lacks its worker for the whole visit
      await page.route(/\/worker-[^/]*\.js$/, () => void (held += 1))
    }
    await page.addInitScript(watchPress, target.shows)
    await page.goto(target.url)
    const button = page.getByTestId('connect-button')
    await button.waitFor()
    await target.settled(page)
    if (target.holdWorker && held === 0) throw new Error('the page expected to ask for its worker, it did not')
    if (throttle > 1) {
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
      await page.evaluate(ms => new Promise(done => setTimeout(done, ms)), throttleSettleMs)
    }
    await startTrace(browser, page)
    await mark(page, 'pressing')
    await button.click()
    const wallMs = await page.evaluate(
      () => window.benchPainted ?? Promise.reject(new Error('nobody watched the press')),
    )
    await mark(page, 'painted')
    await page.evaluate(ms => new Promise(done => setTimeout(done, ms)), directoryMs)
    await mark(page, 'read')
    const tasks = await stopTrace(browser)
    const busyMs = busyOf(tasks('pressing', 'painted'))
    return { wallMs, busyMs, workerMs: busyOf(tasks('pressing', 'read', 'worker')) }
  } catch (problem) {
    // An unfinished trace would block the next one
    await browser.stopTracing().catch(() => undefined)
    throw problem
  } finally {
    await context.close()
  }
}

function busyOf(tasks: readonly Task[]): number {
  return tasks.reduce((sum, task) => sum + task.busyMs, 0)
}

/** Waits until the presale page has read the sale and the modal's code. */
async function live(page: Page): Promise<void> {
  await modalIsHere(page)
  await page.getByText('Live').first().waitFor()
}

/** Waits for the modal's code, loaded when idle; an earlier press would measure the network. */
async function modalIsHere(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/Modal-[^/]*\.js$/.test(name)),
  )
  await page.evaluate(() => new Promise<void>(done => requestIdleCallback(() => done(), { timeout: 3000 })))
}

declare global {
  interface Window {
    /** ms from the press to the end of the frame that painted `shows` */
    benchPainted?: Promise<number>
  }
}

/** Runs in the page, before its own scripts; the loader would give functions with a name of their own a helper it lacks. */
function watchPress(shows: string): void {
  const look = {
    shown() {
      let roots: ParentNode[] = [document]
      let found: Element[] = []
      for (const part of shows.split(' >>> ')) {
        found = roots.flatMap(root => [...root.querySelectorAll(part)])
        roots = found.flatMap(({ shadowRoot }) => shadowRoot ?? [])
      }
      return found.some(element => element.getBoundingClientRect().height > 0)
    },
    frame(from: number, painted: (ms: number) => void) {
      requestAnimationFrame(() => {
        if (!look.shown()) return look.frame(from, painted)
        // a message posted in a frame arrives once that frame is painted
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => painted(performance.now() - from)
        port2.postMessage(0)
      })
    },
  }
  window.benchPainted = new Promise((resolve, reject) => {
    addEventListener('click', ({ timeStamp }) => look.frame(timeStamp, resolve), { capture: true, once: true })
    setTimeout(reject, 30_000, new Error(`${shows} expected to be painted within 30 s, it was not`))
  })
}
