/** Costs of re-executing, reading, folding and minimising recordings, and their compressed size. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildProgram, root } from './builds.ts'
import { packed } from './packed.ts'
import type { Replaying } from './replaying.ts'
import type { Row } from './verdict.ts'
import type { World } from './world.ts'

/** Each beside its floor, or beside Redux Toolkit with the same folds. */
export async function replays(world: World): Promise<Row[]> {
  const folder = await world.folder()
  const real = join(root, 'tests/replay/recordings/walletconnect-buy-sol.jsonl')
  const program = await buildProgram(join(folder, 'replaying'), join(root, 'tests/bench/replaying.ts'))
  const { stdout } = await promisify(execFile)(process.execPath, [program, real])
  return [...timeRows(JSON.parse(stdout) as Replaying), ...sizeRows(readFileSync(real, 'utf8'))]
}

function timeRows(found: Replaying): Row[] {
  const { inputs, lines, reexecute, read, locate, view, parsed, minimise } = found
  const parse = 'JSON.parse of the same lines'
  return [
    {
      name: `replay: one of ${inputs} inputs re-executed`,
      unit: 'µs',
      ours: reexecute,
      comparison: { what: 'a plain loop that folds the same facts', value: found.foldInput },
      goal: { of: 'ours', atMost: 5 },
    },
    {
      name: `replay: one of ${lines} lines read and checked`,
      unit: 'µs',
      ours: read,
      comparison: { what: parse, value: found.parse },
    },
    {
      name: 'replay: a difference located, per 100,000 inputs',
      unit: 'ms',
      ours: locate,
      comparison: { what: parse, value: found.parseInputs },
      goal: { of: 'ours', atMost: 1000 },
    },
    {
      name: 'replay: 100,000 facts to their last point',
      unit: 'ms',
      ours: view,
      comparison: { what: 'Redux Toolkit with the same folds', value: found.redux },
      goal: { of: 'ours', atMost: 150 },
    },
    {
      name: 'replay: the same folds',
      unit: 'ms',
      ours: view,
      comparison: { what: 'a plain loop that folds the same facts', value: found.fold },
    },
    {
      name: 'replay: 400,000 facts parsed and folded',
      unit: 'ms',
      ours: parsed,
      comparison: { what: `${parse} and a plain loop`, value: found.parsedPlainly },
      goal: { of: 'ours', atMost: 1500 },
    },
    {
      name: `replay: minimise, 1,000 trials of ${found.trialInputs} inputs`,
      unit: 'ms',
      ours: minimise,
      comparison: { what: 'the steps alone', value: found.trialSteps },
      goal: { of: 'ours', atMost: 4000 },
    },
  ]
}

function sizeRows(recording: string): Row[] {
  const { quiet, relay } = packed(recording)
  const what = 'the same before gzip'
  return [
    {
      name: 'recording: a timer, poll or lifecycle input, packed',
      unit: 'bytes',
      ours: quiet.packed,
      comparison: { what, value: quiet.plain },
      goal: { of: 'ours', atMost: 20 },
    },
    {
      name: 'recording: a relay message, packed',
      unit: 'bytes',
      ours: relay.packed,
      comparison: { what, value: relay.plain },
      goal: { of: 'ours', atMost: 400 },
    },
  ]
}
