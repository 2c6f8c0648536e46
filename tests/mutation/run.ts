/**
 * Plants faults in the core, one at a time, and reports which are caught by the recordings, the seeds and the named tests, each
 * alone. Exit code: 0 when both goals are reached, 1 when not, 2 when a fault could not be planted; see `report.ts`. A run of
 * some faults is judged by the same goals.
 */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { groupNames, groupOf } from './groups.ts'
import { type Mutant, withoutPlace } from './mutant.ts'
import { mutants } from './mutants.ts'
import {
  isMissed,
  lastResults,
  nameOf,
  type Net,
  nets,
  type Outcome,
  report,
  type Result,
  rowOf,
  store,
} from './report.ts'
import type { Catch, Trying } from './trial.ts'
import { createTrialProcess } from './trialProcess.ts'
import { createUnitTrials } from './unitTrials.ts'

const usage = `Usage: npm run mutate -- [--only LIST] [--by recordings,seeds,tests] [--seeds 16] [--again] [--limit 120] [--jobs 2]

Plants each fault of tests/mutation/*Mutants.ts in a copy of the source, and reports what catches it: recordings, which are
re-executed strictly; seeds, whose worlds check invariants; the tests that the fault names.

  --only LIST      faults of these groups, or those whose file or description contains one of these texts
  --by LIST        try by recordings, seeds, tests, or some of them; what the others caught in the last run counts still
  --seeds COUNT    seeds for each fault, those first that catch many; default 16
  --again          faults missed by the last run
  --limit SECONDS  time for one fault's recordings and seeds; default 120
  --jobs COUNT     processes at once; default 2
  --report         tells of the faults that the last runs tried, and tries none
  --help           this text

Groups: ${groupNames.join(', ')}

Exit code: 0 both goals are reached, 1 one is missed, 2 a fault could not be planted.
`

/** Recorded visits on the product's own journal that catch many faults for their time; the order affects that time alone. */
const keen = [484, 456, 300, 288, 352, 448, 368, 284, 324, 396, 228, 132]

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: '' },
      by: { type: 'string', default: 'recordings,seeds,tests' },
      seeds: { type: 'string', default: '16' },
      again: { type: 'boolean', default: false },
      limit: { type: 'string', default: '120' },
      jobs: { type: 'string', default: '2' },
      report: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  if (values.report) return report(lastResults(root)) ? 0 : 1
  const limitMs = whole('limit', values.limit) * 1000
  const seeds = seedsInOrder(whole('seeds', values.seeds))
  const by = netsOf(values.by)
  const isComplete = by.length === nets.length
  const earlier = isComplete && !values.again ? [] : lastResults(root)
  const before = new Map(earlier.map(result => [nameOf(result), result]))
  const isChosen = (mutant: Mutant) => {
    const { file, what } = mutant
    const last = before.get(nameOf(mutant))
    if (values.again && !(last && isMissed(last))) return false
    return values.only
      .split(',')
      .some(text => (groupNames.includes(text) ? text === groupOf(file) : file.includes(text) || what.includes(text)))
  }
  const unplaced = mutants.flatMap(mutant => withoutPlace(root, mutant))
  if (unplaced.length > 0) throw new Error(`faults without their place in the source:\n${unplaced.join('\n')}`)
  for (const { file } of mutants) groupOf(file)
  const chosen = mutants.filter(isChosen)
  if (chosen.length === 0)
    throw new Error(`--only expected a group, or a part of a fault's file or description, got ${values.only}`)
  const noticedBy = by.includes('test') ? await tryTests(chosen.filter(({ tests }) => tests)) : new Map<Mutant, Catch>()
  const trying = { recordings: by.includes('recording') ? recordings() : [], seeds: by.includes('seed') ? seeds : [] }
  const tried = await tryAll(chosen, { by, trying, before, noticedBy, limitMs, jobs: whole('jobs', values.jobs) })
  return report(tried) ? 0 : 1
}

type Trials = {
  by: readonly Net[]
  trying: Trying
  /** results of the last run */
  before: ReadonlyMap<string, Result>
  /** catches of this run's tests */
  noticedBy: ReadonlyMap<Mutant, Catch>
  limitMs: number
  jobs: number
}

/** Tries faults by recordings and seeds, several at once, and stores each result. */
async function tryAll(chosen: readonly Mutant[], trials: Trials): Promise<Result[]> {
  const { by, trying, before, noticedBy, limitMs, jobs } = trials
  const results: Result[] = []
  let next = 0
  const keep = (mutant: Mutant, { caught, note }: Outcome) => {
    const earlier = before.get(nameOf(mutant))?.caught ?? {}
    const kept = nets.flatMap(net => (by.includes(net) ? [] : [[net, earlier[net]] as const]))
    const test = noticedBy.get(mutant)
    const all = { ...Object.fromEntries(kept), ...caught, ...(test && { test }) }
    const result = { ...mutant, caught: all, ...(note !== undefined && { note }) }
    results.push(result)
    store(root, [result])
    console.log(`${String(results.length).padStart(4)}/${chosen.length}  ${rowOf(result)}`)
  }
  if (trying.recordings.length + trying.seeds.length === 0) {
    for (const mutant of chosen) keep(mutant, { caught: {} })
    return results
  }
  const work = async () => {
    const child = createTrialProcess(root)
    try {
      const sound = await child.attempt(undefined, trying, limitMs)
      for (const [net, { name, why }] of Object.entries(sound.caught))
        throw new Error(`without any fault ${net} ${name} fails: ${why}`)
      for (let at = next++; at < chosen.length; at = next++) {
        const mutant = chosen[at]
        if (!mutant) return
        const outcome = await child.attempt(mutant, keenFirst(trying, results), limitMs)
        if (!outcome.isPlanted && !mutant.tests)
          throw new Error(`${mutant.file}: no recording or seed uses this file, so nothing was planted`)
        keep(mutant, outcome)
      }
    } finally {
      child.end()
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  return results
}

/** Paths of all recordings: of simulated visits, of scripted ones, of journeys. */
function recordings(): string[] {
  return ['tests/replay/simulated', 'tests/replay/scripted', 'tests/replay/recordings'].flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.jsonl'))
      .map(name => join(root, folder, name)),
  )
}

/** Recordings that caught many faults so far come first; their order affects the time to a catch, not the result. */
function keenFirst({ recordings, seeds }: Trying, results: readonly Result[]): Trying {
  const catches = new Map<string, number>()
  for (const { caught } of results) {
    const { name } = caught.recording ?? {}
    if (name !== undefined) catches.set(name, (catches.get(name) ?? 0) + 1)
  }
  const of = (path: string) => catches.get(path.slice(path.lastIndexOf('/') + 1)) ?? 0
  return { recordings: [...recordings].sort((a, b) => of(b) - of(a)), seeds }
}

function seedsInOrder(count: number): number[] {
  const others = Array.from({ length: count }, (_, seed) => seed)
  return [...new Set([...keen, ...others])].slice(0, count)
}

function netsOf(list: string): Net[] {
  const words: Record<string, Net> = { recordings: 'recording', seeds: 'seed', tests: 'test' }
  return list.split(',').map(word => {
    const net = words[word]
    if (!net) throw new Error(`--by expected recordings, seeds or tests, got ${word}`)
    return net
  })
}

/** @returns the tests that catch a fault which names them; without a fault these tests pass */
async function tryTests(chosen: readonly Mutant[]): Promise<Map<Mutant, Catch>> {
  const found = new Map<Mutant, Catch>()
  if (chosen.length === 0) return found
  const trials = await createUnitTrials(root)
  try {
    const named = [...new Set(chosen.flatMap(({ tests = [] }) => tests))]
    const sound = await trials.noticed(undefined, named)
    if (sound) throw new Error(`without any fault ${sound.name} fails: ${sound.why}`)
    for (const [at, mutant] of chosen.entries()) {
      const noticed = await trials.noticed(mutant, mutant.tests ?? [])
      if (noticed) found.set(mutant, { after: 1, ...noticed })
      console.log(`tests ${at + 1}/${chosen.length}  ${noticed ? 'noticed' : 'NOT noticed'}  ${mutant.what}`)
    }
  } finally {
    await trials.close()
  }
  return found
}

function whole(name: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`--${name} expected a whole number from 1 on, got ${value}`)
  return Number(value)
}

main().then(
  code => {
    process.exitCode = code
  },
  (cause: unknown) => {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exitCode = 2
  },
)
