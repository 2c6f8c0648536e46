/**
 * Measures speed and size beside a baseline of the same run.
 *
 *   node --import tsx tests/bench/run.ts [--only PART,PART] [--json FILE]
 *
 * Prints one table and writes it as JSON. A row over its goal warns, one over twice its goal fails the run.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { root } from './builds.ts'
import { cacheHits } from './cacheHits.ts'
import { death } from './death.ts'
import { journal } from './journal.ts'
import { loading } from './loading.ts'
import { longTasks } from './longTasks.ts'
import { modalUse } from './modalUse.ts'
import { opening } from './opening.ts'
import { reads } from './reads.ts'
import { sizes } from './sizes.ts'
import { steps } from './steps.ts'
import { takeOver } from './takeOver.ts'
import { commands, facts } from './transfer.ts'
import { type Broken, exitCodeOf, type Row, ratioOf, tableOf, verdictOf } from './verdict.ts'
import { walletConnect } from './walletConnect.ts'
import { createWorld, type World } from './world.ts'
import { replayer } from './replayer.ts'
import { replays } from './replays.ts'
import { rows } from './rows.ts'

const parts: Record<string, (world: World) => Promise<Row[]>> = {
  sizes,
  steps,
  longTasks,
  loading,
  opening,
  modalUse,
  death,
  takeOver,
  facts,
  commands,
  rows,
  journal,
  reads,
  cacheHits,
  replays,
  replayer,
  walletConnect,
}

/** Runs the chosen parts in sequence; a failed one leaves a row with the reason. */
async function measureAll(names: readonly string[]): Promise<(Row | Broken)[]> {
  const world = createWorld()
  const found: (Row | Broken)[] = []
  try {
    for (const name of names) {
      const start = performance.now()
      try {
        found.push(...((await parts[name]?.(world)) ?? []))
      } catch (problem) {
        console.error(problem)
        found.push({ name, problem: problem instanceof Error ? problem.message : String(problem) })
      }
      console.error(`measured ${name} in ${((performance.now() - start) / 1000).toFixed(0)} s`)
    }
  } finally {
    await world.close()
  }
  return found
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      json: { type: 'string', default: join(root, 'node_modules/.cache/bench.json') },
    },
  })
  const names = values.only?.split(',') ?? Object.keys(parts)
  const unknown = names.filter(name => !Object.hasOwn(parts, name))
  if (unknown.length > 0) throw new Error(`--only expected ${Object.keys(parts).join(', ')}, got ${unknown.join(', ')}`)

  const found = await measureAll(names)
  const file = resolve(values.json)
  mkdirSync(dirname(file), { recursive: true })
  const told = found.map(row => ({
    ...row,
    ...('problem' in row ? {} : { ratio: ratioOf(row) }),
    verdict: verdictOf(row),
  }))
  const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model ?? '' }
  writeFileSync(file, `${JSON.stringify({ at: new Date().toISOString(), ...machine, rows: told }, null, 2)}\n`)
  console.log(tableOf(found))
  process.exitCode = exitCodeOf(found)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((problem: unknown) => {
    console.error(problem instanceof Error ? problem.message : problem)
    process.exitCode = 1
  })
}
