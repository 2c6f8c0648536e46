/**
 * Re-executes a visit and prints the cost of one input as JSON; bundled and run in its own process by `steps.ts`.
 *
 *   node stepping.mjs RECORDING
 */
import { readFileSync } from 'node:fs'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import { encode } from '../../src/events/log/codec.ts'
import { createCore } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { median } from './verdict.ts'
import { type Stepped, visitOf } from './visit.ts'

/** CPU time per input, µs. */
export type Costs = { inputs: number; step: number; fold: number; encode: number; stringify: number }
export type Stepping = { visit: Costs; purchase: Costs }

const warmings = 5
const samples = 15
/** Inputs per sample, so that the clock's resolution suffices. */
const inputsPerSample = 10_000

function costsOf(log: readonly Stepped[]): Costs {
  const facts = log.flatMap(one => one.facts)
  const cost = (run: () => unknown) => timed(run, Math.ceil(inputsPerSample / log.length)) / log.length
  return {
    inputs: log.length,
    step: cost(() => {
      const core = createCore(deciders, emptyCoreModel())
      for (const { input } of log) core.step(input)
    }),
    fold: cost(() => {
      const model = emptyCoreModel()
      for (const fact of facts) foldCoreFact(model, fact)
    }),
    encode: cost(() => log.reduce((sum, one) => sum + lengthOfLines(one), 0)),
    stringify: cost(() => log.reduce((sum, one) => sum + lengthOfJson(one), 0)),
  }
}

function lengthOfLines({ input, facts, effects }: Stepped): number {
  let length = encode(input).length
  for (const fact of facts) length += encode(fact).length
  const ordered = effectRecord(input, effects)
  return ordered ? length + encode(ordered).length : length
}

function lengthOfJson({ input, facts, effects }: Stepped): number {
  let length = JSON.stringify(input).length
  for (const fact of facts) length += JSON.stringify(fact).length
  return effects.length > 0 ? length + JSON.stringify(effects).length : length
}

/**
 * Measures CPU time, so that other load on the machine matters little.
 *
 * @returns µs of one run: the median of several samples, once warm
 */
function timed(run: () => unknown, passes: number): number {
  const sample = () => {
    const before = process.cpuUsage()
    for (let pass = 0; pass < passes; pass++) run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / passes
  }
  for (let warming = 0; warming < warmings; warming++) sample()
  return median(Array.from({ length: samples }, sample))
}

function main(): void {
  const { purchase, hour } = visitOf(readFileSync(process.argv[2] ?? '', 'utf8'))
  const stepping: Stepping = { visit: costsOf([...purchase, ...hour]), purchase: costsOf(purchase) }
  console.log(JSON.stringify(stepping))
}

if (process.argv[1]?.endsWith('stepping.mjs')) main()
