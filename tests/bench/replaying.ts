/**
 * Processes recordings and prints the costs as JSON; bundled and run in its own process by `replays.ts`.
 *
 *   node replaying.mjs RECORDING
 */
import { configureStore, createReducer } from '@reduxjs/toolkit'
import { readFileSync } from 'node:fs'
import type { Model } from '../../src/events/app.ts'
import { fold, foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel, emptyModel } from '../../src/events/emptyModel.ts'
import type { FactRecord, PageRecord } from '../../src/runtime/log/record.ts'
import { type Recorded, writeRecording } from '../../src/runtime/recording/recording.ts'
import type { RecordingHeader } from '../../src/runtime/recording/recordingHeader.ts'
import { readRecording } from '../../src/events/recording/readRecording.ts'
import { momentsOf } from '../../src/runtime/story/moments.ts'
import { foldTo } from '../../src/events/replay/foldTo.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { minimiseRecording } from '../../src/runtime/replay/minimise.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { type Group, rerun } from '../../src/runtime/replay/rerun.ts'
import { startOf } from '../../src/worker/replay/startOf.ts'
import { median } from './verdict.ts'
import { linesOf, visitOf } from './visit.ts'

/** CPU time: µs per input or line, ms otherwise. */
export type Replaying = {
  inputs: number
  lines: number
  reexecute: number
  foldInput: number
  read: number
  parse: number
  locate: number
  parseInputs: number
  view: number
  redux: number
  fold: number
  parsed: number
  parsedPlainly: number
  minimise: number
  trialInputs: number
  trialSteps: number
}

type Fact = FactRecord | PageRecord

/** Hours of the open page: some 30,000 inputs. Larger figures are extrapolated. */
const hours = 20
const header: RecordingHeader = {
  format: 'mai-recording',
  version: 2,
  logId: 'bench',
  appBuild: '',
  coreBuild: '',
  registryHash: '',
  startedAt: 0,
  redaction: 'plain',
}
/** Runs for extrapolated figures: the median of three runs may be a garbage collection. */
const manyRuns = 31
/** Redux Toolkit is slow enough to measure on a part. */
const reduxFacts = 2000

async function main(): Promise<void> {
  const real = readFileSync(process.argv[2] ?? '', 'utf8')
  const { purchase, hour } = visitOf(real, hours)
  const lines = linesOf([...purchase, ...hour])
  const text = await writeRecording({ header, lines }, sha256Hex)
  const { records } = await readRecording(text, sha256Hex)
  const inputs = records.filter(({ record }) => record.k === 'i').length
  const facts = records.flatMap(({ record }) => (record.k === 'f' || record.k === 'p' ? [record] : []))
  const core = facts.filter(record => record.k === 'f')
  const perInput = 1000 / inputs
  const perLine = 1000 / records.length
  const toHundred = 100_000 / inputs

  const again = await cost(() => reexecute(records, deciders))
  const reading = await cost(() => readRecording(text, sha256Hex))
  const parsing = await cost(() =>
    records.reduce((sum, { line }) => sum + Object.keys(JSON.parse(line) as object).length, 0),
  )
  const folding = await cost(() => core.forEach(foldInto(emptyCoreModel())))
  const viewing = await cost(() => {
    const moments = momentsOf(records)
    return foldTo(moments, moments.length - 1)
  })
  const plainly = await cost(() => foldAll(facts))
  const toHundredFacts = 100_000 / facts.length
  const many = factsOnly(records)
  const other = changedAtTheEnd(records)
  const trial = trialOf(real)

  const found: Replaying = {
    inputs,
    lines: records.length,
    reexecute: again * perInput,
    foldInput: folding * perInput,
    read: reading * perLine,
    parse: parsing * perLine,
    locate: (reading + (await cost(() => different(other)))) * toHundred,
    parseInputs: parsing * toHundred,
    view: viewing * toHundredFacts,
    redux: (await cost(() => foldWithRedux(facts.slice(0, reduxFacts)), 1)) * (100_000 / reduxFacts),
    fold: plainly * toHundredFacts,
    parsed: (await cost(() => parsedAndFolded(many.text), manyRuns)) * (400_000 / many.count),
    parsedPlainly:
      (await cost(() => foldAll(many.lines.map(line => JSON.parse(line) as Fact)), manyRuns)) * (400_000 / many.count),
    ...trial,
  }
  console.log(JSON.stringify(found))
}

/** @returns ms of CPU time, so that other load on the machine matters little; the median of several runs */
async function cost(run: () => unknown, runs = 3): Promise<number> {
  await run()
  const samples: number[] = []
  for (let sample = 0; sample < runs; sample++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    samples.push((user + system) / 1000)
  }
  return median(samples)
}

function foldInto(model: ReturnType<typeof emptyCoreModel>): (fact: Fact) => void {
  return fact => foldCoreFact(model, fact)
}

function foldAll(facts: readonly Fact[]): Model {
  const model = emptyModel()
  for (const fact of facts) fold(model, fact)
  return model
}

function foldWithRedux(facts: readonly Fact[]): Model {
  type Folded = { type: string; at: number; data: unknown }
  const reducer = createReducer(emptyModel(), builder =>
    builder.addDefaultCase((draft, action) => {
      if ('at' in action) fold(draft as Model, action as unknown as Folded)
    }),
  )
  // Without its development checks, which would take most of the time
  const store = configureStore({ reducer, middleware: () => [] as never, devTools: false })
  const dispatch = store.dispatch as (action: Folded) => unknown
  for (const { type, at, data } of facts) dispatch({ type, at, data })
  return store.getState()
}

/** One input followed by the facts of the whole log: the data a view reads. */
function factsOnly(records: readonly Recorded[]): { text: string; lines: string[]; count: number } {
  const [first] = records.filter(({ record }) => record.k === 'i')
  const lines: string[] = []
  for (const { record, line } of records) if (record.k === 'f') lines.push(line.replace(/"n":\d+/, '"n":1'))
  return { text: [JSON.stringify(header), first?.line, ...lines, ''].join('\n'), lines, count: lines.length }
}

async function parsedAndFolded(text: string): Promise<Model> {
  const moments = momentsOf((await readRecording(text, sha256Hex)).records)
  return foldTo(moments, moments.length - 1)
}

function changedAtTheEnd(records: readonly Recorded[]): Recorded[] {
  const at = records.map(({ record }) => record.k).lastIndexOf('f')
  return records.map((recorded, index) =>
    index === at ? { ...recorded, line: recorded.line.replace(/"at":\d+/, '"at":1') } : recorded,
  )
}

function different(records: readonly Recorded[]): void {
  if (reexecute(records, deciders).ok) throw new Error('the changed recording expected a difference, none was found')
}

/** A thousand inputs without a failure, so that nothing is minimised. */
function trialOf(recording: string): Pick<Replaying, 'minimise' | 'trialInputs' | 'trialSteps'> {
  const { purchase, hour } = visitOf(recording)
  const inputs = [...purchase, ...hour].slice(0, 1000).map(({ input }) => input)
  const start = startOf([], deciders)
  const items = inputs.map(input => ({ input }))
  const groups: Group[] = rerun(start, items).groups
  const timed = (run: () => unknown) => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  const task = { start, groups, always: groups.length - 1 }
  minimiseRecording(task, () => false, { most: 50 })
  return {
    trialInputs: inputs.length,
    minimise: timed(() => minimiseRecording(task, () => false, { most: 1000 })),
    trialSteps: timed(() => {
      for (let trial = 0; trial < 1000; trial++) {
        const core = start.make()
        for (const input of inputs) core.step(input)
      }
    }),
  }
}

if (process.argv[1]?.endsWith('replaying.mjs')) await main()
