/**
 * Runs every check, in three parallel lanes; the last line is the total.
 *
 *   node --import tsx scripts/test.ts [--only NAME,NAME] [--all]
 *
 * With `--all` every case runs (`tests/everyCase.ts`); without it some of each kind, for their time.
 * Each run of the linter and each build step counts as one check; tests count one by one. A runner that finds no test, exceeds
 * its time, or exits with an error without a failed test counts as one failure.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { aboutText, type Durations, estimate, keepDurations, readDurations } from './durations.ts'
import { stageVariable } from './playwrightProgress.ts'
import { playwrightCount, vitestCount } from './reports.ts'
import { type Check, node, type Outcome, runCheck } from './runCheck.ts'
import { pinnedBrowser } from './savedBrowser.ts'
import { savedEngines } from './savedEngines.ts'
import { publishedVariable, standIns } from '../tests/stack/site.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const minute = 60_000

/** Generated files are ignored by git, so the formatter skips them too. */
const onlyTracked = ['--vcs-enabled=true', '--vcs-client-kind=git', '--vcs-use-ignore-file=true']

/**
 * Stages of one lane run in sequence; the lanes take about the same time. The first is unit tests in one thread, the second
 * is types, lint and all that needs a browser, the third is tests that wait for servers and sockets.
 */
type Stage = {
  name: string
  lane: 1 | 2 | 3
  /** waits for the browsers, which are fetched while other stages run */
  needsBrowsers?: true
  run: (reports: string) => Promise<Outcome[]>
}

/** Each file by the `tsconfig.json` of its folder. */
const typed = ['--type-aware', '--type-check', '--deny-warnings']

/** Whether `dist` is of this run. */
let isBuilt = false

const stages: Stage[] = [
  {
    name: 'lint',
    lane: 2,
    // With the types of every project, each by its own settings: that takes half of the compiler's time beside it. The examples
    // import the package, which is not built here
    run: async () => [
      await check({
        name: 'types and lint',
        tool: ['oxlint'],
        args: [...typed, '--ignore-pattern=examples/**'],
        env: uncollected,
      }),
      await check({ name: 'lint of the examples', tool: ['oxlint'], args: ['--deny-warnings', 'examples'] }),
    ],
  },
  {
    name: 'format',
    lane: 3,
    run: async () => [
      await check({
        name: 'format',
        tool: ['@biomejs/biome', 'biome'],
        args: ['format', '--log-level=warn', ...onlyTracked],
      }),
    ],
  },
  {
    name: 'unit',
    lane: 1,
    // A second thread evaluates every module again, and takes its time from the lanes beside it
    run: async reports => [
      await vitest({ name: 'house rules, unit and replay tests', projects: ['unit'], threads: 1, reports }),
    ],
  },
  {
    name: 'stack',
    lane: 3,
    run: async reports => [
      await vitest({ name: 'drivers and contracts against the stack', projects: ['stack'], threads: 1, reports }),
    ],
  },
  {
    name: 'cores',
    lane: 3,
    run: async reports => [
      await vitest({ name: 'whole cores, tabs and interop', projects: ['cores', 'isolated'], reports }),
    ],
  },
  {
    name: 'build',
    lane: 2,
    run: async () => {
      const built = await script('production build, budget and gates', 'scripts/build.ts')
      isBuilt = built.count.failed === 0
      if (process.env.CASES !== 'all') return [built]
      return [built, await script('two builds, the same bytes', 'scripts/reproducible.ts', ['--with', 'dist'])]
    },
  },
  {
    name: 'browser',
    lane: 2,
    needsBrowsers: true,
    run: async reports => [await vitest({ name: 'tests in a browser', projects: ['browser'], reports })],
  },
  {
    name: 'journeys',
    lane: 2,
    needsBrowsers: true,
    run: async reports => [
      await playwright({ stage: 'journeys', name: 'journeys', args: [], reports, limitMs: 25 * minute }),
    ],
  },
  {
    name: 'pictures',
    lane: 2,
    needsBrowsers: true,
    run: async reports => {
      const name = 'pictures of the modal'
      if (pinnedBrowser()) {
        const args = ['-c', 'playwright.visual.config.ts']
        return [await playwright({ stage: 'pictures', name, args, reports, limitMs: 10 * minute })]
      }
      const note = 'the pinned Chromium is not here; it runs on Linux on x64'
      console.log(`\n── ${name}\n${note}: no picture is compared.`)
      return [{ name, count: { passed: 0, failed: 0, skipped: 1 }, seconds: 0, note: `1 skipped: ${note}` }]
    },
  },
  {
    name: 'engines',
    lane: 2,
    needsBrowsers: true,
    run: async reports => {
      const { firefox, webkit } = savedEngines()
      const skipped = [...(firefox ? [] : ['Firefox']), ...(webkit ? [] : ['WebKitGTK'])].map(without)
      if (!firefox && !webkit) return skipped
      const args = ['-c', 'playwright.engines.config.ts']
      // Its build of this run, if there is one
      const env = isBuilt ? { [publishedVariable]: join(root, 'dist') } : {}
      const name = 'journeys in other engines'
      const ran = await playwright({ stage: 'engines', name, args, reports, limitMs: 25 * minute, env })
      return [ran, ...skipped]
    },
  },
]

/** A package, and the name of its program where it differs. */
type Tool = [name: string, bin?: string]

function check({
  tool,
  args,
  ...more
}: Partial<Check> & { name: string; tool: Tool; args: string[] }): Promise<Outcome> {
  return runCheck({ cwd: root, command: node(root, tool, args), limitMs: 10 * minute, env: {}, ...more })
}

/** Programs in Go that check types end before collecting garbage would pay: it took a quarter of their time. They need 2 GB. */
const uncollected = { GOGC: 'off' }

type Tests = { name: string; projects: string[]; threads?: number; reports: string }

function vitest({ name, projects, threads = 2, reports }: Tests): Promise<Outcome> {
  const file = join(reports, `${name}.json`)
  const reporters = [`--reporter=${join(root, 'scripts/vitestProgress.ts')}`, '--reporter=json']
  const chosen = projects.flatMap(project => ['--project', project])
  const settings = ['--silent=passed-only', `--maxWorkers=${threads}`, `--outputFile.json=${file}`]
  const args = ['run', ...chosen, ...settings, ...reporters]
  // Vitest colours its output even without a terminal.
  const env: Record<string, string> = process.stdout.isTTY ? {} : { NO_COLOR: '1' }
  return check({ name, tool: ['vitest'], args, count: () => vitestCount(file), limitMs: 40 * minute, env })
}

type Journeys = {
  stage: string
  name: string
  args: string[]
  reports: string
  limitMs: number
  env?: Record<string, string>
}

function playwright({ stage, name, args, reports, limitMs, env: more }: Journeys): Promise<Outcome> {
  const file = join(reports, `${name}.json`)
  const count = () => playwrightCount(file)
  const tool: Tool = ['@playwright/test', 'playwright']
  const reporter = `--reporter=${join(root, 'scripts/playwrightProgress.ts')},json`
  const env = { PLAYWRIGHT_JSON_OUTPUT_NAME: file, [stageVariable]: stage, ...more }
  return check({ name, tool, args: ['test', ...args, reporter], count, limitMs, env })
}

/** Engines install automatically only on Debian as root; elsewhere the journeys of a missing engine count as skipped. */
function without(engine: string): Outcome {
  const name = `journeys in ${engine}`
  console.log(`\n── ${name}\n${engine} is not on this machine: install it to run its journeys.`)
  return { name, count: { passed: 0, failed: 0, skipped: 1 }, seconds: 0, note: `1 skipped: no ${engine} here` }
}

function script(name: string, file: string, args: string[] = []): Promise<Outcome> {
  const command = [process.execPath, '--import', 'tsx', file, ...args]
  return runCheck({ name, cwd: root, command, limitMs: 10 * minute, env: standIns })
}

/** A stage whose runners did not start still gets a line in the summary. */
function broke(name: string, problem: unknown): Outcome {
  console.error(problem)
  return { name, count: { passed: 0, failed: 1 }, seconds: 0, note: 'did not start' }
}

/** Finds or installs the browsers: on a fresh machine it takes a minute or two, in which types, lint and unit tests run. */
function prepareBrowsers(): Promise<Outcome> {
  const command = [process.execPath, 'scripts/ready.mjs', '--browser', '--engines', '--pinned']
  return runCheck({ name: 'browsers', cwd: root, command, limitMs: 15 * minute, env: {} })
}

/** @returns the outcomes in the order of the stages, and the durations of those without a failure */
async function runLanes(chosen: Stage[], reports: string): Promise<{ outcomes: Outcome[]; durations: Durations }> {
  const durations: Durations = {}
  const outcomes = new Map<Stage, Outcome[]>()
  const browsers = chosen.some(({ needsBrowsers }) => needsBrowsers) ? prepareBrowsers() : undefined
  const runStage = async ({ name, needsBrowsers, run }: Stage) => {
    if (needsBrowsers && (await browsers)?.count.failed !== 0) throw new Error('there are no browsers')
    const began = performance.now()
    const ran = await run(reports)
    // A stage that failed may have ended early
    if (ran.every(({ count }) => count.failed === 0)) durations[name] = (performance.now() - began) / 1000
    return ran
  }
  const runLane = async (lane: Stage['lane']) => {
    for (const stage of chosen.filter(one => one.lane === lane))
      outcomes.set(stage, await runStage(stage).catch((problem: unknown) => [broke(stage.name, problem)]))
  }
  await Promise.all([runLane(1), runLane(2), runLane(3)])
  const all = [...(browsers ? [await browsers] : []), ...chosen.flatMap(stage => outcomes.get(stage) ?? [])]
  return { outcomes: all, durations }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, all: { type: 'boolean' } } })
  // The runners of the stages are told by it
  if (values.all) process.env.CASES = 'all'
  const only = values.only?.split(',')
  const unknown = only?.filter(name => !stages.some(stage => stage.name === name)) ?? []
  if (unknown.length > 0)
    throw new Error(`--only expected ${stages.map(stage => stage.name).join(', ')}, got ${unknown}`)
  const chosen = stages.filter(({ name }) => !only || only.includes(name))
  const reports = mkdtempSync(join(tmpdir(), 'mai-test-'))
  const kept = join(root, 'node_modules/.cache/mai-test', values.all ? 'all.json' : 'some.json')
  const expected = estimate(chosen, readDurations(kept))
  if (expected !== undefined) console.log(`${aboutText(expected)} in all`)
  const { outcomes, durations } = await runLanes(chosen, reports).finally(() =>
    rmSync(reports, { recursive: true, force: true }),
  )
  keepDurations(kept, durations)
  console.log('\nSummary')
  for (const { name, count, seconds, note } of outcomes) {
    const line = `${String(count.passed).padStart(6)} passed ${String(count.failed).padStart(4)} failed ${seconds.toFixed(1).padStart(7)} s  ${name}`
    console.log(note ? `${line} (${note})` : line)
    for (const failure of count.failures ?? []) console.log(`         FAILED  ${failure}`)
  }
  const passed = outcomes.reduce((sum, { count }) => sum + count.passed, 0)
  const failed = outcomes.reduce((sum, { count }) => sum + count.failed, 0)
  const skipped = outcomes.reduce((sum, { count }) => sum + (count.skipped ?? 0), 0)
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}

await main()
