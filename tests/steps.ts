/** Counts the work of the product's code, so that a test can hold it to a budget that no busy machine changes. */
import { Session } from 'node:inspector'

type Coverage = { result: { url: string; functions: { ranges: { count: number }[] }[] }[] }

const counted = /\/src\/|\/node_modules\/(?:@noble|@solana|base-x|bs58|immer|uqr)\//

// Blocks are counted only in functions that run for the first time after this, so it never ends and begins again.
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

/** @returns how many blocks of the product's code, and of the packages it ships, ran in this thread since the last call */
export function takeSteps(): number {
  let steps = 0
  session.post('Profiler.takePreciseCoverage', (problem: Error | null, { result }: Coverage) => {
    if (problem) throw problem
    for (const { url, functions } of result)
      if (counted.test(url)) for (const { ranges } of functions) for (const { count } of ranges) steps += count
  })
  return steps
}

/** @returns how many blocks ran in a task */
export function stepsOf(task: () => unknown): number {
  takeSteps()
  task()
  return takeSteps()
}
