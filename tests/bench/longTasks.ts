/** Whether the page stands still at any moment of a WalletConnect purchase. */
import { purchaseOnce, stretches } from './purchase.ts'
import type { Task } from './trace.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** From here on a browser calls a task long, ms. */
const longMs = 50
const purchases = 3

/**
 * The longest task of each stretch, in the middle one of three purchases: what the page's thread worked, beside what the
 * clock says. The two are one on a machine with a core to spare; `PerformanceObserver` tells by the clock.
 */
export async function longTasks(world: World): Promise<Row[]> {
  const seen = [(await world.purchase()).tasks]
  const options = { browser: await world.browser(), stack: await world.stack(), url: (await world.published()).url }
  while (seen.length < purchases) seen.push((await purchaseOnce(options)).tasks)
  const longest = (tasks: Task[], of: 'busyMs' | 'wallMs') => {
    if (tasks.length === 0) throw new Error('a purchase expected tasks of the page in its trace, there is none')
    return tasks.reduce((most, task) => Math.max(most, task[of]), 0)
  }
  return stretches.map(stretch => ({
    name: `longest task: ${stretch}`,
    unit: 'ms',
    ours: median(seen.map(tasks => longest(tasks[stretch], 'busyMs'))),
    comparison: {
      what: 'the longest by the clock, waiting for a core included',
      value: median(seen.map(tasks => longest(tasks[stretch], 'wallMs'))),
    },
    goal: { of: 'ours', atMost: longMs },
  }))
}
