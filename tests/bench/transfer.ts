/** Cost of facts from the worker for the page, and the latency of a command meanwhile. */
import type { CDPSession, Page } from 'playwright'
import type { Manner } from './pages/api.ts'
import { median, percentile, type Row } from './verdict.ts'
import type { World } from './world.ts'

const runs = 3
const heavy = { perSecond: 10_000, count: 15_000 }
const light = { perSecond: 1000, presses: 200 }

/** Page time per fact at 10,000 facts a second, for our outbox and its two baselines. */
export async function facts(world: World): Promise<Row[]> {
  return inPage(world, async page => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const times: Record<Manner, number[]> = { batches: [], callbacks: [], raw: [] }
    for (const manner of Object.keys(times) as Manner[]) await flood(page, { manner, perSecond: 10_000, count: 2000 })
    for (let run = 0; run < runs; run++) {
      for (const manner of Object.keys(times) as Manner[]) {
        const before = await pageSeconds(session)
        await flood(page, { manner, ...heavy })
        times[manner].push((((await pageSeconds(session)) - before) * 1_000_000) / heavy.count)
      }
    }
    const row = (what: string, value: number): Row => ({
      name: `page time a fact at ${heavy.perSecond} facts/s`,
      unit: 'µs',
      ours: median(times.batches),
      comparison: { what, value },
      goal: { of: 'ours', atMost: 6 },
    })
    return [
      row('one comlink callback a fact', median(times.callbacks)),
      row('bare postMessage of arrays', median(times.raw)),
    ]
  })
}

/** Time from a command to its result on screen, while 1,000 facts a second arrive. */
export async function commands(world: World): Promise<Row[]> {
  return inPage(world, async page => {
    const [ours, bare] = await page.evaluate(async ({ perSecond, presses }) => {
      const bench = window.transferBench
      if (!bench) throw new Error('the bench page has not started')
      let over = false
      const flooding = (async () => {
        while (!over) await bench.flood({ manner: 'batches', perSecond, count: perSecond / 4 })
      })()
      const times: [number[], number[]] = [[], []]
      for (let index = 0; index < presses; index++) {
        for (const [place, way] of [bench.press, bench.echo].entries()) {
          // People do not press in step with frames
          await new Promise(done => setTimeout(done, 5 + ((index * 7 + place * 3) % 23)))
          times[place]?.push(await way())
        }
      }
      over = true
      await flooding
      return times
    }, light)
    const row = (share: number, atMost: number): Row => ({
      name: `command → painted, p${share * 100}, with ${light.perSecond} facts/s`,
      unit: 'ms',
      ours: percentile(ours, share),
      comparison: { what: 'a bare message there and back', value: percentile(bare, share) },
      goal: { of: 'ours', atMost },
    })
    return [row(0.5, 17), row(0.99, 50)]
  })
}

async function inPage<T>(world: World, run: (page: Page) => Promise<T>): Promise<T> {
  const context = await (await world.browser()).newContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    await page.goto(`${(await world.benchPages()).url}transfer.html`)
    await page.waitForFunction(() => window.transferBench !== undefined)
    return await run(page)
  } finally {
    await context.close()
  }
}

function flood(page: Page, settings: { manner: Manner; perSecond: number; count: number }): Promise<void> {
  return page.evaluate(flood => window.transferBench?.flood(flood), settings)
}

/** CPU seconds of the page's main thread in tasks so far. */
async function pageSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const duration = metrics.find(({ name }) => name === 'TaskDuration')
  if (!duration) throw new Error('the browser expected to tell TaskDuration, it did not')
  return duration.value
}
