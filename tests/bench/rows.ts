/** Cost of an unrelated fact for a list of 480 rows. */
import type { Unrelated } from './pages/api.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

const runs = 5
const facts = 40

/** Selectors over the store, beside one React context with the model. */
export async function rows(world: World): Promise<Row[]> {
  const context = await (await world.browser()).newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${(await world.benchPages()).url}rows.html`)
    await page.waitForFunction(() => window.rowsBench !== undefined)
    const seen: { selectors: Unrelated; context: Unrelated }[] = []
    for (let run = 0; run < runs; run++) {
      seen.push(
        await page.evaluate(count => {
          const bench = window.rowsBench
          if (!bench) throw new Error('the bench page has not started')
          return { selectors: bench.selectors(count), context: bench.context(count) }
        }, facts),
      )
    }
    const of = (way: 'selectors' | 'context', figure: keyof Unrelated) => median(seen.map(one => one[way][figure]))
    if (of('context', 'renders') === 0) throw new Error('the rows under a context expected to render, they did not')
    const what = 'one React context with the model'
    return [
      {
        name: 'rows of 480 rendered by an unrelated fact',
        unit: 'renders',
        ours: of('selectors', 'renders'),
        comparison: { what, value: of('context', 'renders') },
        goal: { of: 'ours', atMost: 0 },
      },
      {
        name: 'an unrelated fact, folded and drawn',
        unit: 'µs',
        ours: of('selectors', 'microseconds'),
        comparison: { what, value: of('context', 'microseconds') },
      },
    ]
  } finally {
    await context.close()
  }
}
