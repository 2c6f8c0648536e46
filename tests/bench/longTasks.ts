/** Whether the page stands still at any moment of a WalletConnect purchase. */
import { purchaseOnce, stretches } from './purchase.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

/** From here on a browser calls a task long, ms. */
const longMs = 50
const purchases = 3

/** The longest task of each stretch, in the middle one of three purchases; 0 where none was over 50 ms. */
export async function longTasks(world: World): Promise<Row[]> {
  const seen = [(await world.purchase()).longTasks]
  const options = { browser: await world.browser(), stack: await world.stack(), url: (await world.published()).url }
  while (seen.length < purchases) seen.push((await purchaseOnce(options)).longTasks)
  return stretches.map(stretch => ({
    name: `longest task: ${stretch}`,
    unit: 'ms',
    ours: median(seen.map(tasks => Math.max(0, ...tasks[stretch]))),
    comparison: { what: 'a long task; 0 is none over it', value: longMs },
    goal: { of: 'ours', atMost: longMs },
  }))
}
