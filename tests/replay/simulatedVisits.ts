/**
 * Makes recordings of simulated visits. Journeys record what goes well or wrong once; these hold what a world of faults leads
 * to: relay outages, kills, late answers. `visits.json` names each by its seed and the number of its inputs.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CoreModel } from '../../src/events/app.ts'
import { decode } from '../../src/events/log/decode.ts'
import { subjectHashes } from '../../src/events/checkpoint/snapshot.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { asRecorded } from '../../src/main/replay/said.ts'
import { lineKind } from '../../src/runtime/log/record.ts'
import { writeRecording } from '../../src/runtime/recording/recording.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { rerun } from '../../src/runtime/replay/rerun.ts'
import { startOf } from '../../src/worker/replay/startOf.ts'
import { headerOf } from '../simulation/keep.ts'
import { simulate } from '../simulation/simulate.ts'
import { changeLines, changesOf } from './changes.ts'
import { type Candidate, chooseCandidates, outcomesOf } from './chooseVisits.ts'
import { fileOf, type Visit, visits, visitsFolder } from './recordedVisits.ts'
import { recordingsOf } from './rerunFolder.ts'

/** Seeds to choose from. */
const candidates = { from: 100, to: 600 }
/** Bytes of all recordings, compressed as in git. */
const mostBytes = 850_000

/** Chooses the visits anew; those with a reason stay. */
export async function chooseAnew(folder = visitsFolder): Promise<void> {
  const asked = visits(folder).filter(({ why }) => why !== undefined)
  const found: (Candidate & { seed: number })[] = []
  for (let seed = candidates.from; seed < candidates.to; seed++) {
    const lines = await repeatableLines(seed)
    found.push({ seed, lines, outcomes: outcomesOf(lines) })
  }
  const chosen = chooseCandidates(found, { most: mostBytes }).map(({ one, inputs }) => ({ seed: one.seed, inputs }))
  writeVisits([...chosen, ...asked], folder)
}

/** Writes the list; of a seed that is there twice, the longer visit. */
export function writeVisits(all: readonly Visit[], folder = visitsFolder): void {
  const bySeed = new Map<number, Visit>()
  for (const visit of all) {
    const other = bySeed.get(visit.seed)
    bySeed.set(visit.seed, { ...other, ...visit, inputs: Math.max(visit.inputs, other?.inputs ?? 0) })
  }
  const lines = [...bySeed.values()].sort((a, b) => a.seed - b.seed).map(visit => `  ${inOneLine(visit)}`)
  writeFileSync(join(folder, 'visits.json'), `[\n${lines.join(',\n')}\n]\n`)
}

const inOneLine = (visit: Visit): string => {
  const fields = Object.entries(visit).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
  return `{ ${fields.join(', ')} }`
}

/** Records every visit of the folder anew, and removes recordings that are not listed. @returns the changes of each */
export async function recordVisits(folder = visitsFolder): Promise<string> {
  const before = await recordingsOf(folder)
  let told = ''
  for (const visit of visits(folder)) {
    const name = fileOf(visit)
    const text = await recordVisit(visit)
    const { header, records } = await readRecordingFile(new Blob([text]))
    const old = before.get(name)
    before.delete(name)
    const isSame =
      JSON.stringify(old?.header.state) === JSON.stringify(header.state) &&
      old?.records.map(({ line }) => line).join('\n') === records.map(({ line }) => line).join('\n')
    if (isSame) continue
    told += old ? changeLines(name, changesOf(old.records, records)) : `${name}: new\n`
    writeFileSync(join(folder, name), text)
  }
  for (const name of before.keys()) {
    rmSync(join(folder, name))
    told += `${name}: gone\n`
  }
  return told
}

/** Simulates a visit. @returns the recording of its beginning, with the model at its end */
const recordVisit = async ({ seed, inputs }: Visit): Promise<string> =>
  recordingOf(`simulated-${seed}`, await repeatableLines(seed), inputs)

/** @returns the recording of a log's first inputs, with the model behind them */
export async function recordingOf(name: string, lines: readonly string[], inputs: number): Promise<string> {
  const beginning = beginningOf(lines, inputs)
  const records = recorded(beginning)
  let model: CoreModel | undefined
  rerun(startOf(records, deciders), asRecorded(records), core => void (model = core.model))
  return writeRecording({ header: headerOf(name), lines: beginning, state: model && subjectHashes(model) }, sha256Hex)
}

/** @returns the lines of a seed's visit, up to the first step that cannot be repeated: one whose decider was made to throw */
export const repeatableLines = async (seed: number): Promise<string[]> => repeatable((await simulate(seed)).lines)

/** @returns a log's lines up to the first step that comes out otherwise */
export function repeatable(lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  const verdict = reexecute(recorded(lines), deciders)
  return verdict.ok ? [...lines] : beginningOf(lines, verdict.inputs)
}

const recorded = (lines: readonly string[]) => lines.map((line, at) => ({ record: decode(line), line, number: at + 2 }))

/** @returns the lines of the first inputs */
function beginningOf(lines: readonly string[], inputs: number): string[] {
  let left = inputs
  const end = lines.findIndex(line => lineKind(line) === 'i' && left-- === 0)
  return end < 0 ? [...lines] : lines.slice(0, end)
}
