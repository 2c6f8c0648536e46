/** Counts executed blocks of the product's code, for budgets that do not depend on the machine. */
import { Session } from 'node:inspector'

type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] }

const counted = /\/src\/|\/node_modules\/(?:@noble|@solana|base-x|bs58|immer|uqr)\//

// Only functions that first run after this point are counted, so coverage starts once and never stops
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** @returns number of executed blocks of the product and its packages in this thread since the last call */
export function takeSteps(): number {
  let steps = 0
  session.post('Profiler.takePreciseCoverage', (problem: Error | null, { result }: Coverage) => {
    if (problem) throw problem
    for (const { url, functions } of result)
      if (counted.test(url)) for (const { ranges } of functions) for (const { count } of ranges) steps += count
  })
  return steps
}

/** @returns number of blocks executed by a task */
export function stepsOf(task: () => unknown): number {
  takeSteps()
  task()
  return takeSteps()
}
