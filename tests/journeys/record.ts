/**
 * Regenerates the committed recordings in `tests/replay/` and `tests/scripts/presale/recorded/`, and prints the changes of each: inputs, and facts added, removed and changed by type. Needed after intended changes of facts, effects or deciders.
 *
 *   npm run record                 runs the journeys that save a recording, in a browser; takes some minutes
 *   npm run record -- --rerun      re-executes the inputs of journeys and scripted visits with today's core and writes its
 *                                  facts, and simulates the visits of `simulated/visits.json` again; takes half a minute
 *   npm run record -- --scripted   records the visits of the deciders' tests anew, those with outcomes of their own
 *   npm run record -- --choose     chooses other simulated visits, where worlds have changed much; takes some minutes
 *   npm run record -- --operator   runs a small sale with every verb of `npm run presale` and records each command; takes ten seconds
 *
 * The journeys refuse to run while `tests/replay` has uncommitted changes, so that git shows the difference. A rerun works
 * before a commit, too: inputs stay, and facts come from them, so it loses nothing. A failed journey leaves its old recording
 * in place. Exit code: 0 all were regenerated, 1 a journey failed, 2 refused.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { node } from '../../scripts/runCheck.ts'
import { toFailure } from '../../src/runtime/failure.ts'
import { sourceHash } from '../../src/main/replay/sourceHash.ts'
import { changeLines, changesOf } from '../replay/changes.ts'
import { recordingsOf, rerunFolder } from '../replay/rerunFolder.ts'
import { scriptedFolder, visitsFolder } from '../replay/recordedVisits.ts'
import { recordScripted } from '../replay/scriptedVisits.ts'
import { chooseAnew, recordVisits } from '../replay/simulatedVisits.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'tests/replay/recordings')

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rerun: { type: 'boolean', default: false },
      choose: { type: 'boolean', default: false },
      scripted: { type: 'boolean', default: false },
      operator: { type: 'boolean', default: false },
    },
  })
  if (values.operator) {
    const { recordedFolder, recordSale } = await import('../scripts/presale/recordings/recordedSale.ts')
    console.log(`${(await recordSale()).length} recordings of a sale in ${relative(root, recordedFolder)}`)
    return 0
  }
  const build = sourceHash(root, 'core')
  if (values.scripted) {
    process.stdout.write(await recordScripted(root, [folder, visitsFolder]))
    return 0
  }
  if (values.rerun) for (const here of [folder, scriptedFolder]) process.stdout.write(await rerunFolder(here, build))
  if (values.choose) await chooseAnew()
  if (values.rerun || values.choose) {
    process.stdout.write(await recordVisits())
    return 0
  }
  const dirty = execFileSync('git', ['status', '--porcelain', '--', 'tests/replay'], { cwd: root, encoding: 'utf8' })
  if (dirty !== '') {
    console.error(`tests/replay has changes that are not committed; commit or undo them first:\n${dirty.trimEnd()}`)
    return 2
  }
  const before = await recordingsOf(folder)
  const code = await walkAll()
  const now = await recordingsOf(folder)
  for (const [name, recording] of now) {
    const old = before.get(name)
    if (!old) console.log(`${name}: new`)
    else process.stdout.write(changeLines(name, changesOf(old.records, recording.records)))
  }
  for (const name of before.keys()) if (!now.has(name)) console.log(`${name}: gone`)
  return code
}

/** Journeys that save a recording. */
function keepers(): string[] {
  const here = join(root, 'tests/journeys')
  const journeys = readdirSync(here).filter(name => name.endsWith('.journey.ts'))
  return journeys.filter(name => readFileSync(join(here, name), 'utf8').includes('saveRecording('))
}

/** Runs the journeys; each re-executes its recording byte for byte before writing it. */
function walkAll(): Promise<number> {
  const ready = spawnSync(process.execPath, ['scripts/ready.mjs', '--browser'], { cwd: root, stdio: 'inherit' })
  if (ready.status !== 0) return Promise.resolve(1)
  const tool: [string, string] = ['@playwright/test', 'playwright']
  const [program = process.execPath, ...args] = node(root, tool, ['test', '--reporter=list', ...keepers()])
  const child = spawn(program, args, {
    cwd: root,
    env: { ...process.env, RECORD: '1', CASES: 'all' },
    stdio: 'inherit',
  })
  return new Promise(resolve => child.once('exit', code => resolve(code === 0 ? 0 : 1)))
}

main().then(
  code => {
    process.exitCode = code
  },
  (problem: unknown) => {
    console.error(toFailure(problem).message)
    process.exitCode = 2
  },
)
