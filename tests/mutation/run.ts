/**
 * Plants faults in the core, one at a time, and reports which the recordings and the seeds notice.
 *
 *   npm run mutate -- [--seeds 1000] [--only TEXT] [--again] [--limit 120] [--jobs 2]
 *
 * `--only` takes the faults whose file or description holds the text, `--again` those that nobody noticed last time;
 * `--limit` is a trial's time in seconds.
 * Exit code: 0 when at least 95 % were noticed, 1 when fewer were, 2 when a fault could not be planted.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutants } from './mutants.ts'
import { plant } from './plant.ts'
import type { Said } from './trial.ts'
import { createUnitTrials } from './unitTrials.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const recordings = join(root, 'tests/replay/recordings')
const kept = join(root, 'test-results/mutation.json')
const enough = 0.95
/** A trial that says nothing for so long hangs in a loop, which no test would let pass either, ms. */
const silentMs = 60_000
/** Worlds make much that lives for a moment: with more room for that they run a fifth faster. */
const roomy = '--max-semi-space-size=64'

type Result = Mutant & {
  by: 'recording' | 'seed' | 'test' | 'hang' | 'nobody'
  name: string
  after: number
  why: string
}

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
  const unnoticed = values.again ? unnoticedBefore() : undefined
  const chosen = mutants.filter(
    ({ file, what }) =>
      (file.includes(values.only) || what.includes(values.only)) && (unnoticed?.has(`${file} ${what}`) ?? true),
  )
  if (chosen.length === 0)
    throw new Error(`--only expected a part of a fault's file or description, got ${values.only}`)
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'))
  try {
    const sound = await trial(undefined, { folder, at: 0, seeds: 20, limitMs })
    if (sound.by !== 'nobody') throw new Error(`without any fault ${sound.by} ${sound.name} fails: ${sound.why}`)
    const results: Result[] = []
    const judged = (mutant: Mutant, outcome: Outcome) => {
      results.push({ ...mutant, ...outcome })
      console.log(`${String(results.length).padStart(4)}/${chosen.length}  ${rowOf({ ...mutant, ...outcome })}`)
    }
    const inWorlds = chosen.filter(({ tests }) => !tests)
    let next = 0
    const work = async () => {
      for (let at = next++; at < inWorlds.length; at = next++) {
        const mutant = inWorlds[at]
        if (!mutant) return
        judged(mutant, await trial(mutant, { folder, at: at + 1, seeds, limitMs }))
      }
    }
    const byTests = chosen.filter(({ tests }) => tests)
    await Promise.all([tryTests(byTests, judged), ...Array.from({ length: whole('jobs', values.jobs) }, work)])
    return summed(results)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns file and description of every fault that nobody noticed when this last ran */
function unnoticedBefore(): Set<string> {
  if (!existsSync(kept)) throw new Error(`--again expected an earlier run's ${kept}, there is none`)
  const { results } = JSON.parse(readFileSync(kept, 'utf8')) as { results: Result[] }
  return new Set(results.filter(({ by }) => by === 'nobody').map(({ file, what }) => `${file} ${what}`))
}

type Outcome = Pick<Result, 'by' | 'name' | 'after' | 'why'>

/** Faults that name the tests which have to notice them; without any fault these tests hold. */
async function tryTests(chosen: readonly Mutant[], judged: (mutant: Mutant, outcome: Outcome) => void): Promise<void> {
  if (chosen.length === 0) return
  const trials = await createUnitTrials(root)
  try {
    const named = [...new Set(chosen.flatMap(({ tests = [] }) => tests))]
    const sound = await trials.noticed(undefined, named)
    if (sound) throw new Error(`without any fault ${sound.name} fails: ${sound.why}`)
    for (const mutant of chosen) {
      const { tests = [] } = mutant
      const noticed = await trials.noticed(mutant, tests)
      judged(
        mutant,
        noticed ? { by: 'test', after: 1, ...noticed } : { by: 'nobody', name: '', after: 0, why: tests.join() },
      )
    }
  } finally {
    await trials.close()
  }
}

type Trial = { folder: string; at: number; seeds: number; limitMs: number }

async function trial(mutant: Mutant | undefined, { folder, at, seeds, limitMs }: Trial) {
  const file = join(folder, `trial-${at}.mjs`)
  await plant(root, mutant, file)
  return new Promise<Outcome>((resolve, reject) => {
    const child = spawn(process.execPath, [roomy, file, recordings, String(seeds)], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let tried = 0
    let over: Said | undefined
    let isSilent = false
    let rest = ''
    const end = () => void child.kill('SIGKILL')
    const late = setTimeout(end, limitMs)
    const silence = () => {
      isSilent = true
      end()
    }
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
        else over = said
      }
    })
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(late)
      clearTimeout(quiet)
      if (over && 'caught' in over) resolve({ by: over.caught, name: over.name, after: over.after, why: over.why })
      else if (over && 'survived' in over) resolve({ by: 'nobody', name: '', after: over.survived, why: '' })
      else if (isSilent) resolve({ by: 'hang', name: String(tried), after: tried + 1, why: 'it never came back' })
      else if (code !== null)
        resolve({ by: 'seed', name: String(tried), after: tried + 1, why: `it ended with ${code}` })
      else resolve({ by: 'nobody', name: '', after: tried, why: `${limitMs / 1000} s were not enough` })
    })
  })
}

function rowOf({ by, name, after, why, file, what }: Result): string {
  const how = by === 'nobody' ? `NOBODY after ${after} seeds ${why}` : `${by} ${name.replace('tests/', '')} (${after})`
  return `${how.padEnd(52)}  ${file.replace('src/', '')}: ${what}`
}

function summed(results: readonly Result[]): number {
  const caught = results.filter(({ by }) => by !== 'nobody')
  const by = (who: Result['by']) => results.filter(result => result.by === who).length
  const share = caught.length / results.length
  console.log(
    `\n${caught.length} of ${results.length} faults were noticed (${(share * 100).toFixed(1)} %): ${by('recording')} by a recording, ${by('seed')} by a seed, ${by('test')} by a test, ${by('hang')} by never coming back`,
  )
  for (const result of results.filter(one => one.by === 'nobody')) console.log(`  not: ${rowOf(result)}`)
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, `${JSON.stringify({ share, results }, null, 2)}\n`)
  console.log(`written to ${kept}`)
  return share >= enough ? 0 : 1
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
