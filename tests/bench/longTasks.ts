/** Long tasks of the page during a WalletConnect purchase. */
import { purchaseOnce, stretches } from './purchase.ts'
import type { Task } from './trace.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** Duration from which browsers call a task long, ms. */
const longMs = 50
const purchases = 3

/**
 * The longest task of each stretch, in the median of three purchases: CPU time of the page's thread beside elapsed time. They
 * are equal on a machine with an idle core; `PerformanceObserver` reports elapsed time.
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
