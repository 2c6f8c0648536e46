/**
 * Plants faults in the core, one at a time, and reports which are caught by the recordings, the seeds and the named tests, each
 * alone.
 *
 *   npm run mutate -- [--seeds 1000] [--only TEXT] [--again] [--limit 120] [--jobs 2]
 *
 * `--only` selects the faults of a group, or those whose file or description contains the text, `--again` those missed by the
 * last run; `--limit` is a trial's time in seconds. A fault that names its tests gets at most 100 seeds.
 * Exit code: 0 when both goals are reached, 1 when not, 2 when a fault could not be planted; see `report.ts`. A run of some
 * faults is judged by the same goals.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { groupNames, groupOf } from './groups.ts'
import type { Mutant } from './mutant.ts'
import { mutants } from './mutants.ts'
import { changed, plant } from './plant.ts'
import { type Caught, isMissed, lastResults, type Outcome, report, type Result, rowOf } from './report.ts'
import type { Catch, Said } from './trial.ts'
import { createUnitTrials } from './unitTrials.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const recordings = join(root, 'tests/replay/recordings')
/** Silence after which a trial counts as hanging in a loop, which no test would pass either, ms. */
const silentMs = 60_000
/** Worlds create many short-lived objects: a larger young heap makes them a fifth faster. */
const roomy = '--max-semi-space-size=64'

/** Seeds for a fault that names its tests: a world is unlikely to catch it. */
const seedsBesideTests = 100

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      only: { type: 'string', default: '' },
      again: { type: 'boolean', default: false },
      limit: { type: 'string', default: '120' },
      jobs: { type: 'string', default: '2' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log('npm run mutate -- [--seeds 1000] [--only TEXT] [--again] [--limit SECONDS] [--jobs 2]')
    return 0
  }
  const limitMs = whole('limit', values.limit) * 1000
  const seeds = whole('seeds', values.seeds)
  const missed = values.again ? missedBefore() : undefined
  const isChosen = ({ file, what }: Mutant) =>
    groupNames.includes(values.only)
      ? values.only === groupOf(file)
      : file.includes(values.only) || what.includes(values.only)
  const chosen = mutants.filter(mutant => isChosen(mutant) && (missed?.has(`${mutant.file} ${mutant.what}`) ?? true))
  if (chosen.length === 0)
    throw new Error(`--only expected a group, or a part of a fault's file or description, got ${values.only}`)
  const unplaced = mutants.flatMap(withoutPlace)
  if (unplaced.length > 0) throw new Error(`faults without their place in the source:\n${unplaced.join('\n')}`)
  for (const { file } of mutants) groupOf(file)
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  try {
    const sound = await trial(undefined, { folder, at: 0, seeds: 20, limitMs })
    for (const [net, { name, why }] of Object.entries(sound.caught))
      throw new Error(`without any fault ${net} ${name} fails: ${why}`)
    const noticedBy = await tryTests(chosen.filter(({ tests }) => tests))
    const results: Result[] = []
    let next = 0
    const work = async () => {
      for (let at = next++; at < chosen.length; at = next++) {
        const mutant = chosen[at]
        if (!mutant) return
        const most = mutant.tests ? Math.min(seeds, seedsBesideTests) : seeds
        const { caught, ...more } = await trial(mutant, { folder, at: at + 1, seeds: most, limitMs })
        const test = noticedBy.get(mutant)
        const result = { ...mutant, ...more, caught: { ...caught, ...(test && { test }) } }
        results.push(result)
        console.log(`${String(results.length).padStart(4)}/${chosen.length}  ${rowOf(result)}`)
      }
    }
    await Promise.all(Array.from({ length: whole('jobs', values.jobs) }, work))
    return report(root, results) ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns obstacles to planting or judging a fault: the source has changed */
function withoutPlace(mutant: Mutant): string[] {
  const { file, what, tests = [] } = mutant
  const missing = tests
    .filter(test => !existsSync(join(root, test)))
    .map(test => `${file}: "${what}": ${test} is not there`)
  try {
    changed(readFileSync(join(root, file), 'utf8'), mutant)
    return missing
  } catch (cause) {
    return [...missing, cause instanceof Error ? cause.message : String(cause)]
  }
}

/** @returns file and description of every fault missed by the last run */
function missedBefore(): Set<string> {
  return new Set(
    lastResults(root)
      .filter(isMissed)
      .map(({ file, what }) => `${file} ${what}`),
  )
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

type Trial = { folder: string; at: number; seeds: number; limitMs: number }

async function trial(mutant: Mutant | undefined, { folder, at, seeds, limitMs }: Trial): Promise<Outcome> {
  const file = join(folder, `trial-${at}.mjs`)
  const isPlanted = await plant(root, mutant, file)
  if (!isPlanted && !mutant?.tests)
    throw new Error(`${mutant?.file}: the trial does not use this file, so nothing was planted`)
  return isPlanted ? runTrial(file, seeds, limitMs) : { caught: {} }
}

function runTrial(file: string, seeds: number, limitMs: number): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [roomy, file, recordings, String(seeds)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const caught: Caught = {}
    let tried = 0
    let phase: 'recording' | 'seed' | 'over' = 'recording'
    let ended: string | undefined
    let rest = ''
    const end = (why: string) => {
      ended = why
      child.kill('SIGKILL')
    }
    const late = setTimeout(end, limitMs, '')
    const silence = () => end('it never came back')
    let quiet = setTimeout(silence, silentMs)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      clearTimeout(quiet)
      quiet = setTimeout(silence, silentMs)
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (!line.startsWith('{')) continue
        const said = JSON.parse(line) as Said
        if ('tried' in said) tried = said.tried
        else if ('recording' in said) {
          if (said.recording) caught.recording = said.recording
          phase = 'seed'
        } else {
          if (said.seed) caught.seed = said.seed
          phase = 'over'
        }
      }
    })
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(late)
      clearTimeout(quiet)
      if (phase === 'over') return resolve({ caught })
      if (ended === '') return resolve({ caught, note: `${limitMs / 1000} s were not enough` })
      caught[phase] = { name: String(tried), after: tried + 1, why: ended ?? `it ended with ${code}` }
      resolve({ caught })
    })
  })
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
