/**
 * `npm run interop`: our client against the official wallet kit, under every fault of the stack's relay and of links, in Node
 * and on a
 * page.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { serveSite } from '../../scripts/preview.ts'
import { savedBrowser } from '../../scripts/savedBrowser.ts'
import { buildPages } from '../bench/builds.ts'
import { type Stack, startStack } from '../stack/start.ts'
import { configFor } from '../worker/tabs/page.ts'
import type { Dapp } from './dapp.ts'
import { faultRuns } from './faults.ts'
import { play, type Played, wrongIn } from './interop.ts'
import { playByLinks } from './byLinks.ts'
import { channelFaults } from './channel.ts'
import { startNodeDapp } from './nodeDapp.ts'
import { startPageDapp } from './pageDapp.ts'
import type { Counterpart, Plot } from './plot.ts'
import { signIn } from './signIn.ts'
import { story } from './story.ts'

const usage = `Usage: npm run interop -- [--in node|page] [--fault TEXT] [--story TEXT] [--quick] [--steps]

Plays two stories between our client and the official wallet kit, once for each way in which the stack's relay misbehaves: from
the code to the end of the session, and one-click auth. In Node a third one goes by links alone, once for each way in which a
device misbehaves that hands them over. The kit runs on real timers. Nothing is tried again.

  --in PLACE     node or page; default both
  --fault TEXT   only the runs whose names hold this
  --story TEXT   the whole story, one-click auth, by links: only those whose names hold this
  --quick        only those of npm test
  --steps        each step with its time
  --help         this text

Exit code: 0 every run holds, 1 some do not, 2 it could not be asked for.
`

const places = ['node', 'page'] as const
type Place = (typeof places)[number]

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      in: { type: 'string' },
      fault: { type: 'string', default: '' },
      story: { type: 'string', default: '' },
      quick: { type: 'boolean', default: false },
      steps: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(usage)
    return 0
  }
  const chosen = places.filter(place => values.in === undefined || values.in === place)
  const runs = faultRuns.filter(({ name, quick }) => name.includes(values.fault) && (quick || !values.quick))
  const told = plots.filter(({ name }) => name.includes(values.story))
  const links = channelFaults.filter(
    fault => 'by links'.includes(values.story) && fault.includes(values.fault) && (fault === 'none' || !values.quick),
  )
  if (chosen.length === 0) throw new Error(`--in expected ${places.join(' or ')}, got ${values.in}`)
  if (told.length === 0 && !'by links'.includes(values.story))
    throw new Error(`--story expected part of a story's name, got ${values.story}`)
  if (runs.length + links.length === 0) throw new Error(`--fault expected part of a run's name, got ${values.fault}`)
  const stack = await startStack({
    clock: 'manual',
    seed: 'interop',
    baseUnix: Math.floor(Date.now() / 1000),
    cacheDir: join(process.cwd(), 'node_modules/.cache'),
  })
  const played: { place: Place; run: Played }[] = []
  const take = (place: Place, run: Played) => {
    played.push({ place, run })
    tell(place, run)
    if (values.steps)
      for (const { name, ms } of run.steps) console.log(`      ${(ms / 1000).toFixed(2).padStart(6)} s  ${name}`)
  }
  try {
    for (const place of chosen) {
      const stage = await stages[place](stack)
      try {
        for (const fault of runs) {
          for (const plot of told) take(place, await play(fault, stack, stage.startDapp, plot))
        }
        if (place === 'node') for (const fault of links) take(place, await playByLinks(fault, stack))
      } finally {
        await stage.close()
      }
    }
  } finally {
    await stack.close()
  }
  const failed = played.filter(({ run }) => wrongIn(run) !== undefined)
  const seconds = played.reduce((sum, { run }) => sum + run.ms, 0) / 1000
  console.log(`\n${played.length - failed.length} of ${played.length} runs hold, ${seconds.toFixed(0)} s`)
  for (const { place, run } of failed) console.log(`  ${place}, ${run.name}: ${wrongIn(run)}`)
  return failed.length === 0 ? 0 : 1
}

/** Plots played under each fault of the relay. */
const plots = [story, signIn] as readonly Plot<Counterpart>[]

type Stage = { startDapp(): Promise<Dapp>; close(): Promise<void> }

const stages: Record<Place, (stack: Stack) => Promise<Stage>> = {
  node: async stack => ({ startDapp: () => startNodeDapp(configFor(stack)), close: async () => undefined }),
  async page(stack) {
    const folder = await mkdtemp(join(tmpdir(), 'mai-interop-'))
    await buildPages({ outDir: folder, addresses: stack.addresses }, join(import.meta.dirname, 'page'), [
      'interop.html',
    ])
    const site = await serveSite({ dir: folder, port: 0 })
    const browser = await launch()
    return {
      startDapp: () => startPageDapp(browser, `${site.url}interop.html`),
      async close() {
        await browser.close()
        await site.close()
        await rm(folder, { recursive: true, force: true })
      },
    }
  },
}

function launch(): Promise<Browser> {
  const executablePath = savedBrowser()
  return chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** Prints one line per run: its duration, and its slowest step. */
function tell(place: Place, run: Played): void {
  const { name, steps, ms } = run
  const slowest = steps.reduce((most, step) => (step.ms > most.ms ? step : most), { name: '', ms: 0 })
  const wrong = wrongIn(run)
  const verdict = wrong === undefined ? 'holds' : 'FAILS'
  console.log(
    `${place}  ${name.padEnd(72)} ${verdict}  ${(ms / 1000).toFixed(1).padStart(6)} s  slowest: ${slowest.name} ${(slowest.ms / 1000).toFixed(1)} s${wrong === undefined ? '' : `\n      ${wrong}`}`,
  )
}

main().then(
  code => process.exit(code),
  (cause: unknown) => {
    console.error(cause instanceof Error ? cause.message : cause)
    process.exit(2)
  },
)
