/**
 * Loading, beside the floor, a small page of React: the first content on slow 4G at a quarter of the speed, and how far the layout
 * shifts; and at full speed, without a network between.
 */
import type { Browser, Page } from 'playwright'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** Slow 4G of the usual lab settings: 1.6 Mbit/s, 150 ms there and back. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const throttle = 4
const loads = 3
/** At full speed a load is a matter of few frames. */
const fullSpeedLoads = 11
/** Largest layout shift that no visitor notices. */
const mostShift = 0.02

type Load = { paintMs: number; shift: number }

/** The median of a few first loads for each page and width. */
export async function loading(world: World): Promise<Row[]> {
  const browser = await world.browser()
  const hosts = (await world.benchPages()).url
  const floor = { name: 'floor', url: `${hosts}boxHost.html` }
  const targets = [
    { name: 'embed', url: `${hosts}embedHost.html` },
    { name: 'presale page', url: (await world.published()).url },
  ]
  const rows: Row[] = []
  for (const width of [390, 1280]) {
    const found = new Map<string, Load[]>()
    for (let turn = 0; turn < loads; turn++)
      for (const { name, url } of [floor, ...targets])
        found.set(name, [...(found.get(name) ?? []), await load(browser, url, width)])
    const of = (name: string, figure: keyof Load) => median((found.get(name) ?? []).map(one => one[figure]))
    for (const { name } of targets) {
      rows.push({
        name: `first content on slow 4G at a quarter of the speed, ${name}, ${width} px`,
        unit: 'ms',
        ours: of(name, 'paintMs'),
        comparison: { what: 'a small page of React', value: of('floor', 'paintMs') },
        goal: { of: 'ratio', atMost: 1 },
      })
      rows.push({
        name: '    layout shift meanwhile, thousandths',
        unit: 'shift',
        ours: of(name, 'shift') * 1000,
        comparison: { what: 'a small page of React', value: of('floor', 'shift') * 1000 },
        goal: { of: 'ours', atMost: mostShift * 1000 },
      })
    }
  }
  return [...rows, await fullSpeed(browser, floor.url, (await world.published()).url)]
}

/**
 * Each page is reached from another site, as by a link: a browser then opens it in a process of its own. From an empty tab it opens the
 * floor alone in the tab's own process, which the page's header on openers rules out.
 */
async function fullSpeed(browser: Browser, floor: string, page: string): Promise<Row> {
  const other = new URL(floor)
  other.hostname = other.hostname === 'localhost' ? '127.0.0.1' : 'localhost'
  const times: Record<'floor' | 'page', number[]> = { floor: [], page: [] }
  for (let turn = 0; turn < fullSpeedLoads; turn++) {
    times.floor.push(await contentMs(browser, other.href, floor))
    times.page.push(await contentMs(browser, other.href, page))
  }
  return {
    name: 'first content at full speed from another site, presale page, 1280 px',
    unit: 'ms',
    ours: median(times.page),
    comparison: { what: 'a small page of React', value: median(times.floor) },
    goal: { of: 'ratio', atMost: 1 },
  }
}

async function contentMs(browser: Browser, from: string, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 844 } })
  try {
    const page = await context.newPage()
    await page.goto(from)
    await page.evaluate(next => location.assign(next), url)
    await page.waitForURL(url)
    return await firstContent(page)
  } finally {
    await context.close()
  }
}

/** @returns the time of the first content, ms from the navigation; a browser tells of it after it is drawn */
async function firstContent(page: Page): Promise<number> {
  const found = await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime)
  return (await found.jsonValue()) ?? Number.NaN
}

async function load(browser: Browser, url: string, width: number): Promise<Load> {
  const context = await browser.newContext({ viewport: { width, height: 844 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slow4G)
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    await page.goto(url)
    await page.getByTestId('connect-button').first().waitFor()
    await page.waitForLoadState('networkidle')
    const paintMs = await firstContent(page)
    const shift = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          new PerformanceObserver(list => {
            resolve(list.getEntries().reduce((sum, entry) => sum + ((entry as { value?: number }).value ?? 0), 0))
          }).observe({ type: 'layout-shift', buffered: true })
          // A page without a shift has no entry to observe
          setTimeout(() => resolve(0), 500)
        }),
    )
    return { paintMs, shift }
  } finally {
    await context.close()
  }
}
