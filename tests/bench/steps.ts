/** Cost of one input for the core and the log, over a real purchase and the hour after it. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildProgram } from './builds.ts'
import type { Costs, Stepping } from './stepping.ts'
import type { Row } from './verdict.ts'
import type { World } from './world.ts'

/** `step` and the encoding of lines, each beside its floor; the purchase alone is informational. */
export async function steps(world: World): Promise<Row[]> {
  const { recording } = await world.purchase()
  const folder = await world.folder()
  const file = join(folder, 'purchase.replay.jsonl')
  await writeFile(file, recording)
  const program = await buildProgram(join(folder, 'stepping'), join(import.meta.dirname, 'stepping.ts'))
  const { stdout } = await promisify(execFile)(process.execPath, [program, file])
  const { visit, purchase } = JSON.parse(stdout) as Stepping
  const [step, record] = rowsOf(visit, `a visit of ${visit.inputs} inputs`)
  return [
    { ...step, goal: { of: 'ours', atMost: 5 } },
    { ...record, goal: { of: 'ours', atMost: 3 } },
    ...rowsOf(purchase, `its purchase, ${purchase.inputs} inputs`),
  ]
}

function rowsOf({ step, fold, encode, stringify }: Costs, name: string): [Row, Row] {
  return [
    {
      name: `step, one input of ${name}`,
      unit: 'µs',
      ours: step,
      comparison: { what: 'a loop that folds the same facts', value: fold },
    },
    {
      name: `recording, one input of ${name}`,
      unit: 'µs',
      ours: encode,
      comparison: { what: 'JSON.stringify of the same', value: stringify },
    },
  ]
}
