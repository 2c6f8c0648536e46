/** The modal in long use: what a hundred openings leave behind, and how soon a letter typed in the search is painted. */
import type { Browser, CDPSession, Page } from 'playwright'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** Openings before the first look at the heap: they load the modal's code. */
const warmings = 5
const openings = 100
const throttle = 4
const letters = 'ledger'

export async function modalUse(world: World): Promise<Row[]> {
  const { url } = await world.published()
  const { before, after } = await onPage(await world.interpreter(), url, async (page, session) => {
    await openAndClose(page, warmings)
    const first = await heapOf(session)
    await openAndClose(page, openings)
    return { before: first, after: await heapOf(session) }
  })
  const keyMs = await onPage(await world.browser(), url, async (page, session) => {
    await page.getByTestId('connect-button').click()
    await page.getByTestId('all-wallets-row').click()
    await page.locator('.tiles [data-testid="wallet-row"]').first().waitFor()
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
    await page.getByRole('searchbox').focus()
    const times: number[] = []
    for (const letter of letters) times.push(await paintedAfter(page, letter))
    return median(times)
  })
  return [
    {
      name: `heap of the page after ${openings} openings of the modal, without compiled code`,
      unit: 'kB',
      ours: after,
      comparison: { what: `after ${warmings}`, value: before },
      goal: { of: 'ratio', atMost: 1.05 },
    },
    {
      name: 'a letter typed in the search → painted, at a quarter of the speed',
      unit: 'ms',
      ours: keyMs,
      comparison: { what: 'the limit', value: 50 },
      goal: { of: 'ours', atMost: 50 },
    },
  ]
}

/** Opens the presale page, and ends it after the work. */
async function onPage<T>(
  browser: Browser,
  url: string,
  work: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(url)
    await page.getByText('Live').first().waitFor()
    return await work(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}

async function openAndClose(page: Page, times: number): Promise<void> {
  const row = page.getByTestId('wallet-row').first()
  for (let time = 0; time < times; time += 1) {
    await page.getByTestId('connect-button').click()
    await row.waitFor()
    await page.keyboard.press('Escape')
    await row.waitFor({ state: 'hidden' })
  }
}

/** @returns kB in use after two collections */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send('Performance.enable')
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1000
}

/** @returns ms from the key to the end of the frame that paints it */
async function paintedAfter(page: Page, letter: string): Promise<number> {
  const painted = page.evaluateHandle(() => ({
    done: new Promise<number>(resolve => {
      addEventListener(
        'input',
        ({ timeStamp }) =>
          requestAnimationFrame(() => {
            // A message posted in a frame arrives once that frame is painted
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = () => resolve(performance.now() - timeStamp)
            port2.postMessage(0)
          }),
        { once: true, capture: true },
      )
    }),
  }))
  const handle = await painted
  await page.keyboard.type(letter)
  return handle.evaluate(({ done }) => done)
}
