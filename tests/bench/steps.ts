/** What one input costs the core and the log, over the inputs of a real purchase. */
import { emptyCoreModel, foldCoreFact } from '../../src/events/app.ts'
import { encode } from '../../src/events/codec.ts'
import type { Effect, FactRecord, InputRecord } from '../../src/events/record.ts'
import { createCore, effectRecord } from '../../src/worker/core.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { median, type Row } from './verdict.ts'
import type { World } from './world.ts'

const samples = 15
/** Times the log is gone through in one sample: a single pass is too short for the clock. */
const passes = 20

type Stepped = { input: InputRecord; facts: FactRecord[]; effects: Effect[] }

/** `step` and the writing of lines, each beside the least that could be done instead. */
export async function steps(world: World): Promise<Row[]> {
  const inputs = inputsOf((await world.purchase()).recording)
  const log = steppedThrough(inputs)
  const facts = log.flatMap(one => one.facts)

  const stepMs = timed(() => {
    const core = createCore(deciders, emptyCoreModel())
    for (const input of inputs) core.step(input)
  })
  const foldMs = timed(() => {
    const model = emptyCoreModel()
    for (const fact of facts) foldCoreFact(model, fact)
  })
  const encodeMs = timed(() => log.reduce((sum, one) => sum + lengthOfLines(one), 0))
  const stringifyMs = timed(() =>
    log.reduce((sum, { input, facts, effects }) => {
      return sum + JSON.stringify(input).length + JSON.stringify(facts).length + JSON.stringify(effects).length
    }, 0),
  )
  const perInput = (ms: number) => (ms * 1000) / inputs.length
  return [
    {
      name: `step, one of ${inputs.length} inputs of a purchase`,
      unit: 'µs',
      ours: perInput(stepMs),
      comparison: { what: 'a loop that folds the same facts', value: perInput(foldMs) },
      goal: { of: 'ours', atMost: 5 },
    },
    {
      name: 'recording, the lines of one input',
      unit: 'µs',
      ours: perInput(encodeMs),
      comparison: { what: 'JSON.stringify of the same', value: perInput(stringifyMs) },
      goal: { of: 'ours', atMost: 3 },
    },
  ]
}

/** The inputs of the recording's first life, as they were. */
function inputsOf(recording: string): InputRecord[] {
  const lines = recording.split('\n').filter(line => line.startsWith('{"k":"i"'))
  const inputs = lines.map(line => JSON.parse(line) as InputRecord)
  const next = inputs.findIndex((input, index) => index > 0 && input.type === 'core.boot')
  const life = next < 0 ? inputs : inputs.slice(0, next)
  if (life.length < 20) throw new Error(`the purchase expected at least 20 inputs in its recording, got ${life.length}`)
  return life
}

function steppedThrough(inputs: readonly InputRecord[]): Stepped[] {
  const core = createCore(deciders, emptyCoreModel())
  const log = inputs.map(input => ({ input, ...core.step(input) }))
  const fault = log.flatMap(one => one.facts).find(fact => fact.type === 'core.faulted')
  if (fault) throw new Error(`the core faulted on the recording of its own purchase: ${JSON.stringify(fault.data)}`)
  return log
}

function lengthOfLines({ input, facts, effects }: Stepped): number {
  let length = encode(input).length
  for (const fact of facts) length += encode(fact).length
  const ordered = effectRecord(input.n, effects)
  return ordered ? length + encode(ordered).length : length
}

/** @returns ms of one run, the median of several samples once it is warm */
function timed(run: () => unknown): number {
  const sample = () => {
    const start = performance.now()
    for (let pass = 0; pass < passes; pass++) run()
    return (performance.now() - start) / passes
  }
  for (let warming = 0; warming < 5; warming++) sample()
  return median(Array.from({ length: samples }, sample))
}
