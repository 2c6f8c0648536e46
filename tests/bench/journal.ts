/** Costs of the log: writing and reading it beside one row per record, a start, and the pause of a checkpoint. */
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

const runs = 3

/** In the page itself, on a real browser's disk; the product does the same in its worker. */
export async function journal(world: World): Promise<Row[]> {
  const context = await (await world.browser()).newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${(await world.benchPages()).url}journal.html`)
    await page.waitForFunction(() => window.journalBench !== undefined)
    const seen: { [figure: string]: number[] } = {}
    const note = (figure: string, ms: number) => (seen[figure] ??= []).push(ms)
    for (let run = 0; run < runs; run++) {
      const found = await page.evaluate(async () => {
        const bench = window.journalBench
        if (!bench) throw new Error('the bench page has not started')
        const relaxed = await bench.append(20_000, 'relaxed')
        const strict = await bench.append(20_000, 'strict')
        // More would take half a minute
        const rows = await bench.rows(1000)
        const readBack = await bench.readBack(50_000)
        const coldStart = await bench.coldStart(10_000)
        const pause = bench.checkpointPause({ sessions: 1000, orders: 1000 })
        return {
          relaxed,
          strict,
          rows: rows.write * 20,
          rowsRead: rows.read * 50,
          readBack,
          coldStart,
          ...pause,
        }
      })
      for (const [figure, ms] of Object.entries(found)) note(figure, ms)
    }
    const of = (figure: string) => median(seen[figure] ?? [])
    const rows = { what: 'one row a record, as fast as 1,000 of them', value: of('rows') }
    return [
      {
        name: '20,000 records appended',
        unit: 'ms',
        ours: of('relaxed'),
        comparison: rows,
        goal: { of: 'ours', atMost: 1000 },
      },
      { name: '20,000 records appended, strict', unit: 'ms', ours: of('strict'), comparison: rows },
      {
        name: '50,000 records read back, checked',
        unit: 'ms',
        ours: of('readBack'),
        comparison: { what: 'rows read at once, unchecked, as fast as 1,000 of them', value: of('rowsRead') },
        goal: { of: 'ours', atMost: 250 },
      },
      {
        name: 'cold start from 10,000 records',
        unit: 'ms',
        ours: of('coldStart'),
        comparison: { what: 'the limit', value: 150 },
        goal: { of: 'ours', atMost: 150 },
      },
      {
        name: 'pause of a checkpoint (480 wallets, 1,000 sessions, 1,000 orders)',
        unit: 'ms',
        ours: of('checkpoint'),
        comparison: { what: 'a structured clone of the model', value: of('clone') },
        goal: { of: 'ours', atMost: 16 },
      },
    ]
  } finally {
    await context.close()
  }
}
