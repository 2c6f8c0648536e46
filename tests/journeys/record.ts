/**
 * Regenerates the committed recordings in `tests/replay/recordings/`, and prints the changes of each: inputs, and facts added,
 * removed and changed by type. Needed after intended changes of facts, effects or deciders.
 *
 *   npm run record              runs the journeys that save a recording, in a browser; takes some minutes
 *   npm run record -- --rerun   re-executes the recorded inputs with today's core and writes its facts; takes a second
 *
 * Refuses while `tests/replay` has uncommitted changes, so that git shows the difference. A failed journey leaves its old
 * recording in place. Exit code: 0 all were regenerated, 1 a journey failed, 2 refused.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { node } from '../../scripts/runCheck.ts'
import { toFailure } from '../../src/events/failure.ts'
import type { Recording } from '../../src/events/recording/recording.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { sourceHash } from '../../src/main/replay/sourceHash.ts'
import { changeLines, changesOf } from '../replay/changes.ts'
import { rewrite } from '../replay/rewrite.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'tests/replay/recordings')

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { rerun: { type: 'boolean', default: false } } })
  const dirty = execFileSync('git', ['status', '--porcelain', '--', 'tests/replay'], { cwd: root, encoding: 'utf8' })
  if (dirty !== '') {
    console.error(`tests/replay has changes that are not committed; commit or undo them first:\n${dirty.trimEnd()}`)
    return 2
  }
  const before = await readAll()
  const code = values.rerun ? await rerunAll(before) : await walkAll()
  const now = await readAll()
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

async function readAll(): Promise<Map<string, Recording>> {
  const found = new Map<string, Recording>()
  for (const name of readdirSync(folder).filter(name => name.endsWith('.jsonl'))) {
    found.set(name, await readRecordingFile(new Blob([readFileSync(join(folder, name))])))
  }
  return found
}

async function rerunAll(recordings: ReadonlyMap<string, Recording>): Promise<number> {
  const build = sourceHash(root, 'core')
  for (const [name, recording] of recordings) writeFileSync(join(folder, name), await rewrite(recording, build))
  return 0
}

/** Runs the journeys; each re-executes its recording byte for byte before writing it. */
function walkAll(): Promise<number> {
  const ready = spawnSync(process.execPath, ['scripts/ready.mjs', '--browser'], { cwd: root, stdio: 'inherit' })
  if (ready.status !== 0) return Promise.resolve(1)
  const tool: [string, string] = ['@playwright/test', 'playwright']
  const [program = process.execPath, ...args] = node(root, tool, ['test', '--reporter=list', ...keepers()])
  const child = spawn(program, args, { cwd: root, env: { ...process.env, RECORD: '1' }, stdio: 'inherit' })
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
