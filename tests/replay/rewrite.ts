/** Writes a recording anew from its own inputs: the inputs stay, today's core supplies the rest. */
import type { CoreModel } from '../../src/events/app.ts'
import { encode } from '../../src/events/log/codec.ts'
import { lineOf } from '../../src/events/log/lineOf.ts'
import type { CheckpointRecord, PageRecord } from '../../src/runtime/log/record.ts'
import { type Recorded, type Recording, writeRecording } from '../../src/runtime/recording/recording.ts'
import { registryHash } from '../../src/events/schema/registryHash.ts'
import { checkpointLines, subjectHashes } from '../../src/events/checkpoint/snapshot.ts'
import { hashOfLines } from '../../src/runtime/log/createSnapshots.ts'
import { sha256Hex } from '../../src/worker/drivers/digest.ts'
import { asRecorded } from '../../src/main/replay/said.ts'
import type { CoreMachine } from '../../src/worker/core/core.ts'
import { effectRecord } from '../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { type Group, rerun } from '../../src/runtime/replay/rerun.ts'
import { startOf } from '../../src/worker/replay/startOf.ts'

/**
 * @param build of the executing core
 * @returns text of the new recording; of the old one, in the newest versions of its types, if nothing differs
 * @throws Fault when the recording cannot be executed
 */
export async function rewrite({ header, records }: Recording, build: string): Promise<string> {
  const start = startOf(records, deciders)
  const parts = partsOf(records)
  const beginning = beginningOf(records)
  const lines = [...beginning, ...parts.before.map(({ line }) => line)]
  const seqs = new Map<number, number>()
  const page = (record: PageRecord) =>
    encode({ ...record, after: seqs.get(record.after) ?? record.after, data: names.now(record.data) })
  let place = 0
  let model: CoreModel | undefined
  const items = asRecorded(records)
  const { groups, names } = rerun(start, items, core => {
    model = core.model
    const part = parts.groups[place]
    place += 1
    if (part?.checkpoint) part.after = structuredClone({ memory: core.memory(), model: core.model, seq: core.seq })
  })
  groups.forEach((group, index) => {
    const part = parts.groups[index]
    if (!part) return
    follow(seqs, items[index]?.before, group)
    lines.push(...linesOf(group, part, page))
    const { checkpoint, after } = part
    if (checkpoint && after) {
      // A checkpoint before a boot needs no transient
      const transient = checkpoint.transient.boot === undefined ? checkpoint.transient : after.memory
      const { n, life, at, build } = checkpoint
      lines.push(...checkpointLines({ n, life, at, seq: after.seq, build, transient }, after.model))
      lines.push(...part.later.map(page))
    }
  })
  const told = inTodaysWords(records)
  const same = lines.length === told.length && lines.every((line, index) => line === told[index])
  const state = header.state && model && subjectHashes(model)
  if (same && JSON.stringify(state) === JSON.stringify(header.state))
    return writeRecording({ header, lines, state }, sha256Hex)
  // The recording's first checkpoint is the start of this run, and stays unchanged
  const madeByBuild = (line: string, index: number) => (index < beginning.length ? line : madeBy(line, build))
  const anew = { ...header, coreBuild: build, registryHash: registryHash() }
  return writeRecording({ header: anew, lines: lines.map(madeByBuild), state }, sha256Hex)
}

/** @returns the line; a checkpoint's with this build as its maker */
function madeBy(line: string, build: string): string {
  return line.startsWith('{"k":"c"') ? lineOf({ ...(JSON.parse(line) as CheckpointRecord), build }) : line
}

/** Page facts and checkpoint after one input. `place`: number of the input's lines before a page fact. */
type Part = {
  pages: { record: PageRecord; place: number }[]
  checkpoint?: CheckpointRecord
  /** Page facts after the checkpoint. */
  later: PageRecord[]
  /** The core at the checkpoint. */
  after?: Pick<CoreMachine, 'model' | 'seq'> & { memory: Record<string, unknown> }
}

function partsOf(records: readonly Recorded[]): { before: Recorded[]; groups: Part[] } {
  const before: Recorded[] = []
  const groups: Part[] = []
  let place = 0
  for (const recorded of records) {
    const { record } = recorded
    const part = groups[groups.length - 1]
    if (record.k === 'i') {
      groups.push({ pages: [], later: [] })
      place = 0
    } else if (record.k === 'p') {
      if (!part) before.push(recorded)
      else if (part.checkpoint) part.later.push(record)
      else part.pages.push({ record, place })
    } else if (record.k === 'c') {
      if (part) part.checkpoint = record
    } else if (record.k !== 'r') place += 1
  }
  return { before, groups }
}

/** The log's first checkpoint, in today's versions. */
function beginningOf(records: readonly Recorded[]): string[] {
  const first = records[0]?.record
  return first?.k === 'c' ? inTodaysWords(records.slice(0, 1 + first.rows)) : []
}

/** @returns the lines in the newest versions of their types; a checkpoint's hash covers such lines */
export function inTodaysWords(records: readonly Recorded[]): string[] {
  const told = records.map(({ record, line }) => (record.k === 'r' ? lineOf(record) : line))
  return records.map(({ record, line }, index) =>
    record.k === 'c'
      ? lineOf({ ...record, state: hashOfLines(told.slice(index + 1, index + 1 + record.rows)) })
      : (told[index] ?? line),
  )
}

/** Maps recorded facts to today's, so that a page fact follows the corresponding fact. */
function follow(seqs: Map<number, number>, before: Group | undefined, now: Group): void {
  const first = now.facts[0]?.seq
  before?.facts.forEach((fact, k) => {
    const last = seqs.get(-1) ?? 0
    seqs.set(fact.seq, first === undefined ? last : first + Math.min(k, now.facts.length - 1))
  })
  const last = now.facts.at(-1)?.seq
  if (last !== undefined) seqs.set(-1, last)
}

function linesOf({ input, facts, effects }: Group, { pages }: Part, page: (record: PageRecord) => string): string[] {
  const said = facts.map(encode)
  const ordered = effectRecord(input, effects)
  if (ordered) said.push(encode(ordered))
  const lines = [encode(input)]
  for (let place = 0; place <= said.length; place++) {
    const here = pages.filter(one => Math.min(one.place, said.length) === place)
    for (const { record } of here) lines.push(page(record))
    const line = said[place]
    if (line !== undefined) lines.push(line)
  }
  return lines
}
