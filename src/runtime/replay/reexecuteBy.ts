/**
 * Strict re-execution: the core steps the recorded inputs, and every fact and effect line must equal the recorded one byte
 * for byte. No driver is attached, so nothing can be paid, called or stored.
 */
import type { Decoder } from '../log/createDecoder.ts'
import { Fault } from '../failure.ts'
import type { EffectRecord, InputRecord } from '../log/record.ts'
import { hashOfLines, type SubjectHashes } from '../log/createSnapshots.ts'
import type { Recorded } from '../recording/recording.ts'
import type { Verdict } from './verdict.ts'
import { createMachine, type MachineOf, type StepOf } from '../core/coreMachine.ts'
import type { CoreTypes, DeciderOf } from '../core/coreTypes.ts'
import { effectRecordLike } from './effectRecordLike.ts'
import { firstDifference } from './firstDifference.ts'
import { differenceOf, type DifferencePlace } from './differenceOf.ts'
import { blockAt, type ReplayMeans, restoreMachine } from './restoreMachine.ts'

type ReexecutionMeans<P extends CoreTypes> = ReplayMeans<P> & {
  decoder: Pick<Decoder, 'isKnownType'>
  emptyModel(): P['model']
}

/** Number of the line that states the model at a recording's end. */
const headerLine = 1

/**
 * Re-executes a log from its first boot, or from its first checkpoint. A later boot is an input like any other.
 * At a later checkpoint of this build the model must equal its snapshot; another build may have folded differently, so
 * there the core is restored from the checkpoint. One function, because every record continues the core that the records before it
 * made.
 *
 * @param records of a recording, in order
 * @param deciders of the core
 * @param options `cut`: the log is truncated, so the last input's results may be incomplete; `build`: of the running core;
 *   `state`: of the model behind the last line, which this core's model must equal
 * @returns the number of identical inputs and facts, and the first difference if there is one
 * @throws Fault `bad_input` when the log begins with neither, `unsupported` on a type unknown to this build
 */
export function reexecuteBy<P extends CoreTypes>(
  means: ReexecutionMeans<P>,
  records: readonly Recorded[],
  deciders: readonly DeciderOf<P>[],
  options: { cut?: boolean; build?: string; state?: SubjectHashes } = {},
): Verdict {
  const refuseUnknown = (recorded: Recorded | undefined) => recorded && mustBeKnown(recorded, means)
  let core = createMachine(means.rules, deciders, means.emptyModel())
  let begun = false
  let last: { index: number; record: InputRecord; line: string } | undefined
  let inputs = 0
  let facts = 0
  for (let index = 0; index < records.length; ) {
    const cause = records[index]
    if (!cause) break
    refuseUnknown(cause)
    const { record, number } = cause
    if (record.k === 'p') {
      index += 1
      continue
    }
    if (record.k === 'c') {
      const block = blockAt(records, index)
      if (!block) {
        if (options.cut && last) break
        throw new Fault('bad_input', `recording, line ${number}: expected a whole checkpoint, got one that is cut`)
      }
      for (let at = index + 1; at <= index + record.rows; at++) refuseUnknown(records[at])
      if (!last || record.build !== options.build) {
        core = restoreMachine(means, block, deciders)
        begun = record.transient.boot !== undefined
      } else {
        const found = unlike(means, records, index, core)
        if (found) {
          return { ok: false, inputs, facts, difference: differenceOf(placeOf(last, found), found, core.model) }
        }
      }
      index += 1 + record.rows
      continue
    }
    if (record.k !== 'i' || (!begun && record.type !== 'core.boot')) {
      const got = record.k === 'e' ? 'effects' : record.type
      throw new Fault('bad_input', `recording, line ${number}: expected core.boot as the log's first input, got ${got}`)
    }
    begun = true
    last = { index, record, line: cause.line }

    const actual = linesOf(means, core, record, effectsAfter(records, index))
    let taken = 0
    let at = index + 1
    for (; at < records.length; at++) {
      const next = records[at]
      if (!next || next.record.k === 'i' || next.record.k === 'c') break
      if (next.record.k === 'p') continue
      refuseUnknown(next)
      if (next.line !== actual.lines[taken]) break
      taken += 1
    }
    const next = records[at]
    const wanted = next && next.record.k !== 'i' && next.record.k !== 'c' ? next.line : undefined
    const missing = taken < actual.lines.length && !(next === undefined && options.cut)
    if (wanted !== undefined || missing) {
      const line = next?.number ?? (records[records.length - 1]?.number ?? number) + 1
      const behind = records.slice(index + 1).map(({ record }) => record)
      const parting = { expected: wanted, actual: actual.lines[taken] }
      const came = { recorded: behind, step: actual }
      const difference = differenceOf(placeOf(last, { at, line }), parting, core.model, came)
      return { ok: false, inputs, facts, difference }
    }
    inputs += 1
    facts += Math.min(taken, actual.facts.length)
    index = at
  }
  if (inputs === 0) throw new Fault('bad_input', 'the recording expected at least one input, core.boot, got none')
  const parted = options.state && last && otherState(options.state, means.snapshots.subjectHashes(core.model))
  if (parted && last) {
    const place = placeOf(last, { at: records.length, line: headerLine })
    return { ok: false, inputs, facts, difference: differenceOf(place, parted, core.model) }
  }
  return { ok: true, inputs, facts }
}

/** @returns both models' hashes as the header has them, when they differ */
function otherState(recorded: SubjectHashes, now: SubjectHashes): { expected: string; actual: string } | undefined {
  const [expected, actual] = [recorded, now].map(state => JSON.stringify({ state }))
  return expected !== undefined && actual !== undefined && firstDifference(expected, actual)?.path.startsWith('state.')
    ? { expected, actual }
    : undefined
}

/** This core's log lines for the input. */
function linesOf<P extends CoreTypes>(
  { codec: { encode } }: ReexecutionMeans<P>,
  core: MachineOf<P>,
  input: InputRecord,
  was: EffectRecord | undefined,
): StepOf<string> & { lines: string[] } {
  const { facts, effects } = core.step(input)
  const lines = facts.map(encode)
  const ordered = effectRecordLike(was, input, effects)
  if (ordered) lines.push(encode(ordered))
  return { lines, facts, effects }
}

/** @returns the recorded effects of the input at `index` */
function effectsAfter(records: readonly Recorded[], index: number): EffectRecord | undefined {
  for (let at = index + 1; at < records.length; at++) {
    const record = records[at]?.record
    if (record?.k === 'e') return record
    if (record?.k === 'i' || record?.k === 'c') return undefined
  }
  return undefined
}

function placeOf(
  cause: { index: number; record: InputRecord; line: string },
  { at, line }: { at: number; line: number },
): DifferencePlace {
  const { index, record } = cause
  return { index, n: record.n, type: record.type, input: cause.line, at, line }
}

/** @returns the first line of the checkpoint at `index` that this core would write differently */
function unlike<P extends CoreTypes>(
  { snapshots: { checkpointLines, lineOf } }: ReexecutionMeans<P>,
  records: readonly Recorded[],
  index: number,
  core: MachineOf<P>,
): { at: number; line: number; expected: string; actual: string } | undefined {
  const recorded = records[index]
  if (recorded?.record.k !== 'c') return undefined
  const { n, life, at, build, transient, rows } = recorded.record
  const block = blockAt(records, index)
  // The recorded hash is over the lines as they were written; lifted ones are compared in today's versions
  const state = block?.lifted ? hashOfLines(block.rows.map(lineOf)) : recorded.record.state
  const own = lineOf({ ...recorded.record, state })
  // A checkpoint before a boot has no transient memory to compare
  const memory = transient.boot === undefined ? transient : core.memory()
  const [first = '', ...rest] = checkpointLines({ n, seq: core.seq, life, at, build, transient: memory }, core.model)
  // A row tells more than the hash, so the checkpoint's own line is compared last
  for (const [place, actual] of [...rest, first].entries()) {
    const where = place === rest.length ? index : index + 1 + place
    const one = place < rows || place === rest.length ? records[where] : undefined
    const expected = one === recorded ? own : one?.line
    if (expected !== actual)
      return { at: where, line: one?.number ?? recorded.number, expected: expected ?? recorded.line, actual }
  }
  return undefined
}

function mustBeKnown({ record, number }: Recorded, { decoder }: Pick<ReexecutionMeans<CoreTypes>, 'decoder'>): void {
  // Page facts do not concern the core: unknown ones are skipped, as in views
  if (record.k === 'p' || record.k === 'e' || record.k === 'c' || decoder.isKnownType(record)) return
  throw new Fault(
    'unsupported',
    `recording, line ${number}: ${record.type} version ${record.v} is not known to this build, so it cannot be re-executed strictly`,
  )
}
