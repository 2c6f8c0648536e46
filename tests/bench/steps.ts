/** What one input costs the core and the log, over a real purchase and the hour after it. */
import { emptyCoreModel, foldCoreFact } from '../../src/events/app.ts'
import { encode } from '../../src/events/codec.ts'
import { createCore, effectRecord } from '../../src/worker/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { median, type Row } from './verdict.ts'
import { type Stepped, visitOf } from './visit.ts'
import type { World } from './world.ts'

const warmings = 5
const samples = 15
/** One sample goes through the log until about this many inputs are done, so that the clock can tell. */
const inputsPerSample = 6000

/** `step` and the writing of lines, each beside the least that could be done instead; the purchase alone is for reading. */
export async function steps(world: World): Promise<Row[]> {
  const { purchase, hour } = visitOf((await world.purchase()).recording)
  const visit = [...purchase, ...hour]
  const rows = [
    ...rowsOf(visit, `a visit of ${visit.length} inputs`),
    ...rowsOf(purchase, `its purchase, ${purchase.length} inputs`),
  ]
  return rows.map((row, index) => ({ ...row, ...(index < 2 ? { goal: { of: 'ours', atMost: index ? 3 : 5 } } : {}) }))
}

function rowsOf(log: readonly Stepped[], name: string): Row[] {
  const facts = log.flatMap(one => one.facts)
  const passes = Math.ceil(inputsPerSample / log.length)
  const stepMs = timed(() => {
    const core = createCore(deciders, emptyCoreModel())
    for (const { input } of log) core.step(input)
  }, passes)
  const foldMs = timed(() => {
    const model = emptyCoreModel()
    for (const fact of facts) foldCoreFact(model, fact)
  }, passes)
  const encodeMs = timed(() => log.reduce((sum, one) => sum + lengthOfLines(one), 0), passes)
  const stringifyMs = timed(
    () =>
      log.reduce((sum, { input, facts, effects }) => {
        return sum + JSON.stringify(input).length + JSON.stringify(facts).length + JSON.stringify(effects).length
      }, 0),
    passes,
  )
  const perInput = (ms: number) => (ms * 1000) / log.length
  return [
    {
      name: `step, one input of ${name}`,
      unit: 'µs',
      ours: perInput(stepMs),
      comparison: { what: 'a loop that folds the same facts', value: perInput(foldMs) },
    },
    {
      name: `recording, one input of ${name}`,
      unit: 'µs',
      ours: perInput(encodeMs),
      comparison: { what: 'JSON.stringify of the same', value: perInput(stringifyMs) },
    },
  ]
}

function lengthOfLines({ input, facts, effects }: Stepped): number {
  let length = encode(input).length
  for (const fact of facts) length += encode(fact).length
  const ordered = effectRecord(input.n, effects)
  return ordered ? length + encode(ordered).length : length
}

/**
 * Processor time, so that what else runs on the machine counts as little as possible.
 *
 * @returns ms of one run, the median of several samples once it is warm
 */
function timed(run: () => unknown, passes: number): number {
  const sample = () => {
    const before = process.cpuUsage()
    for (let pass = 0; pass < passes; pass++) run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / passes
  }
  for (let warming = 0; warming < warmings; warming++) sample()
  return median(Array.from({ length: samples }, sample))
}
