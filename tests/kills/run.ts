/**
 * Kills the core's worker, browser or process repeatedly in the middle of its work, and checks the log of the next life.
 *
 *   npm run kills -- [--workers 900] [--browsers 20] [--node 80] [--seed 1] [--round 0]
 *
 * `--workers` terminates the worker of a surviving page, `--browsers` kills every process of a browser with a persistent
 * profile, `--node` kills a Node process that runs the worker side on its own disk. The seed names every choice, but not the
 * machine's timing.
 * Rounds are independent: repeat a failing kill by its round alone.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright'
import { savedBrowser } from '../../scripts/savedBrowser.ts'
import { root } from '../bench/builds.ts'
import { startStack } from '../stack/start.ts'
import { killBrowsers } from './browsers.ts'
import type { Told } from './docket.ts'
import { killNodes } from './nodes.ts'
import { killWorkers } from './workers.ts'
import { type KillWorld, startKillWorld } from './world.ts'

/** Kills per log. */
const killsPerRound = { workers: 30, browsers: 10, node: 20 }
type Kind = keyof typeof killsPerRound
type Round = { kind: Kind; seed: string; round: number; kills: number }
type Sum = { kills: number; acknowledged: number; payments: number; lost: number; failed: number }

const kept = join(root, 'test-results/kills')
const shown = 12

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '900' },
      browsers: { type: 'string', default: '20' },
      node: { type: 'string', default: '80' },
      seed: { type: 'string', default: '1' },
      round: { type: 'string', default: '0' },
    },
  })
  const from = whole('round', values.round)
  const rounds = (Object.keys(killsPerRound) as Kind[]).flatMap(kind =>
    roundsOf(kind, { seed: values.seed, from, kills: whole(kind, values[kind]) }),
  )
  const began = performance.now()
  const sum: Sum = { kills: 0, acknowledged: 0, payments: 0, lost: 0, failed: 0 }
  const stack = await startStack({
    clock: 'manual',
    seed: `kills ${values.seed}`,
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(root, 'node_modules/.cache'),
  })
  try {
    const world = await startKillWorld(stack)
    try {
      for (const round of rounds) await runRound(world, round, sum)
    } finally {
      await world.close()
    }
  } finally {
    await stack.close()
  }
  const minutes = (performance.now() - began) / 60_000
  console.log(
    `\n${sum.kills} kills, ${(sum.kills / minutes).toFixed(0)} a minute: ${sum.payments} payments, ${sum.acknowledged} acknowledged, ${sum.lost} lost; ${sum.failed} failed`,
  )
  process.exitCode = sum.failed > 0 || sum.kills === 0 ? 1 : 0
}

function whole(name: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new Error(`--${name} expected a whole number, got ${JSON.stringify(text)}`)
  return Number(text)
}

function roundsOf(kind: Kind, { seed, from, kills }: { seed: string; from: number; kills: number }): Round[] {
  const each = killsPerRound[kind]
  return Array.from({ length: Math.ceil(kills / each) }, (_, index) => ({
    kind,
    seed,
    round: from + index,
    kills: Math.min(each, kills - index * each),
  }))
}

async function runRound(world: KillWorld, run: Round, sum: Sum): Promise<void> {
  const began = performance.now()
  const before = { ...sum }
  let count = 0
  const tell: Told = (what, { acknowledged, lost, wrongs, recording, payments = 0 }) => {
    count += 1
    if (count <= run.kills) sum.kills += 1
    sum.acknowledged += acknowledged
    sum.payments += payments
    sum.lost += lost
    if (wrongs.length > 0) fail(run, sum, `${count}, ${what}`, { wrongs, recording })
  }
  try {
    await runners[run.kind](world, run, tell)
  } catch (problem) {
    fail(run, sum, 'not at its end', { wrongs: [problem instanceof Error ? problem.message : String(problem)] })
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  const told = (key: keyof Sum) => `${sum[key] - before[key]} ${key}`
  console.log(
    `${run.kind} round ${run.round}: ${told('kills')} in ${seconds} s, ${told('payments')}, ${told('acknowledged')}, ${told('lost')}`,
  )
}

const runners: Record<Kind, (world: KillWorld, run: Round, tell: Told) => Promise<void>> = {
  async workers(world, run, tell) {
    const executablePath = savedBrowser()
    const browser = await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      await killWorkers(world, browser, run, tell)
    } finally {
      await browser.close()
    }
  },
  browsers: killBrowsers,
  node: killNodes,
}

/** Prints a failure and the command to repeat it, and saves the recording. */
function fail(
  { kind, seed, round, kills }: Round,
  sum: Sum,
  what: string,
  { wrongs, recording }: { wrongs: string[]; recording?: string },
): void {
  sum.failed += 1
  const none = { workers: 0, browsers: 0, node: 0 }
  const counts = Object.entries({ ...none, [kind]: kills }).map(([name, count]) => `--${name} ${count}`)
  console.error(`\n${kind} round ${round}, kill ${what}: ${wrongs.length} wrong`)
  for (const wrong of wrongs.slice(0, shown)) console.error(`  ${wrong}`)
  if (recording !== undefined) {
    mkdirSync(kept, { recursive: true })
    const file = join(kept, `${kind}-${seed}-${round}-${sum.failed}.replay.jsonl`)
    writeFileSync(file, recording)
    console.error(`  recording: ${file}`)
  }
  console.error(`  again: npm run kills -- --seed ${seed} ${counts.join(' ')} --round ${round}\n`)
}

main().catch((problem: unknown) => {
  console.error(problem instanceof Error ? problem.message : problem)
  process.exitCode = 1
})
